// Reads the events that a client has missed: from the log, then from the state.
// First the log lines after its `seq`, then the `caught_up` mark, then the open message and output.
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import { Failure } from '../../streams/values/failure.ts'
import { caughtUpFrame, recordFrame } from '../protocol/frame.ts'
import type { LineBatch } from '../protocol/transport.ts'
import type { ClientCursor } from './client-cursor.ts'
import { diffFromCursor } from './diff-from-cursor.ts'
import type { LoggedFrame } from './long-frame-cache.ts'
import type { ServedSession } from './served-session.ts'

export interface CatchUpOptions {
  /** The last `seq` that the client has. */
  readonly after: number
  /** Moves as events are read. */
  readonly cursor: ClientCursor
  /** Whether `caught_up` is sent after the log lines. */
  readonly isMarked: boolean
  /** False leaves out the open message and output. */
  readonly deltas: boolean
  /** UTF-16 units of one piece. */
  readonly longest: number
}

/** Reads the log line by line on demand, and holds one state of the session while it cuts pieces from it. */
export class CatchUp {
  readonly #served: ServedSession
  readonly #options: CatchUpOptions
  #seq: number
  #needsMark: boolean
  /** The log from the next line on, while it is read. */
  #lines: Iterator<SessionRecord> | undefined
  /** The diff to one state: a text that grows is not flattened again for each piece. */
  #updates: Iterator<AgentEvent> | undefined

  constructor(served: ServedSession, options: CatchUpOptions) {
    this.#served = served
    this.#options = options
    this.#seq = options.after
    this.#needsMark = options.isMarked
  }

  /**
   * Returns the next frames, until they have `length` UTF-16 units; undefined if the client has everything in the
   * session's state. A caller that then subscribes to the records in the same synchronous stretch misses none.
   * @throws Failure `read_only` or `storage` if the log cannot be read
   */
  next(length: number): LineBatch | undefined {
    const lines: string[] = []
    let taken = 0
    for (let frame = this.#nextFrame(); frame !== undefined; frame = this.#nextFrame()) {
      lines.push(frame)
      taken += frame.length
      if (taken >= length) break
    }
    return lines.length === 0 ? undefined : { lines, length: taken, endsTick: false }
  }

  #nextFrame(): string | undefined {
    const line = this.#nextLine()
    if (line !== undefined) return line
    if (this.#needsMark) {
      this.#needsMark = false
      return caughtUpFrame(this.#served.session.id, this.#seq)
    }
    return this.#options.deltas ? this.#nextUpdate() : undefined
  }

  #nextLine(): string | undefined {
    const head = this.#served.session.state$.value.seq
    if (this.#seq >= head) {
      this.#lines = undefined
      return undefined
    }
    const logged = this.#cachedLine() ?? this.#readLine(head)
    this.#forgetEnded(logged)
    return logged.frame
  }

  /** A line that another client has just read. */
  #cachedLine(): LoggedFrame | undefined {
    const cached = this.#served.logFrames.cached(this.#seq + 1)
    if (cached === undefined) return undefined
    this.#seq += 1
    this.#lines = undefined // the next read begins after it
    return cached
  }

  #readLine(head: number): LoggedFrame {
    const { session, logFrames } = this.#served
    this.#lines ??= session.logged({ after: this.#seq })[Symbol.iterator]()
    const step = this.#lines.next()
    if (step.done === true) throw changedLog(session.id, head)
    const record = step.value
    this.#seq = record.seq ?? this.#seq
    return logFrames.frameOf(record)
  }

  /**
   * Drops the cursor of a tool that has ended, or starts again under the same id, and the diff of a message that has
   * ended.
   */
  #forgetEnded({ type, toolCallId }: LoggedFrame): void {
    const isTool = type === 'tool_execution_start' || type === 'tool_execution_end'
    if (isTool && toolCallId !== undefined) this.#options.cursor.output.delete(toolCallId)
    if (isTool || type === 'message_end') this.#updates = undefined
  }

  #nextUpdate(): string | undefined {
    const { session, channel } = this.#served
    const { cursor, longest } = this.#options
    for (;;) {
      const isCurrent = this.#updates === undefined
      this.#updates ??= diffFromCursor(session.state$.value, cursor, longest)
      const step = this.#updates.next()
      if (step.done !== true) return recordFrame(session.id, channel, { event: step.value, at: 0 })
      this.#updates = undefined
      if (isCurrent) return undefined
    }
  }
}

/** Lines that were written can be read again, unless another program has changed the file. */
function changedLog(session: string, head: number): Failure {
  const message = `The log of ${session} cannot be read as far as its event ${head}: another program has changed it; rxpi sessions verify ${session} says where`
  return new Failure('storage', message)
}
