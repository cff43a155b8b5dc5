// Runs the commands that a call wraps: behind `sudo`, in texts, in files, and on standard input.
import { inlineCodeFindings } from '../code/inline-code.ts'
import type { Evaluator, Frame, Invocation } from '../model/evaluator.ts'
import { optionValue } from '../model/option-value.ts'
import { enteredFolder, programName } from '../model/path-patterns.ts'
import { childState, copyState } from '../model/shell-state.ts'
import type { ShellState } from '../model/shell-state.ts'
import { networkText, rawText, wordSource } from '../model/word-marks.ts'
import { containerOf } from './container-mounts.ts'
import type { ContainerEntry } from './container-mounts.ts'
import { runFd, runFind, runParallel, runXargs } from './run-batches.ts'
import { runShell, runSource, runWrittenFile } from './run-shell.ts'
import { unwrap } from './skip-options.ts'
import type { Unwrapped } from './skip-options.ts'
import { nestedTexts } from './nested-texts.ts'
import { noteFiles } from './note-files.ts'
import { interpreterName, interpreters } from '../code/interpreters.ts'
import { composeSpec, shells, wrappers } from './wrapper-table.ts'
import type { WrapperSpec } from './wrapper-table.ts'

const maxDepth = 16
/** These run the command in the same shell: what it changes stays. */
const sameShell = new Set(['command', 'builtin', 'exec', 'time'])

type Runner = (run: Evaluator, invocation: Invocation, state: ShellState, frame: Frame) => void

/** By program: those that run commands in a way of their own. */
const runners: ReadonlyMap<string, Runner> = new Map([
  ['source', runSource],
  ['.', runSource],
  ['xargs', runXargs],
  ['parallel', runParallel],
  ['find', runFind],
  ['fd', runFd],
  ['fdfind', runFd],
])

/** Runs everything that the call makes a shell or another program run; does nothing for a call that wraps nothing. */
export function runNested(run: Evaluator, invocation: Invocation, state: ShellState, outer: Frame): void {
  const [name = '', ...args] = invocation.words
  const program = programName(name)
  if (outer.depth >= maxDepth) {
    run.unknown('limit', name, 'commands wrap one another too deeply')
    return
  }
  const context = [...new Set([...outer.context, 'nested' as const])]
  const frame: Frame = { ...outer, context, wrapper: program, depth: outer.depth + 1 }
  noteFiles(invocation, state, outer.stdin)
  if (shells.has(program)) {
    runShell(run, invocation, state, frame)
    return
  }
  if (program === 'eval') {
    runShellText(run, args.map(wordSource).join(' '), state, frame, invocation)
    return
  }
  const runner = runners.get(program)
  if (runner !== undefined) {
    runner(run, invocation, state, frame)
    return
  }
  if (interpreters.has(interpreterName(program))) inlineCodeFindings(run, invocation, state, frame)
  if (name.includes('/') && runWrittenFile(run, invocation, state, frame)) return
  if (/^(?:iex|invoke-expression)$/i.test(program) && outer.stdin?.includes(networkText) === true)
    run.find('pipe_to_shell', invocation, 'runs what it downloads')
  const wraps = Object.hasOwn(wrappers, program)
  for (const { text, isRemote, isGuess } of nestedTexts(program, args, outer.stdin, state, wraps)) {
    const child = childState(state, [])
    if (isGuess === true) run.runGuess(text, child, frame)
    else runShellText(run, text, isRemote ? remote(child) : child, frame, invocation)
  }
  runWrapped(run, invocation, state, frame)
}

/** Text that a shell reads: unknown parts are reported, the rest is analysed. */
function runShellText(run: Evaluator, text: string, state: ShellState, frame: Frame, invocation: Invocation): void {
  if (text.includes(networkText)) run.find('pipe_to_shell', invocation, 'runs what it downloads')
  if (text.includes(rawText)) run.find('reverse_shell', invocation, 'runs what another machine sends')
  run.runText(text, state, frame)
}

function runWrapped(run: Evaluator, invocation: Invocation, state: ShellState, frame: Frame): void {
  const [name = '', ...args] = invocation.words
  const program = programName(name)
  const isLoader = /^ld(?:-linux|-musl|64|\.so)/.test(program)
  const spec = isLoader ? {} : Object.hasOwn(wrappers, program) ? wrappers[program] : undefined
  if (spec === undefined || (program === 'command' && /^-[vV]/.test(args[0] ?? ''))) return
  if (program === 'env') {
    const text = splitText(args)
    if (text !== undefined) {
      run.runText(wordSource(text), childState(state, []), frame)
      return
    }
  }
  const inner = unwrapAny(program, spec, args)
  if (inner === undefined) {
    // Without a command, `ssh` runs a shell that reads the input.
    const [host] = /^(?:ssh|mosh)$/.test(program) ? args.filter((word) => !word.startsWith('-')) : []
    if (host !== undefined && frame.stdin !== undefined)
      runShellText(run, frame.stdin, remote(copyState(state)), frame, invocation)
    return
  }
  const own = sameShell.has(program) ? state : copyState(state)
  const folder = /^(?:env|sudo)$/.test(program)
    ? chosenFolder(program, args.slice(0, args.length - inner.words.length))
    : undefined
  if (folder !== undefined) own.cwds = own.cwds?.map((cwd) => enteredFolder(folder, cwd, true))
  for (const { name: variable, value } of inner.assignments) {
    own.variables.set(variable, value)
    own.exported.add(variable)
  }
  for (const { name: variable, value } of invocation.assignments) {
    if (own !== state) own.variables.set(variable, value)
    own.exported.add(variable)
  }
  const target = spec.isRemote === true ? remote(own, containerOf(program, args, inner.words, own)) : own
  if (spec.isTexts === true) {
    for (const text of inner.words)
      if (!text.startsWith('-')) runShellText(run, wordSource(text), copyState(target), frame, invocation)
    return
  }
  if (spec.isText === true && inner.words.length > 0) {
    runShellText(run, inner.words.map(wordSource).join(' '), target, frame, invocation)
    return
  }
  const redirections = sameShell.has(program) ? [] : invocation.redirections
  run.runInvocation({ words: inner.words, assignments: inner.assignments, redirections }, target, frame)
}

/** Programs of packages that `yarn` and `pnpm` run by their name. */
const packagePrograms =
  /^(?:rimraf|del-cli|shx|changeset|lerna|np|release-it|semantic-release|vsce|wrangler|vercel|netlify|firebase|cdk|sls|serverless|kill-port|fkill|http-server|serve|live-server|cross-env|concurrently|nodemon|vite|next|ng)$/

/** `docker compose exec` is `docker-compose exec`; `kubectl exec POD command` works without `--`, too. */
function unwrapAny(program: string, spec: WrapperSpec, args: readonly string[]): Unwrapped | undefined {
  if (/^(?:yarn|pnpm|bun)$/.test(program) && packagePrograms.test(args[0] ?? ''))
    return { words: args, assignments: [] }
  const at = args.findIndex((word) => /^(?:-c|--command)$/.test(word))
  if (program === 'nix' && at > 0) return { words: args.slice(at + 1), assignments: [] }
  if (program === 'ip') {
    const verb = args.findIndex((word, index) => word === 'exec' && /^(?:netns|vrf)$/.test(args[index - 1] ?? ''))
    // With `-all` the command runs in every name space, and no name stands before it.
    return verb < 0
      ? undefined
      : unwrap({ operands: args.slice(0, verb).some((word) => /^-a(?:ll)?$/.test(word)) ? 0 : 1 }, args.slice(verb + 1))
  }
  if (args[0] === 'compose' && /^(?:docker|podman|nerdctl)$/.test(program)) {
    const verb = args.findIndex((word) => /^(?:exec|run)$/.test(word))
    return verb < 0 ? undefined : unwrap(composeSpec, args.slice(verb))
  }
  if (program === 'cmake') return cmakeCommand(args)
  const entry = spec.isRemote === true && args[0] === 'run' ? optionValue(args, ['--entrypoint']) : undefined
  if (entry !== undefined) {
    const image = unwrap({ ...spec, operands: 0 }, args)
    return image && { words: [entry, ...image.words.slice(1)], assignments: [] }
  }
  const { afterDashes: _, ...plain } = spec
  const isBare = program === 'kubectl' && args[0] === 'exec' && !args.includes('--')
  return unwrap(isBare ? { ...plain, short: 'cn', long: ['--container', '--namespace'], operands: 1 } : spec, args)
}

/** `cmake -E rm -rf x`, `cmake -E env A=1 x`. */
function cmakeCommand(args: readonly string[]): Unwrapped | undefined {
  const [option, verb = '', ...rest] = args
  if (option !== '-E') return undefined
  if (verb === 'env' || verb === 'time') return unwrap({ assigns: true }, rest)
  const words = { rm: ['rm'], remove: ['rm', '-f'], remove_directory: ['rm', '-rf'] }[verb]
  return words && { words: [...words, ...rest], assignments: [] }
}

/** `env -C FOLDER`, `sudo -D FOLDER`. */
function chosenFolder(program: string, options: readonly string[]): string | undefined {
  return optionValue(options, [program === 'env' ? '-C' : '-D', '--chdir'])
}

/** The words of `env -S`, joined or as the next word, and those after it. */
function splitText(args: readonly string[]): string | undefined {
  const at = args.findIndex((word) => /^-[a-zA-Z0]*S/.test(word) || word.startsWith('--split-string'))
  const option = args[at]
  if (option === undefined) return undefined
  const joined = option.replace(/^(?:-[a-zA-Z0]*S|--split-string=?)/, '')
  const rest = args.slice(joined === '' ? at + 2 : at + 1)
  return [joined === '' ? (args[at + 1] ?? '') : joined, ...rest].join(' ')
}

/** Another machine: folders and files are not this one's. */
function remote(state: ShellState, entry?: ContainerEntry): ShellState {
  const { container, cwd } = entry ?? {}
  return {
    ...copyState(state),
    isRemote: true,
    cwds: cwd === undefined ? undefined : [cwd],
    ...(container !== undefined && { container }),
  }
}
