// A queued input of a repaired log is in its queue or in a message: where the message that took it is lost, it waits again.
import type { AgentEvent, EventNamed } from '../streams/event.ts'
import type { MendedEvent } from './repair-entries.ts'

export interface QueueRepair {
  /** The next event that can be believed, as it is to stand in the copy. */
  mend(event: AgentEvent): MendedEvent
}

export function queueRepair(): QueueRepair {
  const started = new Map<string, string | undefined>() // messages whose start is there, with the input that they deliver
  const delivered = new Set<string | undefined>()
  let isUnnamed = false // a message is there whose start, which names the input, is lost: a `take` behind it may be its own

  function noteEnd({ entryId, message }: EventNamed<'message_end'>): void {
    if (message.role !== 'user') return
    isUnnamed = !started.has(entryId)
    delivered.add(started.get(entryId))
  }
  return {
    mend(event) {
      if (event.type === 'message_start') started.set(event.entryId, event.queueId)
      if (event.type === 'message_end') noteEnd(event)
      if (event.type !== 'queue_update') return { event }
      const isLost = event.op === 'take' && !isUnnamed && !delivered.has(event.queueId)
      isUnnamed = false
      return isLost ? untaken : { event }
    },
  }
}

const untaken: MendedEvent = {
  event: {
    type: 'error',
    code: 'lost_line',
    message: 'A queued input was taken here, and the message that it became was lost: it waits in its queue again',
    recoverable: true,
  },
  change: 'the message that a queued input became is lost; the input is queued again',
}
