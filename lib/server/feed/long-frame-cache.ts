// Caches the last long log line.
// Clients that are behind at the same line read and hold it once.
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'

export interface LongFrameCache {
  /** Makes the frame of a record that was read from the log; stores it if it is long. */
  frameOf(record: SessionRecord): LoggedFrame
  /** Returns the stored frame of this line, which then need not be read; undefined if another one is stored. */
  cached(seq: number): LoggedFrame | undefined
}

export interface LoggedFrame {
  readonly frame: string
  readonly type: AgentEvent['type']
  /** For the start and end of a tool. */
  readonly toolCallId: string | undefined
}

/** UTF-16 units from which a line is stored. */
const longLine = 65_536
/** Milliseconds that a frame is stored after its last use; a client that takes nothing for as long is disconnected. */
const storedMs = 60_000

interface Holder {
  last: { readonly seq: number; readonly logged: LoggedFrame } | undefined
}

function forget(holder: Holder): void {
  holder.last = undefined
}

/** Its timer does not keep the process alive. */
export function longFrameCache(make: (record: SessionRecord) => string): LongFrameCache {
  const holder: Holder = { last: undefined }
  let timer: NodeJS.Timeout | undefined
  const store = (seq: number, logged: LoggedFrame): LoggedFrame => {
    holder.last = { seq, logged }
    clearTimeout(timer)
    timer = setTimeout(forget, storedMs, holder).unref() // a closure would hold `make`, and with it an evicted session
    return logged
  }
  return {
    frameOf: (record) => {
      const { seq, line, event } = record
      const toolCallId = 'toolCallId' in event ? event.toolCallId : undefined
      const logged = { frame: make(record), type: event.type, toolCallId }
      return seq === undefined || line === undefined || line.length < longLine ? logged : store(seq, logged)
    },
    cached: (seq) => (holder.last?.seq === seq ? store(seq, holder.last.logged) : undefined),
  }
}
