// Runs the commands that a call wraps: behind `sudo` and its like, in texts, in files, and on standard input.
import { inlineCodeFindings } from '../classes/inline-code.ts'
import type { Evaluator, Frame, Invocation } from '../model/evaluator.ts'
import { optionValue } from '../model/option-value.ts'
import { basename } from '../model/path-patterns.ts'
import { childState, copyState } from '../model/shell-state.ts'
import type { ShellState } from '../model/shell-state.ts'
import { networkText, wordSource } from '../model/word-marks.ts'
import { runFind, runParallel, runXargs } from './run-batches.ts'
import { runShell, runSource, runWrittenFile } from './run-shell.ts'
import { unwrap } from './skip-options.ts'
import { nestedTexts } from './nested-texts.ts'
import { noteFiles } from './note-files.ts'
import { interpreterName, interpreters } from '../classes/interpreters.ts'
import { shells, wrappers } from './wrapper-table.ts'

const maxDepth = 16
/** These run the command in the same shell: what it changes stays. */
const sameShell = new Set(['command', 'builtin', 'exec', 'time'])

export function runNested(run: Evaluator, invocation: Invocation, state: ShellState, outer: Frame): void {
  const [name = '', ...args] = invocation.words
  const program = basename(name)
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
  if (program === 'source' || program === '.') {
    runSource(run, invocation, state, frame)
    return
  }
  if (program === 'xargs') {
    runXargs(run, invocation, state, frame)
    return
  }
  if (program === 'parallel') {
    runParallel(run, invocation, state, frame)
    return
  }
  if (program === 'find') {
    runFind(run, invocation, state, frame)
    return
  }
  if (interpreters.has(interpreterName(program))) inlineCodeFindings(run, invocation, state, frame)
  if (name.includes('/') && runWrittenFile(run, invocation, state, frame)) return
  for (const { text, isRemote } of nestedTexts(program, args, outer.stdin)) {
    const child = childState(state, [])
    runShellText(run, text, isRemote ? remote(child) : child, frame, invocation)
  }
  runWrapped(run, invocation, state, frame)
}

/** Text that a shell reads: unknown parts are reported, the rest is analysed. */
function runShellText(run: Evaluator, text: string, state: ShellState, frame: Frame, invocation: Invocation): void {
  if (text.includes(networkText)) run.find('pipe_to_shell', invocation, 'runs what it downloads')
  run.runText(text, state, frame)
}

function runWrapped(run: Evaluator, invocation: Invocation, state: ShellState, frame: Frame): void {
  const [name = '', ...args] = invocation.words
  const program = basename(name)
  const isLoader = /^ld(?:-linux|-musl|64|\.so)/.test(program)
  const spec = isLoader ? {} : Object.hasOwn(wrappers, program) ? wrappers[program] : undefined
  if (spec === undefined || (program === 'command' && /^-[vV]/.test(args[0] ?? ''))) return
  if (program === 'env') {
    const text = optionValue(args, ['-S', '--split-string'])
    if (text !== undefined) {
      run.runText(wordSource(text), childState(state, []), frame)
      return
    }
  }
  const inner = unwrap(spec, args)
  if (inner === undefined) return
  const own = sameShell.has(program) ? state : copyState(state)
  for (const { name: variable, value } of inner.assignments) {
    own.variables.set(variable, value)
    own.exported.add(variable)
  }
  for (const { name: variable, value } of invocation.assignments) {
    if (own !== state) own.variables.set(variable, value)
    own.exported.add(variable)
  }
  const target = spec.isRemote === true ? remote(own) : own
  if (spec.isText === true && inner.words.length > 0) {
    runShellText(run, inner.words.map(wordSource).join(' '), target, frame, invocation)
    return
  }
  const redirections = sameShell.has(program) ? [] : invocation.redirections
  run.runInvocation({ words: inner.words, assignments: inner.assignments, redirections }, target, frame)
}

/** Another machine: folders and files are not this one's. */
function remote(state: ShellState): ShellState {
  return { ...copyState(state), isRemote: true, cwds: undefined }
}
