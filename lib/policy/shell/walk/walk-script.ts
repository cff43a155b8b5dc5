// Walks the syntax tree of a command text in the order in which bash would run it.
// Guarantees: branches that may not run are walked too; their effects on variables count as possible.
import { forEachChild } from 'unbash'
import type {
  AndOr,
  Command,
  CommandNode,
  CompoundCommand,
  CompoundList,
  Pipeline,
  PipelineNode,
  Redirected,
  Statement,
} from 'unbash'
import type { CommandContext } from '../model/command-analysis.ts'
import type { Evaluator, Frame } from '../model/evaluator.ts'
import { acceptFailedMove, copyState, mergeStates, unionOfFolders } from '../model/shell-state.ts'
import type { FunctionBody, ShellState } from '../model/shell-state.ts'
import { anyText } from '../model/word-marks.ts'
import { expandRedirections, expandSimple, redirectedInput, scopeFor, storeOutput } from './expand-command.ts'
import { expandText, expandWord, runSubstitutions } from '../expand/expand-word.ts'
import { commandOutput } from '../expand/command-output.ts'
import { assignedIn, evaluatedWords, isEndlessBody, joinOutputs, leavesShell } from './syntax-facts.ts'
import { hiddenCommandReason, hidesCommand } from '../model/hidden-command.ts'

type Compound<Kind extends CompoundCommand['type']> = Extract<CompoundCommand, { type: Kind }>

/** Walks statements one after another; returns what they print, with marks. */
export function walkStatements(
  run: Evaluator,
  statements: readonly Statement[],
  state: ShellState,
  frame: Frame,
): string {
  let output = ''
  for (const statement of statements) output = joinOutputs(output, walkStatement(run, statement, state, frame))
  return output
}

function walkStatement(run: Evaluator, statement: Statement, state: ShellState, frame: Frame): string {
  if (!run.spend()) return anyText
  const isBackground = statement.background === true
  const inner = isBackground ? within(frame, 'background') : frame
  const output = walkList(run, statement.command, isBackground ? copyState(state) : state, inner)
  acceptFailedMove(state)
  return output
}

function walkList(run: Evaluator, node: PipelineNode | AndOr, state: ShellState, frame: Frame): string {
  if (node.type !== 'AndOr') return walkPipeline(run, node, state, frame)
  let output = ''
  let skipped: readonly string[] = [] // the folders, if a `cd` in front of `&&` failed
  node.commands.forEach((command, index) => {
    const operator = index === 0 ? undefined : node.operators[index - 1]
    if (operator === '&&') {
      skipped = [...skipped, ...(state.cwdsOnFailure ?? [])]
      state.cwdsOnFailure = undefined
    }
    if (operator === '||') {
      const isExit = leavesShell(command)
      const failed = copyState(state)
      failed.cwds = unionOfFolders(state.cwdsOnFailure ?? state.cwds, skipped)
      failed.cwdsOnFailure = undefined
      skipped = []
      const text = walkPipeline(run, command, failed, within(frame, 'condition'))
      if (isExit) state.cwdsOnFailure = undefined
      else mergeStates(state, failed)
      output = joinOutputs(output, text)
    } else {
      output = joinOutputs(output, walkPipeline(run, command, state, index === 0 ? frame : within(frame, 'condition')))
    }
  })
  state.cwds = unionOfFolders(state.cwds, skipped)
  return output
}

function walkPipeline(run: Evaluator, node: PipelineNode, state: ShellState, frame: Frame): string {
  if (node.type !== 'Pipeline') return walkCommand(run, node, state, frame)
  return node.commands.length === 1
    ? walkPiped(run, node, state, frame, state)
    : walkPiped(run, node, state, within(frame, 'pipe'))
}

function walkPiped(run: Evaluator, node: Pipeline, state: ShellState, frame: Frame, own?: ShellState): string {
  let stdin = frame.stdin
  for (const command of node.commands) {
    const { stdin: _, ...rest } = frame
    stdin = walkCommand(run, command, own ?? copyState(state), stdin === undefined ? rest : { ...rest, stdin })
  }
  return stdin ?? ''
}

/** Walks a command and returns its output with marks. */
function walkCommand(run: Evaluator, node: CommandNode | CompoundList, state: ShellState, frame: Frame): string {
  switch (node.type) {
    case 'Command':
      return walkSimple(run, node, state, frame)
    case 'Redirected':
      return walkRedirected(run, node, state, frame)
    case 'Function':
      state.functions.set(node.name.value, node.body)
      return ''
    case 'Coproc':
      return walkCommand(run, node.body, copyState(state), within(frame, 'background'))
    default:
      return walkCompound(run, node, state, frame)
  }
}

function walkSimple(run: Evaluator, node: Command, state: ShellState, frame: Frame): string {
  const invocation = expandSimple(run, node, state, frame)
  const stdin = redirectedInput(invocation.redirections, state) ?? frame.stdin
  const output = invocation.words.length === 0 ? '' : commandOutput(invocation.words, stdin, state)
  run.runInvocation(invocation, state, stdin === undefined ? frame : { ...frame, stdin })
  return storeOutput(invocation.redirections, output, state)
}

function walkRedirected(run: Evaluator, node: Redirected, state: ShellState, frame: Frame): string {
  const redirections = expandRedirections(run, node.redirects, state, frame)
  run.runInvocation({ words: [], assignments: [], redirections }, state, frame)
  const stdin = redirectedInput(redirections, state) ?? frame.stdin
  const output = walkCommand(run, node.command, state, stdin === undefined ? frame : { ...frame, stdin })
  return storeOutput(redirections, output, state)
}

function walkCompound(run: Evaluator, node: CompoundCommand | CompoundList, state: ShellState, frame: Frame): string {
  switch (node.type) {
    case 'CompoundList':
      return walkStatements(run, node.commands, state, frame)
    case 'BraceGroup':
      return walkStatements(run, node.body.commands, state, frame)
    case 'Subshell':
      return walkStatements(run, node.body.commands, copyState(state), within(frame, 'subshell'))
    case 'If':
      return walkIf(run, node, state, frame)
    case 'Case':
      return walkCase(run, node, state, frame)
    case 'For':
    case 'Select':
      return walkFor(run, node, state, frame)
    case 'While':
    case 'ArithmeticFor':
      return walkLoop(run, node, state, frame)
    default:
      forEachChild(node, (child) => runSubstitutions(child, scopeFor(run, state, frame)))
      for (const word of evaluatedWords(node).filter(hidesCommand)) run.unknown('code', word, hiddenCommandReason)
      for (const name of assignedIn(node)) state.variables.set(name, anyText)
      return ''
  }
}

function walkIf(run: Evaluator, node: Compound<'If'>, state: ShellState, frame: Frame): string {
  const inner = within(frame, 'condition')
  let output = walkStatements(run, node.clause.commands, state, inner)
  const branches: ShellState[] = []
  const walkBranch = (list: CompoundList, from: ShellState): void => {
    const branch = copyState(from)
    output = joinOutputs(output, walkStatements(run, list.commands, branch, inner))
    branches.push(branch)
  }
  walkBranch(node.then, state)
  for (const { clause, then } of node.elif) {
    output = joinOutputs(output, walkStatements(run, clause.commands, state, inner))
    walkBranch(then, state)
  }
  if (node.else !== undefined) walkBranch(node.else, state)
  for (const branch of branches) mergeStates(state, branch)
  return output
}

function walkCase(run: Evaluator, node: Compound<'Case'>, state: ShellState, frame: Frame): string {
  const inner = within(frame, 'condition')
  const scope = scopeFor(run, state, frame)
  expandText(node.word, scope)
  let output = ''
  const branches = node.items.map((item) => {
    for (const pattern of item.pattern) expandText(pattern, scope)
    const branch = copyState(state)
    output = joinOutputs(output, walkStatements(run, item.body.commands, branch, inner))
    return branch
  })
  for (const branch of branches) mergeStates(state, branch)
  return output
}

/** A loop over words that are known is walked once for each of the first `maxValues`; then once for any value. */
const maxValues = 24

function walkFor(run: Evaluator, node: Compound<'For' | 'Select'>, state: ShellState, frame: Frame): string {
  const scope = scopeFor(run, state, frame)
  run.assign(node.name.value)
  const values =
    node.wordlist === undefined
      ? (state.positional ?? [anyText])
      : node.wordlist.flatMap((word) => expandWord(word, scope))
  const isWhole = node.type === 'For' && values.length <= maxValues
  const distinct = isWhole ? [...new Set(values)] : [anyText]
  const outputs = distinct.map((value) =>
    walkTurn(run, node.body.commands, state, frame, () => state.variables.set(node.name.value, value)),
  )
  return outputs.join('\n')
}

function walkLoop(run: Evaluator, node: Compound<'While' | 'ArithmeticFor'>, state: ShellState, frame: Frame): string {
  if (isEndlessBody(node)) {
    run.find(
      'fork_bomb',
      { words: ['while'], assignments: [], redirections: [] },
      'starts background processes in an endless loop',
    )
  }
  if (node.type === 'While') return walkTurn(run, [...node.clause.commands, ...node.body.commands], state, frame)
  forEachChild(node, (child) => child.type !== 'CompoundList' && runSubstitutions(child, scopeFor(run, state, frame)))
  for (const name of assignedIn(node)) state.variables.set(name, anyText)
  return walkTurn(run, node.body.commands, state, frame)
}

/**
 * Walks a turn of a loop, once more in an unknown folder if it leaves its own, as later turns do. What it assigns is
 * unknown in it and afterwards; folders that it leaves are unknown too.
 */
function walkTurn(
  run: Evaluator,
  statements: readonly Statement[],
  state: ShellState,
  frame: Frame,
  prepare?: () => unknown,
): string {
  for (const name of statements.flatMap((each) => [...assignedIn(each)])) state.variables.set(name, anyText)
  prepare?.()
  const before = state.cwds?.join('\0')
  const once = copyState(state)
  const output = walkStatements(run, statements, once, within(frame, 'loop'))
  mergeStates(state, once)
  if (once.cwds?.join('\0') === before) return output
  state.cwds = undefined
  walkStatements(run, statements, copyState(state), within(frame, 'loop'))
  return output
}

function within(frame: Frame, context: CommandContext): Frame {
  const spawns = frame.spawns || context === 'pipe' || context === 'background'
  return { ...frame, spawns, context: frame.context.includes(context) ? frame.context : [...frame.context, context] }
}

/** Walks the body of a function that is called. */
export function walkFunction(run: Evaluator, body: FunctionBody, state: ShellState, frame: Frame): string {
  return walkCommand(run, body, state, { ...within(frame, 'function'), spawns: false })
}
