// Expands a simple command of the syntax tree: assignments, words and redirections, in bash's order.
import type { ArrayValue, Assignment, Command, Redirection, Word } from 'unbash'
import type { Evaluator, Frame, Invocation, RunRedirection } from '../model/evaluator.ts'
import { resolvePattern } from '../model/path-patterns.ts'
import { fileContent } from '../expand/command-output.ts'
import { expandEvaluated, expandParts, expandText, expandWord } from '../expand/expand-word.ts'
import type { ExpandScope } from '../expand/expand-word.ts'
import { copyState } from '../model/shell-state.ts'
import type { ShellState } from '../model/shell-state.ts'
import { anyText, hasMarks, networkText, rawText, withoutMarks, wordSource } from '../model/word-marks.ts'

/** The functions of the evaluator that expansion calls. */
export function scopeFor(run: Evaluator, state: ShellState, frame: Frame): ExpandScope {
  const inner: Frame = { ...frame, context: [...new Set([...frame.context, 'substitution' as const])] }
  return {
    state,
    home: run.scene.home,
    substitute: (script) => run.outputOf(script, copyState(state), inner),
    openProcess: (part) => {
      const path = run.processPath()
      if (part.script === undefined) return anyText
      const isFed = part.operator === '>'
      const output = run.outputOf(part.script, copyState(state), isFed ? { ...inner, stdin: anyText } : inner)
      if (!isFed) state.files.set(path, output)
      return path
    },
    onLimit: (text) => run.unknown('limit', text, 'the shell makes more of this text than can be known'),
    spend: (words) => run.spend(Math.ceil(words / 16)),
  }
}

export function expandSimple(run: Evaluator, node: Command, state: ShellState, frame: Frame): Invocation {
  const scope = scopeFor(run, state, frame)
  const words = node.name === undefined ? [] : [...expandWord(node.name, scope)]
  for (const part of node.args) {
    words.push(...(part.type === 'Word' ? expandWord(part, scope) : [assignmentWord(part, scope)]))
  }
  const redirections = expandRedirections(run, node.redirects, state, frame)
  const assignments = node.prefix.flatMap((part) => {
    if (part.type !== 'Assignment') return []
    const assignment = assigned(part, scope)
    // Without a command the assignments stay in force, from left to right.
    if (words.length === 0 && part.value.type === 'Word') state.variables.set(assignment.name, assignment.value)
    return [assignment]
  })
  return { words, assignments, redirections }
}

/** An argument that reads like an assignment, such as in `export X=1`. */
function assignmentWord(part: Assignment, scope: ExpandScope): string {
  const { name, value } = assigned(part, scope, false)
  return `${name}${part.append === true ? '+' : ''}=${value}`
}

function assigned(part: Assignment, scope: ExpandScope, isStored = true): { name: string; value: string } {
  const { name, index, append } = part
  if (index !== undefined) expandEvaluated(index, scope)
  if (part.value.type === 'ArrayValue') {
    const list = elements(part.value, scope)
    if (isStored || /^[A-Za-z_]\w*$/.test(name)) {
      const before = scope.state.variables.get(name)
      const earlier = append === true && before !== undefined ? (typeof before === 'string' ? [before] : before) : []
      scope.state.variables.set(name, index === undefined ? [...earlier, ...list] : [anyText])
    }
    return { name, value: list[0] ?? '' }
  }
  const text = expandText(part.value, scope)
  const earlier = append === true ? scope.state.variables.get(name) : ''
  const value = typeof earlier === 'string' ? `${earlier}${text}` : anyText
  return { name, value: index === undefined ? value : anyText }
}

function elements(value: ArrayValue, scope: ExpandScope): readonly string[] {
  return value.elements.flatMap((word: Word) => expandWord(word, scope))
}

export function expandRedirections(
  run: Evaluator,
  redirects: readonly Redirection[],
  state: ShellState,
  frame: Frame,
): readonly RunRedirection[] {
  const scope = scopeFor(run, state, frame)
  return redirects.flatMap((redirect): RunRedirection[] => {
    const number = redirect.descriptor?.type === 'FileDescriptor' ? redirect.descriptor.value : undefined
    if (redirect.type === 'HereDoc') {
      const { parts, text } = redirect.body
      const isPlain = redirect.delimiter?.quoted === true || parts === undefined
      const body = isPlain ? withoutMarks(text) : expandParts(parts, scope)
      const lines = redirect.operator === '<<-' ? body.replaceAll('\n\t', '\n').replace(/^\t/, '') : body
      return [{ mode: 'text', target: undefined, descriptor: number ?? 0, text: lines }]
    }
    if (redirect.type === 'HereString') {
      const text = redirect.target === undefined ? '' : expandText(redirect.target, scope)
      return [{ mode: 'text', target: undefined, descriptor: number ?? 0, text: wordSource(text) }]
    }
    // braces are expanded and values split; bash takes the target if one word remains
    const targets: readonly (string | undefined)[] =
      redirect.target === undefined ? [undefined] : expandWord(redirect.target, scope)
    return (targets.length === 0 ? [''] : targets).map((target) => ({
      mode: modeOf(redirect.operator, target),
      target,
      descriptor: number ?? (redirect.operator.startsWith('<') ? 0 : 1),
    }))
  })
}

function modeOf(operator: string, target: string | undefined): RunRedirection['mode'] {
  if ((operator === '>&' || operator === '<&') && /^(?:\d+-?|-)$/.test(target ?? '')) return 'duplicate'
  if (operator === '<>') return 'both'
  return operator.startsWith('<') ? 'read' : 'write'
}

/** Text that redirections feed to standard input; undefined if they leave it. */
export function redirectedInput(redirections: readonly RunRedirection[], state: ShellState): string | undefined {
  const last = redirections.findLast(({ mode, descriptor }) => descriptor === 0 && mode !== 'write')
  if (last === undefined) return undefined
  if (last.mode === 'text') return last.text
  if (last.mode === 'duplicate' || last.target === undefined) return anyText
  if (/^\/dev\/(?:tcp|udp)\//.test(last.target)) return `${networkText}${rawText}`
  return last.target === '/dev/null' ? '' : (fileContent(last.target, state) ?? anyText)
}

/** Notes the output in the file that takes it; returns what still reaches the pipe. */
export function storeOutput(redirections: readonly RunRedirection[], output: string, state: ShellState): string {
  const files = redirections.filter(({ mode, descriptor }) => mode === 'write' && descriptor === 1)
  for (const { target } of files) {
    if (target === undefined || hasMarks(target)) continue
    for (const cwd of state.cwds ?? []) state.files.set(resolvePattern(target, cwd), output)
  }
  return files.length > 0 ? '' : output
}
