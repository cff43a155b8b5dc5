// A long line that many clients are behind at is held once for all of them, not once for each that reads it.
import type { SessionRecord } from '../streams/session-record.ts'

/** UTF-16 units above which a line is worth being shared. */
const long = 65_536
/** Milliseconds that one is kept after somebody asked for it; who takes nothing for so long is disconnected. */
const keptMs = 60_000

/**
 * Gives the frame of a record that was read from the log. Of long ones the last is kept, so that all who read that line now share
 * one text; its timer does not keep the process alive.
 */
export function sharedFrames(make: (record: SessionRecord) => string): (record: SessionRecord) => string {
  let kept: { readonly seq: number; readonly frame: string } | undefined
  let timer: NodeJS.Timeout | undefined
  const keep = (seq: number, frame: string): string => {
    kept = { seq, frame }
    clearTimeout(timer)
    timer = setTimeout(() => (kept = undefined), keptMs).unref()
    return frame
  }
  return (record) => {
    const { seq, line } = record
    if (seq === undefined || line === undefined || line.length < long) return make(record)
    return keep(seq, kept?.seq === seq ? kept.frame : make(record))
  }
}
