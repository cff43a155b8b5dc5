// Finds commands that run with other rights, or give rights away.
import { otherUser } from '../model/command-analysis.ts'
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
  'dscl',
])
const rightsFiles =
  /^\/etc\/(?:sudoers(?:\.d\/.*)?|passwd|shadow|group|gshadow|pam\.d\/.*|security\/.*|ld\.so\.preload|doas\.conf)$/

export function permissionFindings(call: Call): void {
  const reason = reasonOf(call)
  if (reason !== undefined) call.run.find('permission_escalation', call.invocation, reason)
}

function reasonOf(call: Call): string | undefined {
  const { program, args, invocation, state } = call
  if (asOther.has(program)) return hasFlag(args, 'hV') && args.length === 1 ? undefined : otherUser
  if (accounts.has(program)) return 'changes accounts or capabilities'
  if (/^(?:docker|podman|nerdctl)$/.test(program)) return containerReason(args)
  if (state.isRemote) return undefined
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
  const isWide = targets.some((word) => isOutside(word, call))
  if (isRecursive && targets.some((word) => isMatter(word, call))) return 'changes the rights of a whole folder tree'
  const opensToAll =
    /^[0-7]*[2367]$/.test(mode) || /(?:^|,)[ug]*[oa][ugoa]*[+=][rxXst]*w/.test(mode) || /^\+[rx]*w/.test(mode)
  return opensToAll && mode.length > 2 && (isRecursive || isWide) ? 'lets every user of the machine write' : undefined
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

function containerReason(args: readonly string[]): string | undefined {
  if (!args.some((word) => word === 'run' || word === 'create' || word === 'exec')) return undefined
  const text = args.join(' ')
  if (/(?:^| )--privileged\b|--cap-add[= ](?:ALL|SYS_ADMIN)|--pid[= ]host|--security-opt[= ]\S*unconfined/.test(text)) {
    return 'starts a container that is not separated from this machine'
  }
  const mounts =
    /(?:(?:^| )(?:-v|--volume)[= ]?|source=|src=)(?:\/|\/(?:etc|root|home|var\/run\/docker\.sock|run\/docker\.sock)[^:,\s]*)(?=[:,\s])/
  return mounts.test(text) ? 'gives a container the files of this machine' : undefined
}
