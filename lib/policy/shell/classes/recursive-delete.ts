// Finds deletions of folder trees that matter: root, home, workspace, outside it, unknown paths.
// A subfolder of the workspace or of the temporary folder passes.
import { planFind } from '../expand/find-targets.ts'
import type { Scene } from '../model/evaluator.ts'
import { isAnyPath, isNarrow, isWithin, mayBePath, mayHold, resolvePattern } from '../model/path-patterns.ts'
import { anyFolders, hasFreeText, hasMarks, hasUnknown, withEmptyUnknowns, wordText } from '../model/word-marks.ts'
import type { Container, ShellState } from '../model/shell-state.ts'
import { hasFlag, operandsOf } from './call.ts'
import type { Call } from './call.ts'

export function deleteFindings(call: Call): void {
  const { program, args } = call
  if (program === 'rm' || program === 'srm' || program === 'wipe' || program === 'grm') removeFindings(call)
  else if (program === 'git') cleanFindings(call)
  else judgeAll(call, deletedTrees(program, args))
  if (/^(?:mv|trash|trash-put|gio)$/.test(program)) moveFindings(call)
}

/** Words whose trees a program deletes by its nature or its flags. */
function deletedTrees(program: string, args: readonly string[]): readonly string[] {
  const operands = operandsOf(args)
  switch (program) {
    case 'rimraf':
    case 'del-cli':
      return operands
    case 'unlink':
    case 'shred':
    case 'truncate':
      return operands.filter((word) => word.includes(anyFolders))
    case 'rmdir':
    case 'rd':
    case 'del':
    case 'erase':
      return args.some((word) => /^\/s$/i.test(word)) ? args.filter((word) => !/^\/\w$/.test(word)) : []
    case 'remove-item':
    case 'ri':
      return args.some((word) => /^-r/i.test(word)) ? operands : []
    case 'find': {
      const { deletes, selected } = planFind(args)
      return deletes ? selected : []
    }
    case 'mv':
      return args.at(-1) === '/dev/null' ? operands.slice(0, -1) : []
    case 'rsync': {
      const deletes = hasFlag(args, '', '--delete', '--del', '--delete-before', '--delete-after', '--delete-excluded')
      return deletes ? operands.slice(-1).filter((word) => !/^[\w.@-]+:/.test(word)) : []
    }
    default:
      return []
  }
}

function removeFindings(call: Call): void {
  const { args, run, invocation } = call
  const targets = operandsOf(args)
  const mayHaveFlags = targets.some((word) => hasUnknown(word.slice(0, 1)))
  if (hasFlag(args, 'rR', '--recursive', '--no-preserve-root')) {
    judgeAll(call, targets)
    return
  }
  // The paths from `find` to `xargs rm` are a tree, too.
  judgeAll(
    call,
    targets.filter((word) => word.includes(anyFolders)),
  )
  if (mayHaveFlags)
    judgeAll(
      call,
      targets.filter((word) => !hasUnknown(word)),
    )
  if (targets.some((word) => word.includes('\uE001'))) {
    run.unknown('file', invocation.words.map(wordText).join(' '), 'the words that it deletes are not known')
  }
}

/** `mv / x`, `mv ~/* /tmp`, `trash ~`: moving the root or the home away is as bad as deleting it. */
function moveFindings(call: Call): void {
  const operands = operandsOf(call.args)
  for (const word of call.program === 'mv' ? operands.slice(0, -1) : operands) {
    const harm = harmOf(word, call.state, call.run.scene)
    if (harm === 'root' || harm === 'home') report(call, word, harm)
  }
}

function cleanFindings(call: Call): void {
  const { args, run, invocation } = call
  const at = args.indexOf('clean')
  if (at < 0 || args.slice(0, at).some((word) => !word.startsWith('-') && !/[./=]/.test(word))) return
  const rest = args.slice(at + 1)
  if (!hasFlag(rest, 'f', '--force') || !hasFlag(rest, 'dx') || hasFlag(rest, 'n', '--dry-run')) return
  const paths = operandsOf(rest)
  if (paths.length > 0) judgeAll(call, paths)
  else run.find('recursive_delete', invocation, 'deletes every file that git does not track, without a way back')
}

function judgeAll(call: Call, words: readonly string[]): void {
  for (const word of words) {
    const harm = harmOf(word, call.state, call.run.scene)
    if (harm === undefined) continue
    if (harm === 'unknown') {
      call.run.unknown('file', wordText(word), 'a folder tree is deleted whose path is only partly known')
    } else report(call, word, harm)
  }
}

type Harm = keyof typeof reasons | 'unknown'

const reasons = {
  root: 'deletes the whole file system',
  home: 'deletes a home folder',
  workspace: 'deletes the whole workspace',
  history: 'deletes the history of the repository',
  temporary: 'deletes the temporary files of every program',
  outside: 'deletes a folder tree outside the workspace',
  anywhere: 'deletes a folder tree whose path is not known before the command runs',
  wide: 'deletes a folder tree in a folder that is not known',
} as const

function report({ run, invocation }: Call, word: string, harm: Exclude<Harm, 'unknown'>): void {
  run.find('recursive_delete', invocation, `${reasons[harm]}: ${wordText(word)}`)
}

/** How bad a recursive deletion of this word is; undefined if it is fine. */
export function harmOf(word: string, state: ShellState, scene: Scene): Harm | undefined {
  if (word === '') return undefined
  if (/^[a-z]:(?:[\\/]|$)/i.test(word)) return /^[a-z]:[\\/]*\W*$/i.test(word) ? 'root' : 'outside'
  if (isAnyPath(word)) return 'anywhere'
  if (state.isRemote) return remoteHarm(word, state, scene)
  if (!word.startsWith('/') && state.cwds === undefined) {
    const emptied = withEmptyUnknowns(word)
    if (isClimbing(emptied) || !isNarrow(emptied)) return 'wide'
    return 'unknown'
  }
  const variants = hasFreeText(word) || word.includes(anyFolders) ? [withEmptyUnknowns(word), word] : [word]
  const harms = variants.flatMap((variant) =>
    (word.startsWith('/') ? ['/'] : (state.cwds ?? ['/'])).map((cwd) => judge(resolvePattern(variant, cwd), scene)),
  )
  return harms.find((harm) => harm !== undefined && harm !== 'unknown') ?? harms.find((harm) => harm !== undefined)
}

const remoteFolder = '/remote/folder'

/** On another machine its temporary folder passes, and names below an unknown folder. */
function remoteHarm(word: string, { cwds, container }: ShellState, scene: Scene): Harm | undefined {
  const path = withoutWide(resolvePattern(withEmptyUnknowns(word), cwds?.[0] ?? remoteFolder))
  if (container !== undefined) return containerHarm(path, container, scene)
  if (path === '/') return 'root'
  if (path === remoteFolder || isWithin(remoteFolder, path)) return 'home'
  return isWithin(path, remoteFolder) || /^\/(?:var\/)?tmp\/./.test(path) ? undefined : 'outside'
}

/** In a container only what it has of this machine, its root, and folders of the system and of databases. */
function containerHarm(path: string, { mounts }: Container, scene: Scene): Harm | undefined {
  for (const { source, target } of mounts) {
    if (isWithin(target, path)) return judge(source, scene)
    if (isWithin(path, target)) return judge(`${source}${path.slice(target.length)}`, scene)
  }
  if (path === '/') return 'root'
  const folders =
    /^\/(?:(?:home|root|etc|bin|lib|boot|data|mnt)(?:\/[^/]+)?|usr|var|opt|srv|var\/(?:lib|www)|var\/lib\/(?:mysql|postgresql|mongodb|redis|docker)(?:\/.*)?)$/
  return folders.test(path) ? 'outside' : undefined
}

const temporaryFolders = ['/tmp', '/var/tmp', '/private/tmp', '/dev/shm', '/dev/fd']

function judge(pattern: string, scene: Scene): Harm | undefined {
  const path = withoutWide(pattern)
  if (path === '/' || mayBePath(path, '/')) return 'root'
  const isMarked = hasMarks(path)
  if (mayHold(path, scene.home)) return 'home'
  if (mayHold(path, scene.workspace)) return 'workspace'
  if (isWithin(path, scene.workspace)) return insideHarm(path, scene.workspace)
  const temporary = temporaryFolders.find((folder) => isWithin(path, folder))
  const isOfHome = scene.home !== temporary && isWithin(path, scene.home) // a home can be in a temporary folder
  if (temporary !== undefined && !isOfHome)
    return path === temporary ? 'temporary' : hasFreeText(path) ? 'unknown' : undefined
  if (/^\/(?:home|Users)\/[^/]+$/.test(path)) return 'home'
  return isMarked && mayHold(path, '/etc') ? 'root' : 'outside'
}

function insideHarm(path: string, workspace: string): Harm | undefined {
  const parts = path.slice(workspace === '/' ? 1 : workspace.length + 1).split('/')
  if (parts.includes('.git')) return 'history'
  const [first = ''] = parts
  if (!first.includes('\uE007') && mayBePath(`/${first}`, '/.git')) return isNarrow(first) ? 'history' : 'workspace'
  return hasFreeText(path) ? 'unknown' : undefined
}

/** The path without the globs at its end: `x/*` and `x/**` delete what `x` holds. */
function withoutWide(pattern: string): string {
  let path = pattern
  while (path !== '' && path !== '/') {
    const last = path.slice(path.lastIndexOf('/') + 1)
    if (!/[\uE003\uE004\uE007]/.test(last) || isNarrow(last)) break
    path = path.slice(0, path.lastIndexOf('/'))
  }
  return path === '' ? '/' : path
}

function isClimbing(path: string): boolean {
  return path === '.' || path === './' || path.split('/').includes('..')
}
