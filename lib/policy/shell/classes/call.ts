// The input of every classifier.
import type { Evaluator, Frame, Invocation } from '../model/evaluator.ts'
import type { ShellState } from '../model/shell-state.ts'

/** Input of the classifiers: the call, and the program's name without its folder and in lower case. */
export interface Call {
  readonly invocation: Invocation
  readonly program: string
  readonly args: readonly string[]
  readonly state: ShellState
  readonly frame: Frame
  readonly run: Evaluator
}

export type Classifier = (call: Call) => void

/** Words that are not options; everything after `--` counts. */
export function operandsOf(args: readonly string[]): readonly string[] {
  const dashes = args.indexOf('--')
  const before = dashes < 0 ? args : args.slice(0, dashes)
  return [...before.filter((word) => !/^-./.test(word)), ...(dashes < 0 ? [] : args.slice(dashes + 1))]
}

/** True if a short flag with this letter or one of the long options comes before `--`. */
export function hasFlag(args: readonly string[], letters: string, ...long: readonly string[]): boolean {
  const dashes = args.indexOf('--')
  return (dashes < 0 ? args : args.slice(0, dashes)).some((word) => {
    if (!word.startsWith('-') || word === '-') return false
    if (word.startsWith('--')) {
      const name = word.split('=', 1)[0] ?? ''
      return long.some((option) => option === name || (name.length > 3 && option.startsWith(name)))
    }
    return Array.from(word.slice(1)).some((letter) => letters.includes(letter))
  })
}
