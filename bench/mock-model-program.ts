// A server that answers every chat completion with the same 50 deltas, until its input ends.
//
// POST …/chat/completions: the answer, as a stream of events. GET /requests: the sizes in bytes of the bodies since the
// last such request, as JSON. Its address is the first line of its standard output.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { mockAnswer } from './mock-answer.ts'

let sizes: number[] = []

const server = createServer((request, response) => {
  if (request.method === 'GET' && request.url === '/requests') sendSizes(response)
  else if (request.method === 'POST' && request.url?.endsWith('/chat/completions') === true) answer(request, response)
  else response.writeHead(404).end()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port')
  console.log(`http://127.0.0.1:${address.port}`)
})
process.stdin.resume().once('end', () => process.exit())

function sendSizes(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(sizes))
  sizes = []
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  let size = 0
  request.on('data', (bytes: Buffer) => (size += bytes.length))
  request.once('end', () => {
    sizes.push(size)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunks()) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
    response.end('data: [DONE]\n\n')
  })
}

function* chunks(): Generator<object> {
  yield chunk({ role: 'assistant', content: '' }, null)
  for (const content of mockAnswer) yield chunk({ content }, null)
  yield { ...chunk({}, 'stop'), usage: { prompt_tokens: 1_000, completion_tokens: 250, total_tokens: 1_250 } }
}

function chunk(delta: object, finishReason: 'stop' | null): object {
  const choices = [{ index: 0, delta, finish_reason: finishReason }]
  return { id: 'mock-1', object: 'chat.completion.chunk', created: 1_800_000_000, model: 'mock', choices }
}
