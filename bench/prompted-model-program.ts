// A server whose answer is described by the prompt, as JSON; it ends with its standard input.
//
// POST …/chat/completions: the last user message is an `AskedAnswer`, and the rest of the body is not read, to cost no
// time. A request that ends with a tool's result is answered with one delta, or the next call. GET /gaps: the ms from
// each answer's end to the next request since the last GET, as JSON. Each delta of text is the time of its write, in
// ms, as 20 characters. The first line of output is the address.
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export interface RequestedAnswer {
  /** Of text, 20 characters each. */
  readonly deltas?: number
  /** Milliseconds between two deltas; 0: as fast as they are read. */
  readonly everyMs?: number
  /** The deltas are pieces of a Markdown text instead of times, and this, with a full stop, is its end. */
  readonly mark?: string
  /** That many turns, each with a call of `read` for `read.txt`, before the answer of one delta. */
  readonly reads?: number
  /** A call of `bash`, whose arguments come as deltas of 20 characters at that pace. */
  readonly command?: string
}

interface UserMessage {
  readonly content: string | readonly { readonly text?: string }[]
}

/** The file that each turn reads. */
const file = { path: 'read.txt' }
let gaps: number[] = []
let called = 0
let endedAt: number | undefined

const server = createServer((request, response) => {
  if (request.url === '/gaps') {
    response.end(JSON.stringify(gaps))
    gaps = []
    endedAt = undefined
    return
  }
  if (endedAt !== undefined) gaps.push(performance.now() - endedAt)
  let body = ''
  request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
  request.once('end', () => void answer(requestedAnswer(body), response))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port')
  console.log(`http://127.0.0.1:${address.port}`)
})
process.stdin.resume().once('end', () => process.exit())

function requestedAnswer(body: string): RequestedAnswer {
  const end = body.slice(body.lastIndexOf('{"role":"user"')) // its quotes would be escaped within a text
  const { content } = JSON.parse(end.slice(0, objectLength(end))) as UserMessage
  const whole = JSON.parse(
    typeof content === 'string' ? content : content.map(({ text = '' }) => text).join(''),
  ) as RequestedAnswer
  const answered = end.split('"role":"tool"').length - 1
  const left = (whole.reads ?? 1) - answered
  return answered > 0 && left <= 0 ? { deltas: 1 } : whole
}

/** The object at the beginning of the JSON. */
function objectLength(json: string): number {
  let depth = 0
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    depth += token === '{' ? 1 : token === '}' ? -1 : 0
    if (depth === 0) return index + token.length
  }
  throw new Error(`The request ends within an object: ${json.slice(0, 200)}`)
}

async function answer(
  { deltas = 0, everyMs = 0, mark, command, reads }: RequestedAnswer,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const calls = command !== undefined ? call('bash', { command }) : reads === undefined ? undefined : call('read', file)
  const parts = calls ?? (mark === undefined ? texts(deltas) : markdown(deltas, mark))
  const startedAt = performance.now()
  let sent = 0
  for (const part of parts) {
    const early = startedAt + sent * everyMs - performance.now()
    if (early > 0) await delay(early)
    sent += 1
    if (!response.write(chunk(part(), null))) await new Promise((resolve) => response.once('drain', resolve))
  }
  response.end(`${chunk({}, calls === undefined ? 'stop' : 'tool_calls')}data: [DONE]\n\n`)
  endedAt = performance.now()
}

/** Each is created when it is written. */
function* texts(count: number): Generator<() => object> {
  for (let index = 0; index < count; index++) {
    yield () => ({
      role: 'assistant',
      content: (performance.timeOrigin + performance.now()).toFixed(4).padStart(20, '0'),
    })
  }
}

/** Headings, paragraphs, lists and code, as models write them. */
function* markdown(count: number, mark: string): Generator<() => object> {
  const sentence = 'The **build** fails because `index.ts` imports a module that is not there any more. '
  const code = '```ts\nexport function add(a: number, b: number): number {\n  return a + b // sums\n}\n```'
  const section = `## What was found\n\n${sentence.repeat(4)}\n\n- the first point\n- the second with \`code\`\n\n${code}\n\n`
  const end = `\n\n${mark}.`
  const length = count * 20 - end.length
  const text = section.repeat(Math.ceil(length / section.length)).slice(0, length) + end
  for (let at = 0; at < text.length; at += 20) yield () => ({ role: 'assistant', content: text.slice(at, at + 20) })
}

function* call(name: string, args: object): Generator<() => object> {
  const text = JSON.stringify(args)
  yield () => ({
    role: 'assistant',
    tool_calls: [{ index: 0, id: `call_${(called += 1)}`, type: 'function', function: { name, arguments: '' } }],
  })
  for (let at = 0; at < text.length; at += 20)
    yield () => ({ tool_calls: [{ index: 0, function: { arguments: text.slice(at, at + 20) } }] })
}

function chunk(delta: object, finishReason: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }]
  const usage = finishReason === null ? {} : { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }
  const whole = {
    id: 'asked',
    object: 'chat.completion.chunk',
    created: 1_800_000_000,
    model: 'mock',
    choices,
    ...usage,
  }
  return `data: ${JSON.stringify(whole)}\n\n`
}
