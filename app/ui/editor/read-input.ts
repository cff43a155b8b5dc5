// What was written is a prompt with its files and images, a command of the user's own, or a slash command; nothing else.
import { readPrompt } from './read-prompt.ts'
import type { Submission } from './submission.ts'
import { textOfUnits } from './unit.ts'
import type { Unit } from './unit.ts'

export type WrittenInput =
  | ({ readonly kind: 'prompt' } & Submission)
  /** `isSeen`: the model is told of it. */
  | { readonly kind: 'bash'; readonly command: string; readonly isSeen: boolean }
  /** `name` without its slash; `argument` is '' where none was given. */
  | { readonly kind: 'command'; readonly name: string; readonly argument: string }

/**
 * Undefined where there is nothing to send. A space before `/` or `!` makes a prompt of it; see `readPrompt`.
 * @param cwd what paths are relative to, absolute
 * @throws Failure `bad_request` for a file that cannot be sent
 */
export function readInput(units: readonly Unit[], cwd: string): WrittenInput | undefined {
  const written = textOfUnits(units)
  const isText = units.every((unit) => typeof unit === 'string' || unit.kind === 'paste')
  const own = /^(!!?)([^]*)$/.exec(written)
  if (own !== null && isText) {
    const command = (own[2] ?? '').trim()
    return command === '' ? undefined : { kind: 'bash', command, isSeen: own[1] === '!' }
  }
  const slash = /^\/([a-z][a-z-]*)(?:\s+([^]*))?$/.exec(written.trimEnd())
  if (slash !== null && isText) return { kind: 'command', name: slash[1] ?? '', argument: slash[2] ?? '' }
  const prompt = readPrompt(units, cwd)
  return prompt === undefined ? undefined : { kind: 'prompt', ...prompt }
}
