// Makes rxpi's request of a conversation with a vendor's key; no request leaves the process.
import { EMPTY, catchError } from 'rxjs'
import { createKeyMemory } from '../../../lib/providers/keys/key-memory.ts'
import { resolveModel } from '../../../lib/providers/resolve/resolve-model.ts'
import type { ToolDefinition } from '../../../lib/streams/ports/tool.ts'
import { resultOf } from '../../support/result-of.ts'
import { valuesOf } from '../../support/values-of.ts'
import { sessionId, tools } from '../accounts/requests/conversations.ts'
import type { Conversation, RecordedRequest } from '../accounts/requests/conversations.ts'
import { ownMessage } from '../accounts/requests/own-request.ts'
import { recordedRequest } from './key-wires.ts'
import type { KeyWire } from './key-wires.ts'

export async function ownKeyRequest({ name, own, env }: KeyWire, conversation: Conversation): Promise<RecordedRequest> {
  let sent: RecordedRequest | undefined
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const body = (await request.json()) as RecordedRequest['body']
    sent = recordedRequest(request.url, request.headers, body)
    return new Response('{}', { status: 400 })
  }
  const options = { name: own, env, memory: createKeyMemory(), models: { providers: {} }, fetch }
  const { model, provider } = await resultOf(resolveModel(options))
  const { system, withTools, level, turns } = conversation
  const messages = turns.map((turn) => ownMessage(turn, model))
  const declared = withTools ? (tools as unknown as readonly ToolDefinition[]) : []
  const request = { model, system, messages, tools: declared, thinkingLevel: level, sessionId }
  await valuesOf(provider(request).pipe(catchError(() => EMPTY)))
  if (sent === undefined) throw new Error(`rxpi sent nothing for ${name}, ${conversation.name}`)
  return sent
}
