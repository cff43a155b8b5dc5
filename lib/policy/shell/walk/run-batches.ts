// Runs the commands of `xargs`, `parallel` and `find -exec` with the words that they would receive.
import { planFind } from '../expand/find-targets.ts'
import type { Evaluator, Frame, Invocation } from '../model/evaluator.ts'
import { childState, copyState } from '../model/shell-state.ts'
import type { ShellState } from '../model/shell-state.ts'
import { anyFolders, anyName, anyText, anyWords, hasFreeText, networkText, wordSource } from '../model/word-marks.ts'
import { inputWords } from './run-builtin.ts'

/** Beyond that many words of input their values are taken as unknown. */
const maxItems = 64

export function runXargs(run: Evaluator, { words }: Invocation, state: ShellState, frame: Frame): void {
  const args = words.slice(1)
  let at = 0
  let placeholder: string | undefined
  for (; at < args.length; at++) {
    const word = args[at] ?? ''
    if (word === '--') {
      at++
      break
    }
    if (!word.startsWith('-')) break
    if (word === '-I' || word === '--replace' || word === '-i')
      placeholder = word === '-I' ? (args[++at] ?? '{}') : '{}'
    else if (word.startsWith('-I')) placeholder = word.slice(2)
    else if (word.startsWith('--replace=')) placeholder = word.slice(10)
    else if (/^-[aEeLlnPsd]$/.test(word) || /^--(?:arg-file|delimiter|max-\w+)$/.test(word)) at++
  }
  const command = args.slice(at)
  if (command.length === 0) return
  const items = itemsOf(frame.stdin)
  const { stdin: _, ...inner } = frame
  const own = copyState(state)
  if (placeholder === undefined || placeholder === '') {
    run.runInvocation({ words: [...command, ...items], assignments: [], redirections: [] }, own, inner)
    return
  }
  for (const item of items.slice(0, 8)) {
    const filled = command.map((word) => word.replaceAll(placeholder, () => (item === anyWords ? anyText : item)))
    run.runInvocation({ words: filled, assignments: [], redirections: [] }, own, inner)
  }
}

function itemsOf(stdin: string | undefined): readonly string[] {
  if (stdin?.includes(networkText) === true) return [networkText]
  if (stdin === undefined || (hasFreeText(stdin) && stdin.includes(anyText))) return [anyWords]
  const items = inputWords(stdin)
  return items.length > maxItems ? [anyWords] : items
}

/** GNU parallel: a shell reads the command; the items follow `:::` or come from the input. */
export function runParallel(run: Evaluator, { words }: Invocation, state: ShellState, frame: Frame): void {
  const args = words.slice(1)
  const separator = args.findIndex((word) => /^:::\+?$/.test(word))
  const before = separator < 0 ? args : args.slice(0, separator)
  let at = 0
  while (at < before.length && before[at]?.startsWith('-') === true) {
    at +=
      /^-[jNnLlSaIPd]$/.test(before[at] ?? '') || /^--(?:jobs|colsep|delay|timeout|joblog)$/.test(before[at] ?? '')
        ? 2
        : 1
  }
  const command = before.slice(at).map(wordSource).join(' ')
  const items =
    separator < 0 ? itemsOf(frame.stdin) : args.slice(separator + 1).filter((word) => !word.startsWith(':::'))
  const { stdin: _, ...inner } = frame
  for (const item of items.slice(0, 8)) {
    const text = wordSource(item === anyWords ? anyText : item)
    const filled = command.includes('{') ? command.replaceAll(/\{[./]*\}/g, () => text) : `${command} ${text}`
    run.runText(filled, childState(state, []), inner)
  }
}

/** `fd PATTERN FOLDER -x command`: the paths come last if the command has no placeholder. */
export function runFd(run: Evaluator, { words }: Invocation, state: ShellState, frame: Frame): void {
  const args = words.slice(1)
  const at = args.findIndex((word) => /^(?:-[xX]|--exec(?:-batch)?)$/.test(word))
  if (at < 0) return
  const [pattern = '.', folder = '.'] = args.slice(0, at).filter((word) => !word.startsWith('-'))
  const name = /[a-z]{2}/i.test(pattern) ? `/${anyName}` : ''
  const path = `${folder.replace(/\/$/, '')}/${anyFolders}${name}`
  const command = args.slice(at + 1)
  const isFilled = command.some((word) => /\{[./]*\}/.test(word))
  const filled = command.map((word) => word.replaceAll(/\{[./]*\}/g, () => path))
  const { stdin: _, ...inner } = frame
  const all = isFilled ? filled : [...filled, path]
  run.runInvocation({ words: all, assignments: [], redirections: [] }, copyState(state), inner)
}

export function runFind(run: Evaluator, { words }: Invocation, state: ShellState, frame: Frame): void {
  const { commands, selected } = planFind(words.slice(1))
  const { stdin: _, ...inner } = frame
  for (const command of commands) {
    for (const path of selected.slice(0, 8)) {
      const filled = command.map((word) => word.replaceAll('{}', () => path))
      run.runInvocation({ words: filled, assignments: [], redirections: [] }, copyState(state), inner)
    }
  }
}
