// A model on the wires of the compared agents: the same 50 deltas each time, until its input ends.
//
// Its address is the first line of its standard output. GET /requests: the requests since the last such one, as JSON.
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { mockAnswer } from '../../../bench/mock-answer.ts'

export interface MockRequest {
  readonly path: string
  /** Of its body. */
  readonly bytes: number
}

let requests: MockRequest[] = []

const server = createServer((request, response) => {
  if (request.method === 'GET' && request.url === '/requests') {
    response.end(JSON.stringify(requests))
    requests = []
  } else if (request.method === 'POST') answer(request, response)
  else response.writeHead(404).end('{}')
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port')
  console.log(`http://127.0.0.1:${address.port}`)
})
process.stdin.resume().once('end', () => process.exit())

function answer(request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? '').replace(/\?.*$/, '')
  const wire = Object.entries(wires).find(([end]) => path.endsWith(end))?.[1]
  let bytes = 0
  request.on('data', (chunk: Buffer) => (bytes += chunk.length))
  request.once('end', () => {
    if (wire === undefined) {
      response.writeHead(404).end('{}')
      return
    }
    requests.push({ path, bytes })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const frame of wire()) response.write(frame)
    response.end()
  })
}

const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
const named = (type: string, fields: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

const wires: Readonly<Record<string, () => Iterable<string>>> = {
  '/chat/completions': function* () {
    const chunk = (delta: object, reason: string | null, more: object = {}): string =>
      data({
        ...{ id: 'mock-1', object: 'chat.completion.chunk', created: 1_800_000_000, model: 'mock' },
        ...{ choices: [{ index: 0, delta, finish_reason: reason }], ...more },
      })
    yield chunk({ role: 'assistant', content: '' }, null)
    for (const content of mockAnswer) yield chunk({ content }, null)
    yield chunk({}, 'stop', { usage: { prompt_tokens: 1_000, completion_tokens: 250, total_tokens: 1_250 } })
    yield 'data: [DONE]\n\n'
  },
  '/responses': function* () {
    const item = { id: 'i', type: 'message', role: 'assistant' }
    const text = mockAnswer.join('')
    const done = { ...item, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] }
    const response = { id: 'r', object: 'response', created_at: 1_800_000_000, model: 'mock' }
    const at = { item_id: 'i', output_index: 0, content_index: 0 }
    yield named('response.created', { response: { ...response, status: 'in_progress', output: [] } })
    yield named('response.output_item.added', {
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    })
    for (const delta of mockAnswer) yield named('response.output_text.delta', { ...at, delta })
    yield named('response.output_item.done', { output_index: 0, item: done })
    const usage = {
      ...{ input_tokens: 1_000, input_tokens_details: { cached_tokens: 0 } },
      ...{ output_tokens: 250, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 1_250 },
    }
    yield named('response.completed', { response: { ...response, status: 'completed', output: [done], usage } })
  },
  '/messages': function* () {
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'mock', content: [], stop_reason: null }
    const usage = { input_tokens: 1_000, output_tokens: 1 }
    yield named('message_start', { message: { ...message, stop_sequence: null, usage } })
    yield named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
    for (const text of mockAnswer) yield named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })
    yield named('content_block_stop', { index: 0 })
    const delta = { stop_reason: 'end_turn', stop_sequence: null }
    yield named('message_delta', { delta, usage: { output_tokens: 250 } })
    yield named('message_stop')
  },
}
