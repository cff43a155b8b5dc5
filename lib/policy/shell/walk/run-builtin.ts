// Simulates the builtins that change the shell's state: `cd`, `export`, `set`, `read` and their like.
import type { Evaluator, Frame, Invocation } from '../model/evaluator.ts'
import { printed } from '../expand/print-output.ts'
import { enteredFolder, resolvePattern } from '../model/path-patterns.ts'
import type { ShellState } from '../model/shell-state.ts'
import { anyText, hasUnknown, networkText, rawText, withGlobs, wordSource } from '../model/word-marks.ts'

type Builtin = (args: readonly string[], state: ShellState, frame: Frame, run: Evaluator) => void

const builtins: Readonly<Record<string, Builtin>> = {
  cd: changeFolder,
  pushd: changeFolder,
  popd: (_, state) => void (state.cwds = undefined),
  export: declare,
  declare: declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  unset: (args, state) => {
    for (const name of args) state.variables.set(name, '')
    for (const name of args) state.functions.delete(name)
  },
  read: (args, state, frame, run) => {
    const value = networkPart(frame.stdin) ?? lineOf(frame.stdin)
    for (const name of args.filter((word) => !word.startsWith('-'))) assign(run, state, name, value)
    state.variables.set('REPLY', value)
  },
  mapfile: (args, state, _frame, run) => assign(run, state, args.at(-1) ?? 'MAPFILE', [anyText]),
  readarray: (args, state, _frame, run) => assign(run, state, args.at(-1) ?? 'MAPFILE', [anyText]),
  getopts: (args, state, _frame, run) => assign(run, state, args[1] ?? 'OPTARG', anyText),
  let: (args, state, _frame, run) => {
    for (const word of args) assign(run, state, /^\w+/.exec(word)?.[0] ?? '_', anyText)
  },
  printf: (args, state, _frame, run) => {
    if (args[0] === '-v' && args[1] !== undefined) assign(run, state, args[1], printed(args.slice(2)))
  },
  set: (args, state) => {
    if (args.some((word) => /^-\w*e/.test(word)) || args.includes('errexit')) state.stopsOnError = args[0] !== '+o'
    if (args.some((word) => /^\+\w*e/.test(word))) state.stopsOnError = false
    state.isPhysical ||= args.some((word) => /^-\w*P/.test(word)) || args.includes('physical')
    const dashes = args.indexOf('--')
    if (dashes >= 0) state.positional = args.slice(dashes + 1)
    else if (args[0] !== undefined && !/^[-+]/.test(args[0])) state.positional = args
  },
  shift: (args, state) => {
    const count = Number(args[0] ?? '1')
    state.positional = Number.isInteger(count) ? state.positional?.slice(count) : undefined
  },
  alias: (args, state) => {
    for (const word of args) {
      const equals = word.indexOf('=')
      if (equals > 0) state.aliases.set(word.slice(0, equals), wordSource(word.slice(equals + 1)))
    }
  },
  unalias: (args, state) => {
    for (const name of args) state.aliases.delete(name)
  },
  trap: (args, state, frame, run) => {
    const [text] = args.filter((word) => word !== '--' && !/^-[lp]$/.test(word))
    if (text !== undefined && args.length > 1 && text !== '-' && text !== '') run.traps.push({ text, state, frame })
  },
  enable: (_args, _state, _frame, run) => run.unknown('syntax', 'enable', 'changes which builtins the shell has'),
}

/** A builtin chooses the variable as an assignment does: `printf -v PATH …` changes which programs run. */
function assign(run: Evaluator, state: ShellState, name: string, value: string | string[]): void {
  run.assign(name)
  state.variables.set(name, value)
}

/** Applies the builtin, if it is one; the call may still be classified. */
export function runBuiltin(run: Evaluator, { words }: Invocation, state: ShellState, frame: Frame): void {
  const [name = '', ...args] = words
  if (Object.hasOwn(builtins, name)) builtins[name]?.(args, state, frame, run)
}

function changeFolder(args: readonly string[], state: ShellState, _frame: Frame, run: Evaluator): void {
  const target = args.find((word) => !/^-[LPe@n]+$/.test(word) && word !== '--')
  const before = state.cwds
  const isPhysical = state.isPhysical || args.some((word) => /^-[Le@n]*P/.test(word))
  if (target === undefined) state.cwds = [run.scene.home]
  else if (target === '-' || hasUnknown(target) || before === undefined || target.startsWith('+')) {
    state.cwds =
      target.startsWith('/') && !hasUnknown(target) ? [resolvePattern(target, '/')] : folderIfSafe(target, before)
  } else state.cwds = before.map((cwd) => enteredFolder(target, cwd, isPhysical))
  state.cwdsOnFailure = before
}

/** Names without slashes leave the shell in a folder below the current one; anything else is unknown. */
function folderIfSafe(target: string, before: readonly string[] | undefined): readonly string[] | undefined {
  if (/[\uE000\uE001\uE005]/.test(target) || target === '-') return undefined
  if (target.startsWith('/')) return [resolvePattern(target, '/')]
  return before?.map((cwd) => resolvePattern(target, cwd))
}

function declare(args: readonly string[], state: ShellState, _frame: Frame, run: Evaluator): void {
  const isReference = args.some((word) => /^-\w*n/.test(word)) && args.some((word) => word.includes('='))
  for (const word of args) {
    if (word.startsWith('-')) continue
    const equals = word.indexOf('=')
    const name = (equals < 0 ? word : word.slice(0, equals)).replace(/\+$/, '')
    if (!/^[A-Za-z_]\w*$/.test(name)) continue
    state.exported.add(name)
    run.assign(name)
    const isList = typeof state.variables.get(name) === 'object'
    if (equals >= 0 && !isList) state.variables.set(name, isReference ? anyText : word.slice(equals + 1))
  }
}

/** The value that `read` gets from downloaded text. */
function networkPart(stdin: string | undefined): string | undefined {
  if (stdin?.includes(networkText) !== true) return undefined
  return stdin.includes(rawText) ? `${networkText}${rawText}` : networkText
}

/** The line that `read` takes, if the input is one known line. */
function lineOf(stdin: string | undefined): string {
  if (stdin === undefined) return anyText
  const text = stdin.trimEnd()
  return text.includes('\n') ? anyText : text
}

/** Splits text into the words that `xargs` would pass on. */
export function inputWords(stdin: string): readonly string[] {
  return withGlobs(stdin)
    .split(/\s+/)
    .filter((word) => word !== '')
}
