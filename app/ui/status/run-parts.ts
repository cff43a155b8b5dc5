// Words an active run for the status row: its state, its seconds, and the keys that matter now.
import { formatCount } from '../../text/format-count.ts'
import { keyLabel } from '../keys/key-name.ts'
import { keysOf } from '../keys/keymap.ts'
import type { Keymap } from '../keys/keymap.ts'
import { wholeSeconds } from '../panels/job-lines.ts'
import { span } from '../text/span.ts'
import type { ActionName } from '../keys/actions.ts'
import { openQuestions } from '../view/fold-questions.ts'
import type { ToolItem } from '../view/view-item.ts'
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
  if (running === undefined) return compactionParts(view, keymap, now)
  const [words = '', ...shorter] =
    retry === undefined || now === undefined ? [state, ...cutsOf(state, [24])] : retryWords(retry, now)
  const isUrgent = retry !== undefined || openQuestions(view).length > 0
  const tool = retry === undefined ? toolSince(view) : undefined
  const seconds = retry === undefined ? secondsSince(tool ?? running.since, now) : '' // it counts down to the attempt
  const whole = tool === undefined ? '' : secondsSince(running.since, now)
  const texts = shorter.map((each) => `● ${each}${seconds}`)
  return [
    { rank: 0, role: isUrgent ? 'warning' : 'accent', text: `● ${words}${seconds}`, shorter: texts },
    ...keyParts(view, keymap),
    ...(whole === '' || whole === seconds ? [] : [{ rank: 6, role: 'dim', text: `run${whole}` } as const]),
  ]
}

/** Of a compaction that a person asked for. */
function compactionParts({ compacting, overlay }: View, keymap: Keymap, now?: number): readonly RankedPart[] {
  if (compacting === undefined) return []
  const { since, characters, isStopping } = compacting
  const text = `● ${isStopping === true ? 'Stopping' : 'Summarising'}${secondsSince(since, now)}`
  const progress = characters === 0 ? '' : `${formatCount(characters)} characters`
  return [
    { rank: 0, role: 'accent', text },
    ...(overlay === undefined && isStopping !== true ? keyPart(0, 'abort', 'stop', keymap) : []),
    ...(progress === '' ? [] : [{ rank: 4, role: 'dim', text: progress } as const]),
  ]
}

/** The newest activity of the run; changes rarely, however many deltas come. */
export function describeActivity(view: View): string {
  const { live, running } = view
  if (running?.isStopping === true) return 'Stopping'
  if (openQuestions(view).length > 0) return 'Waiting for your answer'
  if (view.compacting !== undefined) return 'Summarising earlier messages'
  const tools = runningTools(view)
  const [tool] = tools
  if (tool !== undefined)
    return tools.length === 1 ? `Running ${span(tool.name).text}` : `Running ${tools.length} tools`
  const last = live.at(-1)
  if (last?.kind === 'thinking') return 'Thinking'
  return last?.kind === 'text' ? 'Answering' : 'Waiting for the model'
}

/** Start of the oldest running tool (Unix ms), while the row names tools; undefined if it is unknown. */
export function toolSince(view: View): number | undefined {
  if (view.running?.isStopping === true || openQuestions(view).length > 0) return undefined
  return runningTools(view).reduce<number | undefined>(
    (first, { startedAt }) => (first === undefined || (startedAt ?? first) < first ? startedAt : first),
    undefined,
  )
}

function runningTools({ live }: View): readonly ToolItem[] {
  return live.filter((item): item is ToolItem => item.kind === 'tool' && item.state === 'running')
}

function secondsSince(since: number, now: number | undefined): string {
  return since === 0 || now === undefined ? '' : ` ${wholeSeconds(now - since)}`
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
