// Queues inputs for the run that is on or the next one, and changes those that wait.
import type { Observable } from 'rxjs'
import type { QueuedInput } from '../../streams/state/fold-session.ts'
import { respondWhenWritten } from '../pipeline/respond-when-durable.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { SessionCore } from '../runs/session-core.ts'
import type { InputMessage } from './expand-input.ts'

interface QueueOptions {
  readonly core: SessionCore
  readonly pipeline: Pipeline
}

type Origin = { readonly opId?: string }

/** State first: the input is in the queue before its event is published. `more` may bring the input's `queueId`. */
export function enqueue(
  options: QueueOptions,
  queue: QueuedInput['queue'],
  input: InputMessage,
  origin: Origin,
  more: { readonly queueId?: string; readonly status?: 'queued' } = {},
): Observable<object> {
  const { core } = options
  const { queueId = core.ids.short() } = more
  const event = core.queues.add({ queueId, queue, ...input })
  return respondWhenWritten(options, [{ event, ...origin }], { ...more, queueId })
}

/** Changes an input that still waits. @throws Failure `bad_request` if it does not wait any more */
export function editQueued(
  options: QueueOptions,
  { queueId }: { readonly queueId: string },
  { content, invocation }: InputMessage,
  origin: Origin,
): Observable<object> {
  return respondWhenWritten(options, [{ event: options.core.queues.edit(queueId, content, invocation), ...origin }], {})
}
