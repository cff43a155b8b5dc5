// Serves a scripted model on loopback, in the form of OpenAI's chat completions.
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelTurn } from '../contract/situation.ts'
import type { RequestFacts } from '../contract/extension-record.ts'
import { requestFacts } from './request-facts.ts'

export interface MockEndpoint {
  readonly baseUrl: string
  readonly requests: RequestFacts[]
  /** Answers of the next requests; when none is left, the model says `Done.` */
  script(turns: readonly ModelTurn[]): void
  close(): void
}

export async function mockEndpoint(): Promise<MockEndpoint> {
  const requests: RequestFacts[] = []
  let turns: ModelTurn[] = []
  let calls = 0
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      requests.push(requestFacts(body, request.headers))
      const turn = turns.shift() ?? 'Done.'
      calls += 1
      answerTurn(response, turn, `call_${calls}`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has one
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    script: (next) => {
      turns = [...next]
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  request.setEncoding('utf8')
  for await (const piece of request) body += String(piece)
  return body
}

/** Streams one answer. */
export function answerTurn(response: ServerResponse, turn: ModelTurn, callId: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: unknown, finish: string | null): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    const chunk = { id: callId, object: 'chat.completion.chunk', created: 1, model: 'mock-model', choices }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  if (typeof turn === 'string') {
    send({ role: 'assistant', content: turn }, null)
    send({}, 'stop')
  } else {
    const calls = turn.calls.map(({ name, arguments: args }, index) => ({
      index,
      id: `${callId}_${index}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }))
    send({ role: 'assistant', tool_calls: calls }, null)
    send({}, 'tool_calls')
  }
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
  response.write(`data: ${JSON.stringify({ id: callId, object: 'chat.completion.chunk', created: 1, model: 'mock-model', choices: [], usage })}\n\n`) // prettier-ignore
  response.end('data: [DONE]\n\n')
}
