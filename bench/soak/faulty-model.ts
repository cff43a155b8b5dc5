// An OpenAI-compatible server on loopback with all faults of networks; most answers are good.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Chance } from './chance.ts'
import { faultyAnswer } from './faulty-answer.ts'
import type { AnswerEnd, FaultyAnswer } from './faulty-answer.ts'
import type { OfferedCalls, StormCall } from './storm-calls.ts'

export interface FaultyModel extends AsyncDisposable {
  /** The base URL of its API. */
  readonly baseUrl: string
  /** The number of answers of each kind. */
  readonly answers: Readonly<Record<string, number>>
  /** Requests in work. */
  readonly open: number
}

/** The model with a window: a request that does not fit is refused, as by a vendor. */
export const smallModel = { id: 'small', contextWindow: 24_000 } as const

/** At the end of each such time, the model calls for no program for so long; jobs end within 10 s. */
const quietMs = { every: 120_000, time: 30_000 }

interface ModelRequest {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly tool_calls?: unknown }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

interface ReceivedRequest {
  readonly body: ModelRequest
  /** Four bytes are a token. */
  readonly tokens: number
  readonly text: string
}

/** Answers at random until it is disposed of, with every connection. */
export async function faultyModel(chance: Chance): Promise<FaultyModel> {
  const answers: Record<string, number> = {}
  let [open, count] = [0, 0]
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(404).end() // it has no list of its models
      return
    }
    open += 1
    response.once('close', () => (open -= 1))
    void bodyOf(request).then((received) => {
      if (received === undefined) return undefined // nobody reads an answer
      const answer = answerTo(chance, received)
      const name = answer.kind === 'stream' ? `stream, ${answer.end}` : answer.kind
      answers[name] = (answers[name] ?? 0) + 1
      if (received.body.tools === undefined) answers['summaries'] = (answers['summaries'] ?? 0) + 1
      return send(response, answer, { number: (count += 1), tokens: received.tokens })
    })
  })
  server.keepAliveTimeout = 3_000 // so that idle connections end between two requests, and sometimes within one
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The model listens on no port')
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    answers,
    get open() {
      return open
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

/** Undefined if the client disconnected before its end. */
async function bodyOf(request: IncomingMessage): Promise<ReceivedRequest | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  } catch {
    return undefined // an abort: the answer is dropped
  }
  const text = Buffer.concat(chunks).toString()
  return { body: JSON.parse(text) as ModelRequest, tokens: Math.ceil(text.length / 4), text }
}

function answerTo(chance: Chance, received: ReceivedRequest): FaultyAnswer {
  const { body, tokens } = received
  if (body.model === smallModel.id && tokens > smallModel.contextWindow) return { kind: 'too_long' }
  return faultyAnswer(chance, { turns: turnsOf(body), offered: offeredBy(received) })
}

function offeredBy({ body: { tools }, text }: ReceivedRequest): OfferedCalls | undefined {
  if (tools === undefined) return undefined
  return {
    listed: tools.map((tool) => tool.function.name),
    ofServers: [...new Set(text.match(/\bmcp__[a-z]+__[a-z]+\b/g))],
    isQuiet: performance.now() % quietMs.every > quietMs.every - quietMs.time,
    jobs: [...new Set(Array.from(text.matchAll(/\[Job (\w+) is running/g), ([, id = '']) => id))],
  }
}

function turnsOf({ messages }: ModelRequest): number {
  const promptIndex = messages.findLastIndex(({ role }) => role === 'user')
  return messages.slice(promptIndex).filter(({ tool_calls }) => tool_calls !== undefined).length
}

interface SentAnswer {
  readonly number: number
  /** Of the request. */
  readonly tokens: number
}

async function send(response: ServerResponse, answer: FaultyAnswer, sent: SentAnswer): Promise<void> {
  if (answer.kind === 'silent') return
  if (answer.kind === 'too_long') {
    const error = { message: "This model's maximum context length is exceeded", code: 'context_length_exceeded' }
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
    return
  }
  if (answer.kind === 'status') {
    const { status, retryAfterS } = answer
    const headers = retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: { message: `The soak's model says ${status}`, type: 'soak' } }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  const { number, tokens } = sent
  const { pieces, everyMs, calls, end } = answer
  for (let piece = 0; piece < pieces; piece += 1) {
    if (everyMs > 0) await delay(everyMs)
    if (!(await written(response, event({ content: `piece ${number}.${piece} `.padEnd(20, '.') })))) return
  }
  for (const [index, call] of calls.entries()) {
    for (const delta of callDeltas(call, index, number)) if (!(await written(response, event(delta)))) return
  }
  ended(response, end, { finishReason: calls.length > 0 ? 'tool_calls' : 'stop', tokens })
}

/** Resolves when the connection accepts more; false if it is closed. */
async function written(response: ServerResponse, text: string): Promise<boolean> {
  if (response.destroyed) return false
  if (!response.write(text)) {
    await new Promise<void>((resolve) => {
      const go = (): void => {
        response.off('drain', go).off('close', go)
        resolve()
      }
      response.on('drain', go).on('close', go)
    })
  }
  return !response.destroyed
}

/** Arguments come in pieces of 400 characters. */
function* callDeltas({ name, arguments: text }: StormCall, index: number, number: number): Generator<object> {
  yield { tool_calls: [{ index, id: `call_${number}_${index}`, type: 'function', function: { name, arguments: '' } }] }
  for (let at = 0; at < text.length; at += 400)
    yield { tool_calls: [{ index, function: { arguments: text.slice(at, at + 400) } }] }
}

interface LastEvent {
  readonly finishReason: string
  readonly tokens: number
}

function ended(response: ServerResponse, end: AnswerEnd, last: LastEvent): void {
  switch (end) {
    case 'whole':
      response.end(`${event({}, last)}data: [DONE]\n\n`)
      return
    case 'no_end':
      response.end()
      return
    case 'half_line':
      response.end('data: {"choices":[{"index":0,"delta":{"cont')
      return
    case 'garbage':
      response.end(`data: <html>502 Bad Gateway</html>\n\n${'\u0000\uFFFD'.repeat(500)}\n\ndata: {}\n\n`)
      return
    case 'cut':
      response.socket?.destroy()
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'stall':
      return
  }
}

function event(delta: object, last?: LastEvent): string {
  const choices = [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: last?.finishReason ?? null }]
  const usage = last && { prompt_tokens: last.tokens, completion_tokens: 50, total_tokens: last.tokens + 50 }
  return `data: ${JSON.stringify({ id: 'soak', object: 'chat.completion.chunk', created: 1_800_000_000, model: 'mock', choices, usage })}\n\n`
}
