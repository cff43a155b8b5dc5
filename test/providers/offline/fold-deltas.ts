// Folds a provider's deltas into the message that a session would store.
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { foldMessage } from '../../../lib/streams/messages/fold-message.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type { AssistantMessage } from '../../../lib/streams/messages/message.ts'

const empty: AssistantMessage = {
  role: 'assistant',
  content: [],
  api: 'test',
  provider: 'test',
  model: 'test',
  usage: noUsage,
  stopReason: 'aborted',
  timestamp: 0,
}

/** The message; its stopReason stays `aborted` if no `done` came. */
export function foldDeltas(deltas: readonly AssistantDelta[]): AssistantMessage {
  return deltas.reduce(foldOne, empty)
}

function foldOne(message: AssistantMessage, delta: AssistantDelta): AssistantMessage {
  switch (delta.type) {
    case 'start':
      return {
        ...message,
        ...(delta.responseId === undefined ? {} : { responseId: delta.responseId }),
        ...(delta.model === undefined ? {} : { responseModel: delta.model }),
      }
    case 'warning':
      return message
    case 'usage':
      return { ...message, usage: delta.usage }
    case 'done':
      return { ...message, usage: delta.usage, stopReason: delta.stopReason }
    default:
      return foldMessage(message, delta)
  }
}
