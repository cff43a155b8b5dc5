// What waits in a session's queues, as its `queue_update` events tell it; everything is matched by id.
import type { EventNamed } from '../events/event.ts'
import type { UserContent } from '../messages/message.ts'

/** A queued input, waiting for its turn. */
export interface QueuedInput {
  readonly queueId: string
  readonly queue: 'steering' | 'followUp'
  readonly content: string | readonly UserContent[]
}

/** One `queue_update` more; the very queue where nothing changes. */
export function foldQueue(queue: readonly QueuedInput[], event: EventNamed<'queue_update'>): readonly QueuedInput[] {
  const { queueId, content = '' } = event
  switch (event.op) {
    case 'add':
      return queueId === undefined ? queue : [...queue, { queueId, queue: event.queue, content }]
    case 'edit':
      return queue.map((input) => (input.queueId === queueId ? { ...input, content } : input))
    case 'take':
    case 'remove':
      return withoutInput(queue, queueId)
    case 'clear':
      return queue.filter((input) => input.queue !== event.queue)
  }
}

/** The queue without one input. The first is what is mostly taken: a `filter` over 10,000 inputs took twenty times as long, for each of them. */
export function withoutInput(queue: readonly QueuedInput[], queueId: string | undefined): readonly QueuedInput[] {
  if (queueId === undefined) return queue
  for (let index = 0; index < queue.length; index++) {
    if (queue[index]?.queueId === queueId) return index === 0 ? queue.slice(1) : queue.toSpliced(index, 1)
  }
  return queue
}
