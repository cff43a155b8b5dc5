// Names what spans say about runs, requests and tools, by OpenTelemetry's AI conventions.
import type { EventNamed } from '../../streams/events/event.ts'
import type { AssistantMessage, Message, Usage } from '../../streams/messages/message.ts'
import { messageText } from '../../streams/messages/message-text.ts'
import type { SpanAttributes } from './span-port.ts'

/** Vendors whose name in the conventions is another than that of the provider. */
const vendors: Readonly<Record<string, string>> = {
  bedrock: 'aws.bedrock',
  google: 'gcp.gemini',
  'google-vertex': 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
}

/** @param model `provider/id` */
export function modelAttributes(model: string): SpanAttributes {
  const provider = model.slice(0, Math.max(model.indexOf('/'), 0))
  return {
    'gen_ai.request.model': modelId(model),
    ...(provider === '' ? {} : { 'gen_ai.provider.name': vendors[provider] ?? provider }),
  }
}

/** The model without its provider. */
export function modelId(model: string): string {
  return model.slice(model.indexOf('/') + 1)
}

/** `gen_ai.usage.input_tokens` includes what a cache served or took; the cost is in USD, absent if it is unknown. */
export function usageAttributes({ input, output, cacheRead, cacheWrite, reasoning, cost }: Usage): SpanAttributes {
  return {
    'gen_ai.usage.input_tokens': input + cacheRead + cacheWrite,
    'gen_ai.usage.output_tokens': output,
    'gen_ai.usage.cache_read.input_tokens': cacheRead,
    'gen_ai.usage.cache_creation.input_tokens': cacheWrite,
    ...(reasoning === undefined ? {} : { 'gen_ai.usage.reasoning.output_tokens': reasoning }),
    ...(cost === 'unknown' ? {} : { 'rxpi.usage.cost_usd': cost.total }),
  }
}

export function answerAttributes(message: AssistantMessage, withContent: boolean): SpanAttributes {
  const { provider, model, responseModel, responseId, stopReason, usage } = message
  return {
    ...modelAttributes(`${provider}/${model}`),
    ...(responseModel === undefined ? {} : { 'gen_ai.response.model': responseModel }),
    ...(responseId === undefined ? {} : { 'gen_ai.response.id': responseId }),
    'gen_ai.response.finish_reasons': [stopReason],
    ...usageAttributes(usage),
    ...(withContent ? { 'gen_ai.output.messages': JSON.stringify([{ ...spanMessage(message), finish_reason: stopReason }]) } : {}), // prettier-ignore
  }
}

export function callAttributes(
  { toolName, toolCallId, args }: EventNamed<'tool_execution_start'>,
  withContent: boolean,
): SpanAttributes {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': toolName,
    'gen_ai.tool.call.id': toolCallId,
    'gen_ai.tool.type': 'function',
    ...(withContent && args !== undefined ? { 'gen_ai.tool.call.arguments': JSON.stringify(args) } : {}),
  }
}

export function resultAttributes({ content }: EventNamed<'tool_execution_end'>, withContent: boolean): SpanAttributes {
  if (!withContent) return {}
  return { 'gen_ai.tool.call.result': content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n') }
}

/** A message in the JSON of the conventions: text and tool calls, no images. */
export function spanMessage(message: Message): object {
  const text = messageText(message)
  const parts: object[] = text === '' ? [] : [{ type: 'text', content: text }]
  if (message.role === 'assistant')
    for (const part of message.content)
      if (part.type === 'toolCall')
        parts.push({ type: 'tool_call', id: part.id, name: part.name, arguments: part.arguments })
  return { role: message.role, parts }
}
