// Runs one expanded call: aliases, functions, builtins, classes, effects, and wrapped commands.
import { assignmentFindings } from '../classes/assignment-classes.ts'
import { classify } from '../classes/classify.ts'
import { reportEffects } from '../effects/file-effects.ts'
import type { Evaluator, Frame, Invocation } from '../model/evaluator.ts'
import { basename } from '../model/path-patterns.ts'
import type { ShellState } from '../model/shell-state.ts'
import { hasMarks, networkText, quotedWord, withEmptyUnknowns, wordText } from '../model/word-marks.ts'
import { runBuiltin } from './run-builtin.ts'
import { runNested } from './run-nested.ts'

/** Evaluates a call whose words are expanded already. */
export function runInvocation(run: Evaluator, invocation: Invocation, state: ShellState, frame: Frame): void {
  if (!run.spend()) return
  run.record(invocation, frame, state)
  for (const { name } of invocation.assignments) run.assign(name)
  assignmentFindings(run, invocation, state, frame)
  const [name] = invocation.words
  if (name === undefined) {
    classify(run, invocation, state, frame)
    reportEffects(run, invocation, state)
    return
  }
  if (!isKnownName(run, name, invocation, state, frame)) {
    reportEffects(run, invocation, state)
    return
  }
  const alias = state.aliases.get(name)
  if (alias !== undefined && !frame.calls.includes(`alias ${name}`)) {
    const text = [alias, ...invocation.words.slice(1).map(quotedWord)].join(' ')
    run.runText(text, state, { ...frame, calls: [...frame.calls, `alias ${name}`], depth: frame.depth + 1 })
  }
  const body = state.functions.get(name)
  if (body !== undefined) {
    reportEffects(run, { ...invocation, words: [] }, state)
    callFunction(run, name, invocation, state, frame)
    return
  }
  runBuiltin(run, invocation, state, frame)
  classify(run, invocation, state, frame)
  reportEffects(run, invocation, state)
  runNested(run, invocation, state, frame)
}

/** Reports a command name that is not certain, and runs the name that remains if its unknown parts are empty. */
function isKnownName(run: Evaluator, name: string, invocation: Invocation, state: ShellState, frame: Frame): boolean {
  if (name.includes(networkText)) run.find('pipe_to_shell', invocation, 'runs what it downloads')
  if (hasMarks(name)) {
    run.unknown('command', wordText(name), 'the name of the program is not known before the command runs')
    const emptied = withEmptyUnknowns(name)
    if (/[a-z]/i.test(emptied) && !hasMarks(emptied) && frame.depth < maxCallDepth)
      runInvocation(run, { ...invocation, words: [emptied, ...invocation.words.slice(1)] }, state, {
        ...frame,
        depth: frame.depth + 1,
      })
    return false
  }
  if (!/^[\x21-\x7E]+$/.test(basename(name))) {
    run.unknown('command', name, 'the name of the program has characters that look like others or cannot be seen')
    return false
  }
  return true
}

function callFunction(run: Evaluator, name: string, call: Invocation, state: ShellState, frame: Frame): void {
  run.called.add(name)
  const body = state.functions.get(name)
  if (frame.calls.includes(name) && frame.spawns) {
    run.find('fork_bomb', call, 'a function that starts itself again and again')
  }
  if (body !== undefined && frame.bodies.includes(body)) return
  if (body === undefined || frame.depth >= maxCallDepth) {
    run.unknown('limit', name, 'functions call one another too deeply')
    return
  }
  const outer = state.positional
  state.positional = call.words.slice(1)
  run.runFunction(name, body, state, {
    ...frame,
    calls: [...frame.calls, name],
    bodies: [...frame.bodies, body],
    depth: frame.depth + 1,
  })
  state.positional = outer
}

const maxCallDepth = 16
