// Declares a request of an extension to a model, apart from the conversation.
import type { Message } from '../../streams/messages/message.ts'
import type { ThinkingLevel } from '../../streams/models/model.ts'

export interface CompletionRequest {
  /** As `provider/id`. Default: the session's model. */
  readonly model?: string
  readonly system?: string
  readonly messages: readonly Message[]
  /** Most output tokens. Default: the model's maximum. */
  readonly maxTokens?: number
  /** Default: `off`. */
  readonly thinkingLevel?: ThinkingLevel
}
