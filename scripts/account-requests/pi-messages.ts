// Makes the messages of a conversation as pi stores them.
import { marks, pixel } from '../../test/providers/accounts/requests/conversations.ts'
import type { Turn } from '../../test/providers/accounts/requests/conversations.ts'

interface PiWire {
  readonly provider: string
  readonly model: string
  readonly piApi: string
}

/** @param wire the provider, model and API as pi names them */
export function piMessage(turn: Turn, { provider, model, piApi }: PiWire): object {
  const image = { type: 'image', data: pixel, mimeType: 'image/png' }
  const timestamp = 1
  if ('user' in turn) {
    const text = { type: 'text', text: turn.user }
    return { role: 'user', content: turn.image === true ? [text, image] : turn.user, timestamp }
  }
  if ('result' in turn) {
    const content = [{ type: 'text', text: turn.result }, ...(turn.image === true ? [image] : [])]
    const ids = { toolCallId: callId(piApi), toolName: turn.of, isError: turn.isError === true }
    return { role: 'toolResult', content, ...ids, timestamp }
  }
  const { thinking, text, call } = turn
  const content = [
    ...(thinking === undefined ? [] : [{ type: 'thinking', thinking, thinkingSignature: signature(thinking, piApi) }]),
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...(call === undefined ? [] : [{ type: 'toolCall', id: callId(piApi), name: call, arguments: { path: 'a.txt' } }]),
  ]
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: {} }
  const stopReason = call === undefined ? 'stop' : 'toolUse'
  return { role: 'assistant', content, api: piApi, provider, model, usage, stopReason, timestamp }
}

/** pi stores the whole item of the Responses API. */
function signature(thinking: string, piApi: string): string {
  if (piApi === 'openai-completions') return 'reasoning_content'
  if (!piApi.includes('responses')) return marks.signature
  const summary = [{ type: 'summary_text', text: thinking }]
  return JSON.stringify({ type: 'reasoning', id: 'rs_1', summary, encrypted_content: marks.signature })
}

/** pi joins the two ids of the Responses API. */
function callId(piApi: string): string {
  return piApi.includes('responses') ? `${marks.callId}|fc_1` : marks.callId
}
