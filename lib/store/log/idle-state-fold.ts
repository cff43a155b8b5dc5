// Folds a log to its last idle state while its lines are checked; messages stay in the file.
//
// Effect: of an entry, memory holds the location; of a turn, the usage. LazyEntry reads a message when it is needed.
// Measured: 100,000 messages open in 0.29× of the time and 0.56× of the memory of parsing each line
// (docs/decisions/0160). Node versions: every supported one; it uses no engine feature.
// Off: `fileStore({ home, foldFrom: Infinity })` parses every line of every log when it opens.
import { foldCommand, foldDeferred, withoutInput } from '../../streams/state/fold-inputs.ts'
import { emptySession, foldSession } from '../../streams/state/fold-session.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import { addUsage, noUsage } from '../../streams/messages/message.ts'
import { knowsEvent } from '../../streams/events/known-events.ts'
import type { EntryLocation } from '../lines/locate-entries.ts'
import { createEntryLocator } from '../lines/locate-entries.ts'
import type { LineHead } from '../lines/peek-line.ts'
import { parseEvent } from '../lines/peek-line.ts'
import { parseLine, tryParseJson } from '../lines/parse-line.ts'
import { sealLength } from '../lines/line-checksum.ts'
import type { Usage } from '../../streams/messages/message.ts'

export interface IdleLogState {
  /** The fold of the lines up to `seq`, without the entries; no run was active at that line. */
  readonly state: Omit<SessionState, 'entries'>
  /** Locations of the entries, in order. */
  readonly locations: readonly EntryLocation[]
}

export type NumberedHead = LineHead & { readonly seq: number }

type Step = (state: SessionState) => SessionState

/** Frequent facts of which only the last one counts; folded when another fact is, or at the end. */
interface PendingLines {
  /** The last entry. */
  readonly head?: string
  /** The last `agent_start` … */
  readonly start?: Buffer
  /** … and `agent_end`, as lines. */
  readonly end?: Buffer
}

/** How to handle a line by its type; lines of other types are folded as usual. */
const kinds = new Map<string, 'start' | 'end' | 'ignored' | 'message' | 'entry' | 'call' | 'result' | 'turn'>([
  ['agent_start', 'start'],
  ['agent_end', 'end'],
  ['agent_settled', 'ignored'],
  ['turn_start', 'ignored'],
  ['message_start', 'message'],
  ['message_end', 'entry'],
  ['tool_execution_start', 'call'],
  ['tool_execution_end', 'result'],
  ['turn_end', 'turn'],
])
const queueId = Buffer.from('"queueId"')
const commandRole = Buffer.from('"role":"bashExecution"')
const brace = 125

export class IdleStateFold {
  readonly #entries = createEntryLocator()
  readonly #locations: EntryLocation[] = []
  #usage = emptySession().usage
  #pending: PendingLines = {}
  /** Other facts to fold, since the last idle line. */
  #steps: Step[] = []
  /** The queued input that the open message delivers. */
  #deliveredInput: string | undefined
  #isRunning = false
  /** True once a job has ended: its message may wait for its entry. */
  #mayDefer = false
  #mustParseAll = false
  #lastIdle = { state: emptySession(), usage: this.#usage, pending: this.#pending, locations: 0 }

  /** Adds the next numbered line, whose checksum and number are correct. Call in order from the log's first line on. */
  take(head: NumberedHead, bytes: Buffer, offset: number): void {
    if (this.#mustParseAll) return
    if (!hasNoOperation(head, bytes)) this.#takeCommand(bytes)
    const kind = kinds.get(head.type)
    if (kind === 'message') this.#deliveredInput = this.#deliveredBy(bytes)
    else if (kind === 'entry') this.#takeEntry(head, bytes, offset)
    else if (kind === 'result') this.#entries.take(bytes, offset, head)
    else if (kind === 'turn') this.#takeUsage(bytes)
    else if (kind === 'start' || kind === 'end') this.#pending = { ...this.#pending, [kind]: Buffer.from(bytes) }
    else if (kind === undefined) this.#takeOther(head, bytes)
    if (head.type === 'agent_settled') this.#isRunning = false
    else if (kind === 'start' || head.type === 'turn_start') this.#isRunning = true
    // In a log without runs, as after an import, these lines belong to a later line.
    if (this.#isRunning || kind === 'message' || kind === 'call' || kind === 'result') return
    this.#recordIdle(head.seq)
  }

  /**
   * State at the last idle line. Undefined if there is none, or if a line does not match its head: the caller then
   * parses every line.
   */
  idleState(): IdleLogState | undefined {
    const { state, usage, pending, locations } = this.#lastIdle
    const steps = this.#stepsOf(pending)
    const end = pending.end === undefined ? undefined : this.#orParseAll(parseEvent(pending.end))
    if (end !== undefined) steps.push((now) => foldSession(now, { event: end }))
    if (this.#mustParseAll || state.seq === 0) return undefined
    const folded = applySteps(state, steps) // its usage is that of the compactions
    const whole = withoutRun({ ...folded, usage: addUsage(usage, folded.usage) })
    return { state: whole, locations: this.#locations.slice(0, locations) }
  }

  #deliveredBy(bytes: Buffer): string | undefined {
    const event = bytes.includes(queueId) ? this.#orParseAll(parseEvent(bytes)) : undefined
    return event?.type === 'message_start' ? event.queueId : undefined
  }

  #takeEntry(head: NumberedHead, bytes: Buffer, offset: number): void {
    const location = this.#orParseAll(this.#entries.take(bytes, offset, head))
    if (location === undefined) return
    this.#locations.push(location)
    this.#pending = { ...this.#pending, head: location.entryId }
    const delivered = this.#deliveredInput
    this.#deliveredInput = undefined
    if (delivered !== undefined) this.#steps.push((now) => ({ ...now, queue: withoutInput(now.queue, delivered) }))
    const end = this.#mayDefer && bytes.includes(commandRole) ? this.#orParseAll(parseEvent(bytes, head)) : undefined
    if (end?.type === 'message_end') this.#steps.push((now) => ({ ...now, deferred: foldDeferred(now.deferred, end) }))
  }

  #takeUsage(bytes: Buffer): void {
    const usage = this.#orParseAll(readUsage(bytes))
    if (usage !== undefined) this.#usage = addUsage(this.#usage, usage)
  }

  #takeOther({ type, seq }: NumberedHead, bytes: Buffer): void {
    if (!knowsEvent(type)) return
    const parsed = parseLine(bytes)
    if (!parsed.ok) {
      this.#mustParseAll = true
      return
    }
    const { event, at } = parsed.record
    this.#mayDefer ||= event.type === 'job_end'
    this.#steps.push(...this.#stepsOf(this.#pending), (now) => foldSession(now, { event, at, seq }))
    const { end } = this.#pending
    this.#pending = end === undefined ? {} : { end }
  }

  #takeCommand(bytes: Buffer): void {
    const parsed = parseLine(bytes)
    if (!parsed.ok) this.#mustParseAll = true
    else
      this.#steps.push((now) => {
        foldCommand(now.commands, parsed.record, now.queue)
        return now
      })
  }

  #stepsOf({ head, start }: PendingLines): Step[] {
    const event = start === undefined ? undefined : this.#orParseAll(parseEvent(start))
    return [
      ...(head === undefined ? [] : [(now: SessionState) => ({ ...now, headEntryId: head })]),
      ...(event === undefined ? [] : [(now: SessionState) => foldSession(now, { event })]),
    ]
  }

  /** Returns the value; without one, the caller must parse every line. */
  #orParseAll<Value>(value: Value | undefined): Value | undefined {
    if (value === undefined) this.#mustParseAll = true
    return value
  }

  #recordIdle(seq: number): void {
    const state = { ...applySteps(this.#lastIdle.state, this.#steps), seq }
    if (this.#steps.length > 0) this.#steps = []
    this.#lastIdle = { state, usage: this.#usage, pending: this.#pending, locations: this.#locations.length }
  }
}

function applySteps(state: SessionState, steps: readonly Step[]): SessionState {
  return steps.reduce((now, step) => step(now), state)
}

function withoutRun({ running, open, ...state }: SessionState): SessionState {
  return state
}

/** True if the line certainly has no `opId`: its event begins at the usual position and ends the line. */
function hasNoOperation({ eventAt }: LineHead, bytes: Buffer): boolean {
  return eventAt !== undefined && bytes[bytes.length - sealLength - 1] === brace
}

const before = Buffer.from(',"usage":')
const behind = Buffer.from(',"hasToolCalls":')

/**
 * The usage of a `turn_end` line with a correct checksum, without parsing the rest of the line: a long log has many
 * turns. Undefined if it has none.
 */
export function readUsage(line: Buffer): Usage | undefined {
  const from = line.indexOf(before)
  const to = line.lastIndexOf(behind)
  const usage = from === -1 || to < from ? undefined : tryParseJson(line.toString('latin1', from + before.length, to))
  if (isUsage(usage)) return usage
  const event = parseEvent(line)
  return event?.type === 'turn_end' ? event.usage : undefined
}

const counts = ['input', 'output', 'cacheRead', 'cacheWrite', 'totalTokens']
const costs = Object.keys(noUsage.cost)

function isUsage(value: unknown): value is Usage {
  if (!hasNumbers(value, counts)) return false
  const { reasoning = 0, cost } = value
  return typeof reasoning === 'number' && (cost === 'unknown' || hasNumbers(cost, costs))
}

function hasNumbers(value: unknown, names: readonly string[]): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  for (const name of names) if (!(name in value) || typeof Reflect.get(value, name) !== 'number') return false
  return true
}
