// Makes rxpi's request of a conversation with the token of an account; no request leaves the process.
import { EMPTY, catchError, of } from 'rxjs'
import { createKeyMemory } from '../../../../lib/providers/keys/key-memory.ts'
import { resolveModel } from '../../../../lib/providers/resolve/resolve-model.ts'
import type { StoredAccount } from '../../../../lib/streams/accounts/account-storage.ts'
import type { Message, ToolResultMessage, UserContent } from '../../../../lib/streams/messages/message.ts'
import type { Model } from '../../../../lib/streams/models/model.ts'
import type { ToolDefinition } from '../../../../lib/streams/ports/tool.ts'
import { resultOf } from '../../../support/result-of.ts'
import { valuesOf } from '../../../support/values-of.ts'
import { marks, pixel, recordedHeaders, sessionId, tokenOf, tools } from './conversations.ts'
import type { AccountWire, Conversation, RecordedRequest, Turn } from './conversations.ts'

export async function ownRequest(wire: AccountWire, conversation: Conversation): Promise<RecordedRequest> {
  const token = tokenOf(wire)
  let sent: RecordedRequest | undefined
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const body = (await request.json()) as RecordedRequest['body']
    sent = { url: request.url, headers: recordedHeaders(request.headers, token), body }
    return new Response('{}', { status: 400 })
  }
  const { model, provider } = await resultOf(resolveModel(optionsOf(wire, token, fetch)))
  const { system, withTools, level, turns } = conversation
  const messages = turns.map((turn) => ownMessage(turn, model))
  const declared = withTools ? (tools as unknown as readonly ToolDefinition[]) : []
  const request = { model, system, messages, tools: declared, thinkingLevel: level, sessionId }
  await valuesOf(provider(request).pipe(catchError(() => EMPTY)))
  if (sent === undefined) throw new Error(`rxpi sent nothing for ${wire.name}, ${conversation.name}`)
  return sent
}

function optionsOf({ provider, model, origin }: AccountWire, token: string, fetch: typeof globalThis.fetch) {
  const account: StoredAccount = {
    ...{ id: 'abcdefgh', provider, origin, kept: 'file', renewedAt: 1, accountId: 'account-1' },
  }
  const accounts = { list: (name: string) => (name === provider ? [account] : []), access: () => of(token) }
  const authStorage = { list: () => [], read: () => EMPTY, accounts }
  const memory = createKeyMemory()
  return { name: `${provider}/${model}`, env: {}, authStorage, memory, models: { providers: {} }, fetch }
}

/** A part of a conversation as rxpi stores it. */
export function ownMessage(turn: Turn, { api, provider, id }: Model): Message {
  const timestamp = 1
  if ('user' in turn) {
    const content: UserContent[] = [{ type: 'text', text: turn.user }, ...(turn.image === true ? [image] : [])]
    return { role: 'user', content, timestamp }
  }
  if ('result' in turn) {
    const content: ToolResultMessage['content'] = [
      { type: 'text', text: turn.result },
      ...(turn.image === true ? [image] : []),
    ]
    const of = { toolCallId: marks.callId, toolName: turn.of, isError: turn.isError === true }
    return { role: 'toolResult', content, ...of, timestamp }
  }
  const { thinking, text, call } = turn
  const thinkingSignature = api === 'openai-completions' ? 'reasoning_content' : marks.signature
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: 'unknown' as const }
  return {
    role: 'assistant',
    content: [
      ...(thinking === undefined ? [] : [{ type: 'thinking' as const, thinking, thinkingSignature }]),
      ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
      ...(call === undefined
        ? []
        : [{ type: 'toolCall' as const, id: marks.callId, name: call, arguments: { path: 'a.txt' } }]),
    ],
    ...{ api, provider, model: id, usage, timestamp },
    stopReason: call === undefined ? 'stop' : 'toolUse',
  }
}

const image = { type: 'image', data: pixel, mimeType: 'image/png' } as const
