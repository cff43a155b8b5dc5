// Decides whether a shell command changes nothing, from its analysis.
// Guarantees: programs and options that are not listed here count as a change, and so does everything that is unknown.
import path from 'node:path'
import { isInside } from '../../host/files/resolve-path.ts'
import type { CommandAnalysis, ShellWord, SimpleCommand } from '../shell/model/command-analysis.ts'

/** Programs that change nothing whatever their words are. */
const readers: ReadonlySet<string> = new Set(
  `cat head tail wc ls pwd echo printf true false test [ : stat du df basename dirname realpath readlink cut tr nl tac rev paste
  comm cmp diff strings od hexdump md5sum sha1sum sha256sum sha512sum cksum which whereis type whoami id uname nproc seq expr
  jq column fold fmt grep egrep fgrep zcat ps printenv cd pushd popd let sleep wait exit return break continue local`.split(
    /\s+/,
  ),
)

/** Programs that change nothing with these words. A word that is not known, or may become an option, is a change. */
const careful: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  rg: (args) => !args.some((word) => /^--(?:pre|hostname-bin)/.test(word)),
  find: (args) => !args.some((word) => /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/.test(word)),
  fd: (args) => !args.some((word) => /^(?:-\w*[xX]|--exec)/.test(word)),
  sort: (args) => !args.some((word) => /^(?:-\w*[oT]|--(?:o|c|t))/.test(word)),
  uniq: (args) => !args.includes('--') && args.filter((word) => word === '-' || !word.startsWith('-')).length <= 1,
  tree: (args) => !args.some((word) => /^-\w*[oR]/.test(word)),
  file: (args) => !args.some((word) => /^(?:-\w*C|--co)/.test(word)),
  date: (args) => !args.some((word) => /^(?:-\w*s|--s|[^+-])/.test(word)),
  sed: (args) => args[0] === '-n' && /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/.test(args[1] ?? '') && areOperands(args.slice(2)),
  command: (args) => args[0] === '-v' || args[0] === '-V',
  git: isReadOnlyGit,
  ...Object.fromEntries(
    'node npm pnpm yarn python python3 go cargo rustc ruby java docker tsc deno bun uv pip pip3 make cmake gcc clang'
      .split(' ')
      .map((name) => [name, printsVersion]),
  ),
  ...Object.fromEntries('npm go cargo docker'.split(' ').map((name) => [name, printsVersionByWord])),
}

/** Absolute. */
export interface CommandFolders {
  readonly cwd: string
  readonly workspace: string
}

/**
 * Why the command may change something; undefined if it only reads. Continues a sentence.
 * git may run in the workspace and above it: other repositories have configurations of others.
 */
export function readOnlyProblem(analysis: CommandAnalysis, folders: CommandFolders): string | undefined {
  const { commands, classes, unknowns, writes, assigned } = analysis
  const [unknown] = unknowns
  if (unknown !== undefined) return `${unknown.text} is not certain`
  const [found] = classes
  if (found !== undefined) return `${found.command} ${found.why}`
  const [file] = writes
  if (file !== undefined) return `it changes ${file}`
  const variable = assigned.find((name) => !/^[a-z_][a-z0-9_]*$/.test(name) || /proxy/.test(name))
  if (variable !== undefined) return `it sets ${variable}`
  const changing = commands.find((command) => !isReadOnly(command))
  if (changing !== undefined) return `${textOf(changing)} is not known as read-only`
  const elsewhere = otherRepository(commands, folders)
  if (elsewhere === undefined) return undefined
  return `git obeys the configuration of ${elsewhere}, which may run programs; name the path instead: git log -- PATH`
}

/**
 * Where git would look for another repository than that of the workspace. A folder above the workspace is the user's
 * own. The order of the commands does not matter: a loop comes back.
 */
function otherRepository(commands: readonly SimpleCommand[], { cwd, workspace }: CommandFolders): string | undefined {
  const gits = commands.map(({ words }) => words).filter(([program]) => nameOf(program?.value ?? '') === 'git')
  if (gits.length === 0) return undefined
  const moves = commands
    .map(({ words }) => words)
    .filter(([program]) => /^(?:cd|pushd|popd)$/.test(program?.value ?? ''))
  const targets = [
    ...moves.map(([, ...args]) => args.find(({ text }) => !/^-[LPe@n]*$/.test(text) || text === '-')),
    ...gits.flatMap((words) => words.filter((_, at) => words[at - 1]?.value === '-C')),
  ]
  const isOwn = (value = '~'): boolean =>
    !/^[-+~]/.test(value) && !leavesName(value) && isInside(workspace, path.resolve(cwd, value))
  if (!isOwn('.')) return cwd
  const other = targets.findIndex((word) => word === undefined || !isOwn(word.value))
  return other < 0 ? undefined : (targets[other]?.text ?? 'another folder')
}

/** `..` behind a name, which may be a link: git leaves the folder to which that leads. */
function leavesName(value: string): boolean {
  const parts = value.split('/')
  const named = parts.findIndex((part) => !/^\.{0,2}$/.test(part))
  return named >= 0 && parts.lastIndexOf('..') > named
}

const nameOf = (program: string): string => program.replace(/^\/(?:usr\/)?bin\//, '')

function isReadOnly({ words, assignments, redirections }: SimpleCommand): boolean {
  const isWriting = redirections.some(
    ({ mode, target }) => (mode === 'write' || mode === 'both') && !harmlessTargets.has(target?.value ?? ''),
  )
  if (isWriting) return false
  const [program, ...args] = words
  if (program === undefined) return true
  if (assignments.length > 0 || program.value === undefined) return false
  const name = nameOf(program.value)
  if (readers.has(name)) return true
  const isSafe = Object.hasOwn(careful, name) ? careful[name] : undefined
  return isSafe !== undefined && args.every(isCertain) && isSafe(args.map(({ value, text }) => value ?? text))
}

const harmlessTargets: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/tty'])

/** False for a word that may become an option: an unknown one, or a glob that can match a name with a leading dash. */
function isCertain({ value, text, isGlob = false }: ShellWord): boolean {
  return value !== undefined || (isGlob && /^[\w./]/.test(text))
}

function areOperands(words: readonly string[]): boolean {
  return words.every((word) => !word.startsWith('-'))
}

function printsVersion(args: readonly string[]): boolean {
  return args.length === 1 && /^(?:--version|-v|-V)$/.test(args[0] ?? '')
}

/** To other programs, `version` is a target, a script or a file that they run. */
function printsVersionByWord(args: readonly string[]): boolean {
  return printsVersion(args) || args.join(' ') === 'version'
}

const readingVerbs: ReadonlySet<string> = new Set(
  `status log diff show blame ls-files ls-tree rev-parse describe shortlog cat-file rev-list name-rev merge-base for-each-ref
  whatchanged show-ref count-objects check-ignore cherry grep`.split(/\s+/),
)

/** Global options that run nothing may precede the verb. */
function isReadOnlyGit(args: readonly string[]): boolean {
  let at = 0
  while (args[at]?.startsWith('-') === true) {
    if (args[at] === '-C') at += 2
    else if (['--no-pager', '-P', '--no-optional-locks', '--version'].includes(args[at] ?? '')) at += 1
    else return false
  }
  const verb = args[at]
  const rest = args.slice(at + 1)
  if (verb === undefined) return true
  if (readingVerbs.has(verb)) return !rest.some((word) => /^(?:--(?:ou|ext|op|textc)|-\w*O)/.test(word)) // --output, --ext-diff, --open-files-in-pager
  const lists = verbsThatList[verb]
  return lists !== undefined && lists(rest)
}

const verbsThatList: Readonly<Partial<Record<string, (rest: readonly string[]) => boolean>>> = {
  branch: (rest) => rest.every((word) => /^(?:-[arv]{1,3}|--(?:all|remotes|list|verbose|show-current))$/.test(word)),
  tag: (rest) => rest.length === 0 || (/^(?:-l|--list)$/.test(rest[0] ?? '') && areOperands(rest.slice(1))),
  remote: (rest) => rest.length === 0 || (rest.length === 1 && /^(?:-v|--verbose)$/.test(rest[0] ?? '')),
  stash: (rest) => (rest[0] === 'list' || rest[0] === 'show') && !rest.some((word) => /^--(?:ou|ext|textc)/.test(word)),
  config: (rest) => /^(?:-l|--list|--get|--get-all|get|list)$/.test(rest[0] ?? ''),
  worktree: (rest) => rest[0] === 'list',
  reflog: (rest) => rest.length === 0 || (rest[0] === 'show' && !rest.some((word) => /^--(?:ou|ext|textc)/.test(word))),
  version: () => true,
}

function textOf({ words }: SimpleCommand): string {
  const text = words.map((word) => word.text).join(' ')
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
