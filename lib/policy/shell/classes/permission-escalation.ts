// Finds commands that run with other rights, or give rights away.
import { openContainer, otherSpaces, otherUser } from '../model/command-analysis.ts'
import { mountWords } from '../model/mount-words.ts'
import { isWithin, resolvePattern } from '../model/path-patterns.ts'
import { hasMarks } from '../model/word-marks.ts'
import { hasFlag, operandsOf } from './call.ts'
import type { Call } from './call.ts'
import { harmOf } from './recursive-delete.ts'

const asOther = new Set([
  'sudo',
  'doas',
  'su',
  'pkexec',
  'runuser',
  'sudoedit',
  'visudo',
  'gksu',
  'kdesudo',
  'run0',
  'runas',
])
const accounts = new Set([
  'useradd',
  'usermod',
  'adduser',
  'gpasswd',
  'passwd',
  'chpasswd',
  'setcap',
  'groupmod',
  'vipw',
  'userdel',
  'groupadd',
  'groupdel',
  'chage',
  'newgrp',
  'dscl',
])
const rightsFiles =
  /^\/etc\/(?:sudoers(?:\.d\/.*)?|passwd|shadow|group|gshadow|pam\.d\/.*|security\/.*|ld\.so\.(?:preload|conf(?:\.d\/.*)?)|doas\.conf|selinux\/.*|cron(?:tab|\.\w+\/.*)|systemd\/.*|rc\.local|profile(?:\.d\/.*)?|environment|hosts\.equiv|ssh\/sshd_config(?:\.d\/.*)?)$|^\/(?:proc\/sys|sys\/(?:kernel|fs|module))\/|^\/var\/spool\/cron\/|^\/(?:lib|usr\/lib)\/systemd\//

export function permissionFindings(call: Call): void {
  const reason = reasonOf(call)
  if (reason !== undefined) call.run.find('permission_escalation', call.invocation, reason)
}

function reasonOf(call: Call): string | undefined {
  const { program, args, invocation, state } = call
  if (asOther.has(program)) return hasFlag(args, 'hV') && args.length === 1 ? undefined : otherUser
  if (accounts.has(program)) return 'changes accounts or capabilities'
  if (program === 'rxpi' && isDecision(operandsOf(args))) return 'decides in your place what rxpi may do'
  if (/^(?:docker|podman|nerdctl)$/.test(program)) return containerReason(call)
  const machine = machineReason(program, args)
  if (machine !== undefined || state.container !== undefined) return machine
  const files = [
    ...invocation.redirections.filter(({ mode }) => mode === 'write').map(({ target }) => target ?? ''),
    ...changed(program, args),
  ]
  if (files.some((word) => rightsFiles.test(resolvePattern(word, state.cwds?.[0] ?? '/'))))
    return 'changes who may do what on this machine'
  if (program === 'chmod') return modeReason(call)
  if (program === 'install') {
    const mode = args[args.indexOf('-m') + 1]
    return args.includes('-m') && grantsRoot(mode ?? '')
      ? 'creates a program that runs with the rights of its owner'
      : undefined
  }
  if (program === 'chown' || program === 'chgrp') return ownerReason(call)
  if (program === 'setfacl') return hasFlag(args, 'mM', '--modify') ? 'gives more users access' : undefined
  return undefined
}

/** Only a person decides about trust, packages, keys and settings (docs/design/security.md#S1). */
function isDecision([command = '', part = '']: readonly string[]): boolean {
  if (command === 'extensions') return part !== '' && part !== 'list' && part !== 'audit'
  if (command === 'auth' || command === 'config')
    return part === 'set' || part === 'remove' || part === 'login' || part === 'logout'
  return command === 'install' || command === 'remove' || command === 'update' || command === 'import'
}

function changed(program: string, args: readonly string[]): readonly string[] {
  const operands = operandsOf(args)
  if (program === 'tee' || program === 'truncate' || program === 'vi' || program === 'vim' || program === 'nano')
    return operands
  if (program === 'cp' || program === 'mv' || program === 'ln' || program === 'install') return operands.slice(-1)
  return program === 'sed' && hasFlag(args, 'i', '--in-place') ? operands.slice(1) : []
}

function modeReason(call: Call): string | undefined {
  const { args } = call
  // A mode such as `-w` looks like an option; it only takes rights.
  const [mode = '', ...targets] = operandsOf(args)
  if (grantsRoot(mode)) return 'lets a program run with the rights of its owner'
  const isRecursive = hasFlag(args, 'R', '--recursive')
  if (isRecursive && targets.some((word) => isMatter(word, call))) return 'changes the rights of a whole folder tree'
  // `+w` leaves out what the umask does
  const opensToAll = /^[0-7]*[0-7]{2}[2367]$/.test(mode) || /(?:^|,)[ug]*[oa][ugoa]*[+=][rxXst]*w/.test(mode)
  return opensToAll && targets.length > 0 ? 'lets every user of the machine write' : undefined
}

/** Sets the user or group id bit. */
function grantsRoot(mode: string): boolean {
  return /^[0-7]*[2-7][0-7]{3}$/.test(mode) || /[+=][rwxXt]*s/.test(mode)
}

function ownerReason(call: Call): string | undefined {
  const [owner = '', ...targets] = operandsOf(call.args)
  if (hasFlag(call.args, 'R', '--recursive') && targets.some((word) => isMatter(word, call))) {
    return 'changes the owner of a whole folder tree'
  }
  return /^(?:root|0)(?::|$)/.test(owner) || targets.some((word) => isOutside(word, call))
    ? 'changes the owner of files'
    : undefined
}

/** Root, home, unknown or outside; the workspace itself does not count. */
function isMatter(word: string, { state, run }: Call): boolean {
  const harm = harmOf(word, state, run.scene)
  return harm !== undefined && harm !== 'workspace' && harm !== 'unknown' && harm !== 'history'
}

function isOutside(word: string, { state, run }: Call): boolean {
  if (!/^[/.~]/.test(word) && !hasMarks(word)) return false
  const paths = (state.cwds ?? ['/']).map((cwd) => resolvePattern(word, cwd))
  return paths.some((path) => !isWithin(path, run.scene.workspace) && !isWithin(path, '/tmp'))
}

function containerReason({ args, state, run }: Call): string | undefined {
  if (!args.some((word) => word === 'run' || word === 'create' || word === 'exec')) return undefined
  const text = args.join(' ')
  if (/(?:^| )--privileged\b|--cap-add[= ](?:ALL|SYS_ADMIN)|--pid[= ]host|--security-opt[= ]\S*unconfined/.test(text)) {
    return openContainer
  }
  const { home, workspace } = run.scene
  const isPower = mountWords(args).some(({ source }) => {
    const path = resolvePattern(source, state.cwds?.[0] ?? '/')
    if (/\/docker\.sock$/.test(path)) return true
    if (isWithin(path, workspace)) return false
    return (
      path === '/' ||
      isWithin(workspace, path) ||
      isWithin(home, path) ||
      /^\/(?:etc|root|home|boot|usr|var|proc|sys|dev|run|bin|sbin|lib)(?:\/(?!lib\/docker\/volumes)[^/]*)?$/.test(path)
    )
  })
  return isPower ? 'gives a container the files of this machine' : undefined
}

/** Why a call changes the limits of the machine itself: name spaces, modules of the kernel, firewalls, roles. */
function machineReason(program: string, args: readonly string[]): string | undefined {
  const text = operandsOf(args).join(' ')
  switch (program) {
    case 'machinectl':
      return /^shell\b/.test(text) ? otherUser : undefined
    case 'systemd-run':
      return args.some((word) => /^--uid(?:=|$)/.test(word)) ? otherUser : undefined
    case 'nsenter':
    case 'capsh':
      return otherSpaces
    case 'insmod':
    case 'rmmod':
    case 'modprobe':
    case 'kextload':
      return hasFlag(args, 'nD', '--dry-run', '--show-depends') ? undefined : 'changes the kernel that runs'
    case 'sysctl':
      return hasFlag(args, 'wp', '--write', '--load', '--system') || args.some((word) => word.includes('='))
        ? 'changes the kernel that runs'
        : undefined
    case 'ssh-copy-id':
      return hasFlag(args, 'nh') ? undefined : 'gives a key access to another machine'
    case 'xhost':
      return args.some((word) => word.startsWith('+')) ? 'lets other users reach the screen' : undefined
    case 'mount':
      return args.length === 0 || (args.length === 1 && hasFlag(args, 'lV')) || (args[0] === '-t' && args.length === 2)
        ? undefined
        : 'mounts a file system'
    default:
      return protectionReason(program, text, args) ?? roleReason(program, text, args)
  }
}

/** Why a call switches off or loosens what protects the machine; undefined if it does not. */
function protectionReason(program: string, text: string, args: readonly string[]): string | undefined {
  switch (program) {
    case 'chattr':
      return args.some((word) => /^-\w*[ia]/.test(word)) ? 'removes the protection of a file' : undefined
    case 'setenforce':
    case 'csrutil':
      return /^(?:0|permissive|disable)\b/i.test(text) ? 'switches a protection of the machine off' : undefined
    case 'spctl':
      return hasFlag(args, '', '--master-disable', '--global-disable')
        ? 'switches a protection of the machine off'
        : undefined
    case 'aa-disable':
    case 'aa-teardown':
      return 'switches a protection of the machine off'
    case 'xattr':
      return args.includes('com.apple.quarantine') && hasFlag(args, 'dc')
        ? 'removes the protection of a file'
        : undefined
    case 'ufw':
      return /^(?:disable|reset|allow|delete)\b/.test(text) ? 'opens the firewall' : undefined
    case 'iptables':
    case 'ip6tables':
      return hasFlag(args, 'FXAIDPR', '--flush', '--append', '--insert', '--delete', '--policy')
        ? 'changes the firewall'
        : undefined
    case 'nft':
      return /^(?:flush|delete|add|insert)\b/.test(text) ? 'changes the firewall' : undefined
    case 'firewall-cmd':
      return args.some((word) => /^--(?:add|remove|set|panic)/.test(word)) ? 'changes the firewall' : undefined
    default:
      return undefined
  }
}

/** Rights in clouds and clusters. */
function roleReason(program: string, text: string, args: readonly string[]): string | undefined {
  const roles: Readonly<Record<string, RegExp>> = {
    kubectl: /^create (?:cluster)?rolebinding\b|^certificate approve\b/,
    aws: /^iam (?:attach|put|create-access-key|create-login-profile|add-user-to-group|update-assume-role-policy|update-login-profile|create-user)/,
    gcloud: /\badd-iam-policy-binding\b|\bset-iam-policy\b/,
    az: /^role assignment create\b|^ad app permission\b/,
    gsutil: /^iam (?:ch|set)\b|^acl (?:ch|set)\b/,
    npm: /^(?:access|owner) (?:add|grant|set)\b/,
    gh: /^(?:ssh-key|gpg-key|repo deploy-key) add\b|^auth (?:login|refresh)\b/,
  }
  if (/^(?:kubectl|oc)$/.test(program) && /"(?:privileged|hostPID|hostNetwork)"\s*:\s*true/.test(args.join(' ')))
    return openContainer
  const known = Object.hasOwn(roles, program) ? roles[program] : undefined
  return known?.test(text) === true ? 'gives an account more rights' : undefined
}
