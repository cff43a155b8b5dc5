// From where a client stopped to where its session is: the log's lines, the mark, then what is missing of what is open.
import type { AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import { caughtUpFrame, recordFrame } from '../protocol/frame.ts'
import type { Given } from './given.ts'
import { missingUpdates } from './missing-updates.ts'
import type { ServedSession } from './served-session.ts'
import type { LoggedFrame } from './shared-frames.ts'

export interface CatchUpOptions {
  /** The last `seq` that the client has. */
  readonly after: number
  /** What it has of what is open. Becomes what it will have. */
  readonly given: Given
  /** Whether `caught_up` is sent when the log has been read. */
  readonly marked: boolean
  /** False leaves out what is open. */
  readonly deltas: boolean
  /** UTF-16 units of one piece. */
  readonly longest: number
}

/** Reads the log as it is asked for frames, and holds one state of the session while it cuts pieces from it. */
export class CatchUp {
  readonly #served: ServedSession
  readonly #options: CatchUpOptions
  #seq: number
  #isMarked: boolean
  /** The log from the next line on, while it is read. */
  #lines: Iterator<SessionRecord> | undefined
  /** What is missing of one state: a text that goes on growing is not made flat anew for each piece. */
  #updates: Iterator<AgentEvent> | undefined

  constructor(served: ServedSession, options: CatchUpOptions) {
    this.#served = served
    this.#options = options
    this.#seq = options.after
    this.#isMarked = !options.marked
  }

  /**
   * The next frame; nothing where the client has everything that the session's state has: whoever subscribes to its records
   * in that same synchronous stretch misses none. Asked again later, it goes on.
   * @throws Failure `read_only`, `storage` where the log cannot be read
   */
  next(): string | undefined {
    const line = this.#nextLine()
    if (line !== undefined) return line
    if (!this.#isMarked) {
      this.#isMarked = true
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
    const logged = this.#keptLine() ?? this.#readLine(head)
    this.#forget(logged)
    return logged.frame
  }

  /** One that another client has read just now. */
  #keptLine(): LoggedFrame | undefined {
    const kept = this.#served.logged.kept(this.#seq + 1)
    if (kept === undefined) return undefined
    this.#seq += 1
    this.#lines = undefined // reading goes on behind it
    return kept
  }

  #readLine(head: number): LoggedFrame {
    const { session, logged } = this.#served
    this.#lines ??= session.logged({ after: this.#seq })[Symbol.iterator]()
    const step = this.#lines.next()
    if (step.done === true) throw changed(session.id, head)
    const record = step.value
    this.#seq = record.seq ?? this.#seq
    return logged.of(record)
  }

  /** What has ended, or begins anew under the same id, is not gone on with. */
  #forget({ type, toolCallId }: LoggedFrame): void {
    const isTool = type === 'tool_execution_start' || type === 'tool_execution_end'
    if (isTool && toolCallId !== undefined) this.#options.given.output.delete(toolCallId)
    if (isTool || type === 'message_end') this.#updates = undefined
  }

  #nextUpdate(): string | undefined {
    const { session, channel } = this.#served
    const { given, longest } = this.#options
    for (;;) {
      const isOfNow = this.#updates === undefined
      this.#updates ??= missingUpdates(session.state$.value, given, longest)
      const step = this.#updates.next()
      if (step.done !== true) return recordFrame(session.id, channel, { event: step.value, at: 0 })
      this.#updates = undefined
      if (isOfNow) return undefined
    }
  }
}

/** What was written can be read again, unless somebody else has written there too. */
function changed(session: string, head: number): Failure {
  const message = `The log of ${session} cannot be read as far as its event ${head}: another program has changed it; rxpi sessions verify ${session} says where`
  return new Failure('storage', message)
}
