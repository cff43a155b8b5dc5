// Schemas of the proxy's requests: a conversation and a model's name.
// Addresses and keys are not part of them.
import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'
import {
  AssistantMessage,
  ImageContent,
  Message,
  TextContent,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
  Usage,
  UserMessage,
} from '../../streams/messages/message.ts'
import { stringEnum } from '../../streams/schema/schema-helpers.ts'
import { thinkingLevels } from '../../streams/models/model.ts'

const closed = { additionalProperties: false }

export const ProxyRequest = Type.Object(
  {
    /** `provider/id`. */
    model: Type.String({ minLength: 1, maxLength: 256 }),
    system: Type.String(),
    messages: Type.Array(Type.Unsafe<Message>(Type.Ref('Message'))),
    tools: Type.Array(
      Type.Object(
        {
          name: Type.String({ minLength: 1 }),
          description: Type.String(),
          parameters: Type.Object({ type: Type.Literal('object') }),
        },
        closed,
      ),
    ),
    thinkingLevel: stringEnum(thinkingLevels),
    temperature: Type.Optional(Type.Number()),
    maxTokens: Type.Optional(Type.Integer({ minimum: 1 })),
    toolChoice: Type.Optional(
      Type.Union([
        stringEnum(['auto', 'none', 'required']),
        Type.Object({ name: Type.String({ minLength: 1 }) }, closed),
      ]),
    ),
    outputSchema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    sessionId: Type.Optional(Type.String({ maxLength: 256 })),
  },
  { ...closed, $id: 'ProxyRequest' },
)
export type ProxyRequest = Static<typeof ProxyRequest>

/** The schemas to compile: the request and what it refers to. */
export const proxySchemas: Record<string, TSchema> = {
  ProxyRequest,
  Message,
  UserMessage,
  AssistantMessage,
  ToolResultMessage,
  TextContent,
  ThinkingContent,
  ImageContent,
  ToolCall,
  Usage,
}
