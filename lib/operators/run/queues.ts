// Holds the inputs that wait for the run in two bounded queues; each change is one event.
import type { EventNamed } from '../../streams/events/event.ts'
import type { QueueMode, QueueName, Queues } from '../ports/run-ports.ts'
import type { QueuedInput } from '../../streams/state/fold-session.ts'
import { Failure } from '../../streams/values/failure.ts'

type QueueEvent = EventNamed<'queue_update'>

/** The capacity of a queue (docs/protocol.md#requests). */
export const queueCapacity = 10_000

/** Two empty queues, or the queues of a reopened session. State changes first; the caller emits the events. */
export function queues(
  initial: readonly QueuedInput[] = [],
  modes: Partial<Record<QueueName, QueueMode>> = {},
): Queues {
  const inputs: Record<QueueName, QueuedInput[]> = { steering: [], followUp: [] }
  const mode: Record<QueueName, QueueMode> = { steering: 'one-at-a-time', followUp: 'one-at-a-time', ...modes }
  for (const input of initial) inputs[input.queue].push(input)
  const find = (queueId: string): { readonly all: QueuedInput[]; readonly at: number; readonly input: QueuedInput } => {
    for (const all of [inputs.steering, inputs.followUp]) {
      const at = all.findIndex((input) => input.queueId === queueId)
      const input = all[at]
      if (input !== undefined) return { all, at, input }
    }
    throw new Failure('bad_request', `No queued input has the id "${queueId}"; it may have been delivered already`)
  }
  return {
    add: ({ queueId, queue, ...message }) => {
      if (inputs[queue].length >= queueCapacity) throw fullQueueFailure(queue)
      inputs[queue].push({ queueId, queue, ...message })
      return { type: 'queue_update', queue, op: 'add', queueId, ...message }
    },
    edit: (queueId, content, invocation) => {
      const { all, at, input } = find(queueId)
      const changed = { content, ...(invocation === undefined ? {} : { invocation }) }
      all[at] = { queueId, queue: input.queue, ...changed }
      return { type: 'queue_update', queue: input.queue, op: 'edit', queueId, ...changed }
    },
    remove: (queueId) => {
      const { all, at, input } = find(queueId)
      all.splice(at, 1)
      return { type: 'queue_update', queue: input.queue, op: 'remove', queueId }
    },
    clear: (queue) => {
      inputs[queue] = []
      return { type: 'queue_update', queue, op: 'clear' }
    },
    take: (queue) => inputs[queue].splice(0, mode[queue] === 'all' ? Infinity : 1),
    size: (queue) => inputs[queue].length,
    waiting: () => [...inputs.steering, ...inputs.followUp],
    mode: (queue) => mode[queue],
    setMode: (queue, next) => {
      mode[queue] = next
    },
  }
}

/** The event of a taken input. */
export function takeEvent({ queue, queueId }: QueuedInput): QueueEvent {
  return { type: 'queue_update', queue, op: 'take', queueId }
}

function fullQueueFailure(queue: QueueName): Failure {
  return new Failure(
    'overloaded',
    `The ${queue} queue holds ${queueCapacity} inputs and takes no more until the run takes some`,
  )
}
