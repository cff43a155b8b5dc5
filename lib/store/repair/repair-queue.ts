// A queued input of a repaired log is in its queue or in a message: never in both, and where its message is lost it waits again.
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { QueuedInput } from '../../streams/state/fold-inputs.ts'
import { foldQueue, withoutInput } from '../../streams/state/fold-inputs.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import type { MendedEvent } from './repair-entries.ts'

export interface QueueRepair {
  /**
   * The lost start of the message that ends here, where a queued input has the same words: it names the input, and without it
   * the input would be told to the model a second time. A message with an `opId` is its own prompt and no input's.
   */
  lostStart(record: Pick<SessionRecord, 'opId' | 'event'>): EventNamed<'message_start'> | undefined
  /** The next event that can be believed, as it is to stand in the copy. */
  mend(event: AgentEvent): MendedEvent
}

export function queueRepair(): QueueRepair {
  const started = new Map<string, string | undefined>() // messages whose start is there, with the input that they deliver
  const delivered = new Set<string | undefined>()
  let queue: readonly QueuedInput[] = []
  let isUnnamed = false // a message is there whose start, which names the input, is lost: a `take` behind it may be its own

  function noteEnd({ entryId, message }: EventNamed<'message_end'>): void {
    if (message.role !== 'user') return
    queue = withoutInput(queue, started.get(entryId))
    isUnnamed = !started.has(entryId)
    delivered.add(started.get(entryId))
  }
  return {
    lostStart({ opId, event }) {
      if (event.type !== 'message_end' || event.message.role !== 'user') return undefined
      if (opId !== undefined || started.has(event.entryId)) return undefined
      const words = JSON.stringify(event.message.content)
      const input = queue.find(({ content }) => JSON.stringify(content) === words)
      return input && startOf(event, input)
    },
    mend(event) {
      if (event.type === 'message_start') started.set(event.entryId, event.queueId)
      if (event.type === 'message_end') noteEnd(event)
      if (event.type !== 'queue_update') return { event }
      const isLost = event.op === 'take' && !isUnnamed && !delivered.has(event.queueId)
      isUnnamed = false
      if (isLost) return untaken
      queue = foldQueue(queue, event)
      return { event }
    },
  }
}

function startOf({ entryId, parentId, message }: EventNamed<'message_end'>, { queueId }: QueuedInput) {
  return { type: 'message_start' as const, entryId, parentId, message: { ...message, content: [] }, queueId }
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
