// Runs what a shell reads: the text of `-c`, a file that the command wrote, or its standard input.
import type { Evaluator, Frame, Invocation } from '../model/evaluator.ts'
import { fileContent } from '../expand/command-output.ts'
import { basename, programName } from '../model/path-patterns.ts'
import { childState } from '../model/shell-state.ts'
import type { ShellState } from '../model/shell-state.ts'
import { anyText, hasFreeText, hasUnknown, networkText, wordSource, wordText } from '../model/word-marks.ts'
import { decodedCommand, foreignFindings } from '../code/foreign-code.ts'
import { inlineCodeFindings } from '../code/inline-code.ts'
import { interpreterName, interpreters } from '../code/interpreters.ts'
import { foreignShells, shells } from './wrapper-table.ts'

export function runShell(run: Evaluator, invocation: Invocation, state: ShellState, frame: Frame): void {
  const [name = '', ...args] = invocation.words
  const program = programName(name)
  const { text, operands, readsInput } = shellOptions(args)
  const child = childState(
    state,
    readsInput && text === undefined ? operands : operands.slice(text === undefined ? 1 : 2),
  )
  child.variables.set('0', operands[text === undefined ? 0 : 1] ?? 'bash')
  for (const { name: variable, value } of invocation.assignments) child.variables.set(variable, value)
  if (foreignShells.has(program)) {
    runForeign(run, invocation, foreignText(args, frame.stdin), child, frame)
    return
  }
  if (text !== undefined) {
    runCode(run, invocation, wordSource(text), child, frame)
    return
  }
  const [script] = operands
  if (script !== undefined && !readsInput && script !== '-' && script !== '/dev/stdin') {
    runScript(run, invocation, script, child, frame)
    return
  }
  if (frame.stdin !== undefined) runInput(run, invocation, frame.stdin, child, frame)
}

interface ShellOptions {
  readonly text: string | undefined
  readonly operands: readonly string[]
  readonly readsInput: boolean
}

function shellOptions(args: readonly string[]): ShellOptions {
  let hasText = false
  let readsInput = false
  let at = 0
  for (; at < args.length; at++) {
    const word = args[at] ?? ''
    if (word === '--' || word === '-') {
      at++
      break
    }
    if (!/^[-+]/.test(word)) break
    if (/^--(?:rcfile|init-file)$/.test(word) || /^[-+]\w*[oO]$/.test(word)) at++
    if (/^-\w*c/.test(word) || /^[-/](?:c|command|encodedcommand)$/i.test(word)) hasText = true
    if (/^-\w*s/.test(word) && !word.startsWith('--')) readsInput = true
  }
  const rest = args.slice(at)
  return { text: hasText ? (rest[0] ?? '') : undefined, operands: rest, readsInput }
}

/** The code of `-Command`, `/c` or `-EncodedCommand`: all words after it; else the words, or the input. */
function foreignText(args: readonly string[], stdin: string | undefined): string | undefined {
  const at = args.findIndex((word) =>
    /^(?:-\w*c|\/c|\/k|--?c(?:o(?:m(?:m\w*)?)?)?|-e(?:c|nc\w*|ncodedcommand)?)$/i.test(word),
  )
  const words = at < 0 ? args.filter((word) => !/^[-/]\w+$/.test(word)) : args.slice(at + 1)
  const text = words.map(wordSource).join(' ')
  if (text === '' || text === '-') return stdin
  return /^-e/i.test(args[at] ?? '') ? decodedCommand(text) : text
}

/** Code in another shell language, such as PowerShell. */
function runForeign(
  run: Evaluator,
  invocation: Invocation,
  code: string | undefined,
  state: ShellState,
  frame: Frame,
): void {
  if (code === undefined) return
  if (code.includes(networkText)) run.find('pipe_to_shell', invocation, 'runs what it downloads')
  foreignFindings(run, invocation, code, state, frame)
  run.unknown('code', wordText(code), 'rxpi reads the language of bash only')
}

function runCode(run: Evaluator, invocation: Invocation, text: string, state: ShellState, frame: Frame): void {
  if (text.includes(networkText)) run.find('pipe_to_shell', invocation, 'runs what it downloads')
  const { stdin, ...rest } = frame
  run.runText(text, state, stdin === undefined ? rest : { ...rest, stdin })
}

/** Standard input that a shell runs. */
function runInput(run: Evaluator, invocation: Invocation, input: string, state: ShellState, frame: Frame): void {
  if (hasFreeText(input) || hasUnknown(input)) {
    run.find(
      'pipe_to_shell',
      invocation,
      `runs what it reads from a pipe${input.includes(networkText) ? ' that downloads' : ''}`,
    )
    if (input === anyText || input === networkText) return
  }
  const { stdin: _, ...rest } = frame
  run.runText(wordSource(input), state, rest)
}

function runScript(run: Evaluator, invocation: Invocation, script: string, state: ShellState, frame: Frame): void {
  const content = fileContent(script, state)
  if (content !== undefined) {
    runContent(run, invocation, content, state, frame)
    return
  }
  if (hasUnknown(script)) run.unknown('text', wordText(script), 'the name of the script is not known')
}

/** A file that this command wrote or downloaded before. */
function runContent(run: Evaluator, invocation: Invocation, content: string, state: ShellState, frame: Frame): void {
  if (content.includes(networkText)) {
    run.find('pipe_to_shell', invocation, 'runs a file that it downloads')
    return
  }
  const { stdin: _, ...rest } = frame
  const interpreter = shebang(content)
  if (interpreter === undefined || shells.has(interpreter)) {
    run.runText(wordSource(content), state, rest)
    return
  }
  const words = [interpreter, `-${interpreters.get(interpreterName(interpreter))?.slice(0, 1) ?? 'c'}`, content]
  inlineCodeFindings(run, { words, assignments: [], redirections: [] }, state, rest)
}

function shebang(content: string): string | undefined {
  const words = content.startsWith('#!') ? content.slice(2, 200).split('\n', 1)[0]?.trim().split(/[ \t]/) : undefined
  if (words === undefined) return undefined
  const [first = '', second = ''] = words
  return basename(basename(first) === 'env' ? second : first)
}

/** Runs a program file that the command wrote itself; false if it wrote none of that name. */
export function runWrittenFile(run: Evaluator, invocation: Invocation, state: ShellState, frame: Frame): boolean {
  const [name = '', ...args] = invocation.words
  const content = fileContent(name, state)
  if (content === undefined) return false
  runContent(run, invocation, content, childState(state, args), frame)
  return true
}

/** `source FILE`: known content runs in this shell; other files may redefine what follows. */
export function runSource(run: Evaluator, invocation: Invocation, state: ShellState, frame: Frame): void {
  const file = invocation.words.slice(1).find((word) => word !== '--')
  if (file === undefined) return
  const content = file === '/dev/stdin' ? (frame.stdin ?? anyText) : fileContent(file, state)
  if (content?.includes(networkText) === true) {
    run.find('pipe_to_shell', invocation, 'runs what it downloads')
    return
  }
  if (content !== undefined) {
    run.runText(wordSource(content), state, frame)
    return
  }
  // The activation scripts of virtual environments are generated and change PATH only.
  if (/(?:^|\/)bin\/activate$/.test(file) && !hasUnknown(file)) return
  // A script of a known name is as dangerous as with `bash`; one with an unknown name may be any text.
  const kind = hasUnknown(file) ? 'text' : 'code'
  run.unknown(kind, wordText(file), 'runs a file in this shell, which can change what later commands mean')
}
