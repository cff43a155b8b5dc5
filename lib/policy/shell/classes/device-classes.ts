// Finds writes to devices and commands that erase disks or file systems.
import { isAnyPath, resolvePattern } from '../model/path-patterns.ts'
import { optionValue } from '../model/option-value.ts'
import { wordText } from '../model/word-marks.ts'
import { hasFlag, operandsOf } from './call.ts'
import type { Call } from './call.ts'

const harmless =
  /^\/dev\/(?:null|zero|full|u?random|tty|console|stdin|stdout|stderr|ptmx|fd(?:\/.*)?|pts(?:\/.*)?|shm(?:\/.*)?|tcp\/.*|udp\/.*|rxpi-.*|tty[\w.-]+|cu\.[\w.-]+|rfcomm\d+|(?:input|snd|mqueue)\/.*|dsp|audio|lp\d+|video\d+|i2c-\d+|spidev[\d.]+|log)$/

/** True if the word names a device whose content matters; unknown parts count. */
export function isDevice(word: string): boolean {
  const path = resolvePattern(word, '/')
  return !isAnyPath(word) && path.startsWith('/dev/') && !harmless.test(path)
}

export function deviceFindings(call: Call): void {
  const { run, invocation, program, args } = call
  for (const { mode, target } of invocation.redirections) {
    if (target === undefined || (mode !== 'write' && mode !== 'both')) continue
    if (isDevice(target)) run.find('device_write', invocation, `writes to the device ${wordText(target)}`)
    if (target === '/proc/sysrq-trigger') run.find('shutdown', invocation, 'sends a command to the kernel')
  }
  for (const word of writtenOperands(program, args)) {
    if (isDevice(word)) run.find('device_write', invocation, `writes to the device ${wordText(word)}`)
    if (word === '/proc/sysrq-trigger') run.find('shutdown', invocation, 'sends a command to the kernel')
  }
  const start = startReason(program, args)
  if (start !== undefined) run.find('device_write', invocation, start)
  const reason = wipeReason(program, args)
  if (reason !== undefined) run.find('disk_wipe', invocation, reason)
}

/** Why the command changes what the machine starts; undefined if it does not. */
function startReason(program: string, args: readonly string[]): string | undefined {
  const [verb = ''] = operandsOf(args)
  const boot = 'changes what the machine starts'
  switch (program) {
    case 'flashrom':
      return hasFlag(args, 'wE', '--write', '--erase') ? 'writes to the firmware of the machine' : undefined
    case 'fwupdmgr':
      return /^(?:install|update|upgrade|downgrade|reinstall)/.test(verb)
        ? 'writes to the firmware of the machine'
        : undefined
    case 'efibootmgr':
      return hasFlag(args, 'BDcCoOnNaA', '--delete-bootnum', '--create', '--bootorder', '--bootnext') ? boot : undefined
    case 'bootctl':
      return /^(?:install|remove|update|set-)/.test(verb) ? boot : undefined
    case 'grub-install':
    case 'grub2-install':
    case 'extlinux':
    case 'lilo':
      return hasFlag(args, 'Vh', '--version', '--help') ? undefined : boot
    default:
      return undefined
  }
}

function writtenOperands(program: string, args: readonly string[]): readonly string[] {
  const operands = operandsOf(args)
  switch (program) {
    case 'dd':
    case 'dcfldd':
      return args.filter((word) => word.startsWith('of=')).map((word) => word.slice(3))
    case 'cp':
    case 'mv':
    case 'install':
    case 'pv':
    case 'qemu-img':
    case 'bmaptool':
      return operands.slice(-1)
    case 'ddrescue':
      return operands.slice(1)
    case 'scp':
      return operands.slice(-1).map((word) => word.replace(/^[^/:]+:/, ''))
    case 'rsync':
      return args.includes('--write-devices') ? operands.slice(-1) : []
    case 'socat':
      return operands.map((word) => /^(?:open|file|gopen|create):([^,]+)/i.exec(word)?.[1] ?? '')
    case 'curl':
    case 'wget':
    case 'aria2c':
    case 'xh':
      return [optionValue(args, ['-o', '--output', '-O', '--output-document', '--out']) ?? '']
    case 'tee':
    case 'truncate':
    case 'sponge':
      return operands
    default:
      return []
  }
}

/** Why the command erases a disk; undefined if it does not. */
function wipeReason(program: string, args: readonly string[]): string | undefined {
  const operands = operandsOf(args)
  const onDevice = operands.some((word) => isDevice(word) || isAnyPath(word))
  const [verb = '', second = ''] = operands
  if (/^(?:mkfs(?:\..*)?|mke2fs|mkswap|newfs|mkntfs|mkdosfs)$/.test(program))
    return onDevice ? 'creates a file system over what is there' : undefined
  if (/^(?:wipefs|blkdiscard)$/.test(program))
    return onDevice &&
      !hasFlag(args, 'n', '--no-act') &&
      (program === 'blkdiscard' || hasFlag(args, 'ao', '--all', '--offset'))
      ? 'erases a disk'
      : undefined
  if (program === 'shred' || program === 'scrub' || program === 'badblocks') {
    return onDevice && (program !== 'badblocks' || hasFlag(args, 'w')) ? 'overwrites a disk' : undefined
  }
  if (/^(?:fdisk|sfdisk|cfdisk|gdisk|sgdisk|parted)$/.test(program)) {
    const isListing =
      hasFlag(args, program === 'parted' ? 'lh' : 'lvsVh', '--list', '--dump', '--version', '--help') ||
      args.includes('-p') ||
      args.includes('-d')
    const isPrint = program === 'parted' && args.some((word) => /^(?:print|unit)$/.test(word))
    return onDevice && !isListing && !isPrint ? 'changes the partitions of a disk' : undefined
  }
  if (program === 'hdparm')
    return args.some((word) => /security-erase|trim-sector/.test(word)) ? 'erases a disk' : undefined
  if (program === 'nvme') return /^(?:format|sanitize)$/.test(verb) ? 'erases a disk' : undefined
  if (program === 'cryptsetup')
    return /^(?:luksformat|erase|lukserase|reencrypt)$/i.test(verb) ? 'makes a disk unreadable' : undefined
  if (/^(?:zpool|zfs)$/.test(program))
    return /^(?:destroy|labelclear)$/.test(verb) ? 'destroys a file system' : undefined
  if (program === 'pvcreate') return onDevice ? 'erases a disk' : undefined
  if (/^(?:lvremove|vgremove|pvremove)$/.test(program)) return 'removes a volume'
  if (program === 'lvm') return /^(?:lv|vg|pv)remove$/.test(verb) ? 'removes a volume' : undefined
  if (program === 'btrfs') return verb === 'subvolume' && second === 'delete' ? 'removes a volume' : undefined
  if (program === 'mdadm') return hasFlag(args, '', '--zero-superblock') ? 'erases a disk array' : undefined
  if (program === 'diskutil')
    return /^(?:erase|partition|secureerase|zerodisk|randomdisk|reformat)/i.test(verb) ? 'erases a disk' : undefined
  if (program === 'dmsetup') return /^(?:remove|wipe)/.test(verb) ? 'removes a volume' : undefined
  if (/^(?:diskpart|format-volume|clear-disk|initialize-disk|remove-partition)$/.test(program)) return 'erases a disk'
  if (program === 'format') return args.some((word) => /^[a-z]:$/i.test(word)) ? 'erases a disk' : undefined
  return undefined
}
