// A long line that many clients are behind at is read and held once for all of them, not once for each.
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'

export interface SharedFrames {
  /** The frame of a record that was read from the log; of a long one it is kept. */
  of(record: SessionRecord): LoggedFrame
  /** The kept one, where it is that of this line: it need not be read. */
  kept(seq: number): LoggedFrame | undefined
}

export interface LoggedFrame {
  readonly frame: string
  readonly type: AgentEvent['type']
  /** Of a tool's start and end. */
  readonly toolCallId: string | undefined
}

/** UTF-16 units above which a line is worth being shared. */
const long = 65_536
/** Milliseconds that one is kept after somebody asked for it; who takes nothing for so long is disconnected. */
const keptMs = 60_000

interface Holder {
  last: { readonly seq: number; readonly logged: LoggedFrame } | undefined
}

function forget(holder: Holder): void {
  holder.last = undefined
}

/** Keeps the last long one; its timer does not keep the process alive. */
export function sharedFrames(make: (record: SessionRecord) => string): SharedFrames {
  const holder: Holder = { last: undefined }
  let timer: NodeJS.Timeout | undefined
  const keep = (seq: number, logged: LoggedFrame): LoggedFrame => {
    holder.last = { seq, logged }
    clearTimeout(timer)
    timer = setTimeout(forget, keptMs, holder).unref() // a closure would hold `make`, and by that a session that rests
    return logged
  }
  return {
    of: (record) => {
      const { seq, line, event } = record
      const toolCallId = 'toolCallId' in event ? event.toolCallId : undefined
      const logged = { frame: make(record), type: event.type, toolCallId }
      return seq === undefined || line === undefined || line.length < long ? logged : keep(seq, logged)
    },
    kept: (seq) => (holder.last?.seq === seq ? keep(seq, holder.last.logged) : undefined),
  }
}
