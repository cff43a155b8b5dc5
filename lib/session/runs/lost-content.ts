// Content that a request needs and nobody has any more is told in the log, once a run and blob, with what the model is told instead.
import { bringContentBack } from '../../operators/request/content-back.ts'
import type { BringBack } from '../../operators/ports/request-ports.ts'
import type { Blobs } from '../../streams/log/blobs.ts'
import type { AgentEvent } from '../../streams/events/event.ts'

/** Brings back what a log keeps aside, for one run; `tell` is given a `warning` for what is lost. */
export function bringingBack(blobs: Blobs, tell: (event: AgentEvent) => void): BringBack {
  const told = new Set<string>()
  return bringContentBack({
    blobs,
    lost: ({ blob, bytes }, { message }) => {
      if (told.has(blob)) return
      told.add(blob)
      const more = `${message}; the model is told so in its place. Put the file back, or repair the session`
      tell({ type: 'warning', code: 'blob_lost', message: more, context: { blob, bytes }, recoverable: true })
    },
  })
}
