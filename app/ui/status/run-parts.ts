// Words an active run for the status row: its state, its seconds, and the keys that matter now.
import { keyLabel } from '../keys/key-name.ts'
import { keysOf } from '../keys/keymap.ts'
import type { Keymap } from '../keys/keymap.ts'
import { duration } from '../text/duration.ts'
import { span } from '../text/span.ts'
import type { ActionName } from '../keys/actions.ts'
import type { View } from '../view/view.ts'
import { cutsOf } from './status-parts.ts'
import type { RankedPart } from './status-parts.ts'

/**
 * Empty without a run.
 * @param state from `describeActivity`
 * @param now Unix ms; undefined: without seconds
 */
export function runParts(view: View, state: string, keymap: Keymap, now?: number): readonly RankedPart[] {
  const { running, retry } = view
  if (running === undefined) return []
  const [words = '', ...shorter] =
    retry === undefined || now === undefined ? [state, ...cutsOf(state, [24])] : retryWords(retry, now)
  const isUrgent = retry !== undefined || view.requests.length > 0
  const seconds = retry === undefined ? secondsSince(running.since, now) : '' // it counts down to the attempt
  const texts = shorter.map((each) => `● ${each}${seconds}`)
  return [
    { rank: 0, role: isUrgent ? 'warning' : 'accent', text: `● ${words}${seconds}`, shorter: texts },
    ...keyParts(view, keymap),
  ]
}

/** The newest activity of the run; changes rarely, however many deltas come. */
export function describeActivity({ live, requests, running }: View): string {
  if (running?.isStopping === true) return 'Stopping'
  if (requests.length > 0) return 'Waiting for your answer'
  const tools = live.filter((item) => item.kind === 'tool' && item.state === 'running')
  const [tool] = tools
  if (tool?.kind === 'tool')
    return tools.length === 1 ? `Running ${span(tool.name).text}` : `Running ${tools.length} tools`
  const last = live.at(-1)
  if (last?.kind === 'thinking') return 'Thinking'
  return last?.kind === 'text' ? 'Answering' : 'Waiting for the model'
}

function secondsSince(since: number, now: number | undefined): string {
  if (since === 0 || now === undefined) return ''
  const seconds = Math.floor(Math.max(0, now - since) / 1_000)
  return ` ${seconds < 1 ? '0 s' : duration(seconds * 1_000).replace('.0 s', ' s')}`
}

/** With the whole reason, with a cut one, without one. */
function retryWords({ attempt, at, reason }: NonNullable<View['retry']>, now: number): readonly string[] {
  const seconds = Math.max(0, Math.ceil((at - now) / 1_000))
  const start = `Attempt ${attempt} in ${seconds} s`
  const whole = span(`${start}: ${reason}`).text
  return [
    whole,
    ...cutsOf(
      whole,
      [64, 56, 48, 40, 34, 30].filter((width) => width > start.length + 8),
    ),
    start,
  ]
}

/** No keys of the editor while something else has them. */
function keyParts({ overlay, running, queue }: View, keymap: Keymap): readonly RankedPart[] {
  if (overlay !== undefined) return []
  if (running?.isStopping === true) return keyPart(0, 'clear', 'leave', keymap)
  return [
    ...keyPart(0, 'abort', 'stop', keymap),
    ...keyPart(1, 'submit', 'steer', keymap),
    ...keyPart(2, 'followUp', 'queue', keymap),
    ...(queue.length === 0 ? [] : keyPart(3, 'queuedBefore', 'edit', keymap)),
  ]
}

function keyPart(rank: number, action: ActionName, word: string, keymap: Keymap): readonly RankedPart[] {
  const [key] = keysOf(keymap, action)
  return key === undefined ? [] : [{ rank, role: 'dim', text: `${keyLabel(key)} ${word}` }]
}
