// A run can go on from an input or a result without a new message; after an answer only what is queued can be asked.
import type { QueueName } from '../../operators/ports/run-ports.ts'
import { bashExecutionIn, bashExecutionInput } from '../../streams/messages/bash-execution.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Message } from '../../streams/messages/message.ts'
import type { SessionCore } from './session-core.ts'

/**
 * What a `continue` starts with (LOOP 25): nothing but the transcript's end, or the queue that is taken from first, steering
 * before follow-ups. An answer that failed or was aborted before it said anything is looked past: no model is told of it.
 * @throws Failure `bad_request` where there is nothing to continue
 */
export function continuation({ conversation, queues }: SessionCore): { readonly take?: QueueName } {
  const last = conversation.messages.findLast(isTold)
  if (last === undefined) throw nothing('The session is empty')
  if (last.role !== 'assistant') return {}
  if (queues.size('steering') > 0) return { take: 'steering' }
  if (queues.size('followUp') > 0) return { take: 'followUp' }
  throw nothing('The last message is an answer, and nothing is queued')
}

function isTold(message: Message): boolean {
  if (bashExecutionIn(message) !== undefined) return bashExecutionInput(message) !== undefined
  if (message.role !== 'assistant') return true
  return message.content.length > 0 || (message.stopReason !== 'error' && message.stopReason !== 'aborted')
}

function nothing(why: string): Failure {
  return new Failure('bad_request', `${why}: there is nothing to continue; send a prompt`)
}
