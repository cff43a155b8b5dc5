// What a person's command came to while a turn was on waits for the turn's end; it waits until its message stands in the log.
import { bashExecutionIn } from '../messages/bash-execution.ts'
import type { EventNamed } from '../events/event.ts'
import type { Message } from '../messages/message.ts'

/** One event more; the very list where nothing changes. */
export function foldDeferred(
  deferred: readonly Message[],
  event: EventNamed<'job_end' | 'message_end'>,
): readonly Message[] {
  if (event.type === 'job_end') return event.message === undefined ? deferred : [...deferred, event.message]
  const jobId = deferred.length === 0 ? undefined : bashExecutionIn(event.message)?.jobId
  return jobId === undefined ? deferred : deferred.filter((message) => bashExecutionIn(message)?.jobId !== jobId)
}
