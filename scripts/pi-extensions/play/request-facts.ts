// Reads the facts of a request to the mock model: system prompt, tools, messages and unusual headers.
import type { IncomingHttpHeaders } from 'node:http'
import type { RequestFacts } from '../contract/extension-record.ts'
import { plainText } from '../contract/plain-text.ts'

interface WireMessage {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[]
}

interface WireRequest {
  readonly model: string
  readonly messages: readonly WireMessage[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

/** Headers of every HTTP client and SDK. */
const usual =
  /^(accept|accept-.*|authorization|connection|content-.*|host|sec-.*|transfer-encoding|user-agent|x-stainless-.*|traceparent)$/

export function requestFacts(body: string, headers: IncomingHttpHeaders): RequestFacts {
  const { model, messages, tools = [] } = JSON.parse(body) as WireRequest // sent by an SDK
  const isSystem = ({ role }: WireMessage): boolean => role === 'system' || role === 'developer'
  return {
    model,
    system: messages.filter(isSystem).map(contentText).join('\n'),
    tools: tools.map(({ function: { name } }) => name).toSorted(),
    messages: messages.filter((message) => !isSystem(message)).map(messageLine),
    headers: Object.entries(headers)
      .filter(([name]) => !usual.test(name))
      .map(([name, value]) => `${name}: ${String(value)}`),
  }
}

function messageLine(message: WireMessage): string {
  const calls = (message.tool_calls ?? []).map(({ function: { name, arguments: args } }) => `[${name} ${args}]`)
  return [`${message.role}: ${contentText(message)}`, ...calls].join(' ').trim()
}

function contentText({ content }: WireMessage): string {
  if (typeof content === 'string') return plainText(content)
  if (!Array.isArray(content)) return ''
  return content
    .map((part: { type?: string; text?: string }) =>
      part.type === 'text' ? plainText(part.text ?? '') : `<${part.type ?? '?'}>`,
    ) // prettier-ignore
    .join('\n')
}
