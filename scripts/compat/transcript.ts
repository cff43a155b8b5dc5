// Compares the lines that two servers send in the same step of a recorded conversation.
import type { Frame } from './harness/wire-client.ts'

/** What the client sends, and what the server sends until the client sends again. */
export interface Step {
  readonly sent: readonly string[]
  readonly received: readonly Frame[]
}

/** The steps of a transcript with `> ` before each line of the client and `< ` before each line of the server. */
export function stepsOf(transcript: readonly string[]): Step[] {
  const steps: { sent: string[]; received: Frame[] }[] = []
  for (const line of transcript) {
    const text = line.slice(2)
    const last = steps.at(-1)
    const isSent = line.startsWith('> ')
    if (last === undefined || (isSent && last.received.length > 0)) steps.push({ sent: [], received: [] })
    if (isSent) steps.at(-1)?.sent.push(text)
    else steps.at(-1)?.received.push(JSON.parse(text) as Frame)
  }
  return steps
}

/** Frames of a step, grouped by independent orders: a response may come before or after an event. */
export interface Received {
  readonly responses: readonly Frame[]
  readonly durable: readonly Frame[]
  /** Events without `seq`; the output of tools and jobs is joined. */
  readonly transient: readonly Frame[]
  /** Text pieces, joined by block. */
  readonly text: Readonly<Record<string, string>>
  readonly others: readonly Frame[]
}

/**
 * Guarantees: equal for two servers that send the same, however they cut text into pieces. Pieces of messages and of
 * tools that end within the step are left out: the server may drop them.
 */
export function receivedOf(frames: readonly Frame[]): Received {
  const events = frames.filter(({ type }) => type === 'event')
  const durable = events.filter((frame) => 'seq' in frame)
  const ended = new Set(durable.map((frame) => endedIn(frame['event'] as Frame)))
  const text: Record<string, string> = {}
  for (const { type, entryId, block, text: piece } of frames) {
    if (type === 'delta' && !ended.has(entryId)) text[String(block)] = (text[String(block)] ?? '') + String(piece)
  }
  return {
    responses: frames.filter(({ type }) => type === 'response').sort((left, right) => compareIds(left, right)),
    durable,
    transient: joined(events.filter((frame) => !('seq' in frame) && !ended.has(idOf(frame['event'] as Frame)))),
    text,
    others: frames.filter(({ type }) => type !== 'response' && type !== 'event' && type !== 'delta'),
  }
}

const idOf = (event: Frame): unknown => event['toolCallId'] ?? event['jobId'] ?? event['entryId']
const endedIn = (event: Frame): unknown =>
  ['message_end', 'tool_execution_end', 'job_end'].includes(String(event['type'])) ? idOf(event) : undefined
const compareIds = (left: Frame, right: Frame): number => String(left['id']).localeCompare(String(right['id']))

function joined(events: readonly Frame[]): Frame[] {
  const result: Frame[] = []
  for (const frame of events) {
    const event = frame['event'] as Frame
    const before = result.find(({ event: each }) => isSameOutput(each as Frame, event))
    if (before === undefined) result.push({ ...frame, event })
    else {
      const content = `${String((before['event'] as Frame)['content'])}${String(event['content'])}`
      result[result.indexOf(before)] = { ...before, event: { ...(before['event'] as Frame), content } }
    }
  }
  return result
}

const isSameOutput = (left: Frame, right: Frame): boolean =>
  ['tool_execution_update', 'job_update'].includes(String(left['type'])) &&
  left['type'] === right['type'] &&
  idOf(left) === idOf(right) &&
  left['updateType'] === right['updateType']

/** True if as many frames arrived as in the recording; the comparison checks their values. */
export function isComplete(now: Received, then: Received): boolean {
  const length = ({ text }: Received): number => Object.values(text).join('').length
  const size = ({ transient }: Received): number =>
    transient.reduce((sum, { event }) => sum + String((event as Frame)['content']).length, 0)
  return (
    now.responses.length >= then.responses.length &&
    now.durable.length >= then.durable.length &&
    now.transient.length >= then.transient.length &&
    now.others.length >= then.others.length &&
    length(now) >= length(then) &&
    size(now) >= size(then)
  )
}
