// The four model APIs behind one address; the model answers by its prompt and its tool results.
import { callBlock, messageEnd, messageStart, textBlock } from '../providers/anthropic/anthropic-events.ts'
import { chunk, lastChunk } from '../providers/google/google-chunks.ts'
import { callChunk, ending, textChunk } from '../providers/openai/openai-chunks.ts'
import { requestRules } from '../providers/adapter/request-rules.ts'
import { callItem, completed, created, textItem } from '../providers/openai/responses/responses-events.ts'
import { rawSseServer } from './raw-sse-server.ts'
import type { RawAnswer, RawRequest, RawSseServer } from './raw-sse-server.ts'

export interface LastInput {
  /** The last text of the user. */
  readonly text: string
  /** The tool results since then, in order. */
  readonly results: readonly string[]
}

export interface VendorAnswer {
  readonly text?: string
  readonly call?: { readonly name: string; readonly arguments: object }
  /** The end of the answer waits for it. */
  readonly after?: Promise<unknown>
}

export interface VendorOptions {
  /** Every other key is refused. */
  readonly key: string
  readonly says: (requests: LastInput) => VendorAnswer
}

type Fields = Readonly<Record<string, unknown>>
type TranscriptPart = readonly [from: 'user' | 'tool' | 'model', text: string]
type Call = readonly [id: string, name: string, json: string]

interface Wire {
  readonly api: string
  /** The prefix of the path of its requests. */
  readonly path: string
  notices(body: Fields): readonly TranscriptPart[]
  says(text: string, call: Call | undefined): readonly string[]
}

/** Checks the key and each request against the rules of its API, and lists no models. */
export function vendorEndpoint(options: VendorOptions): Promise<RawSseServer> {
  return rawSseServer((request, number) => answerTo(request, number, options))
}

function answerTo(request: RawRequest, number: number, { key, says }: VendorOptions): RawAnswer {
  const { 'x-api-key': named, 'x-goog-api-key': google, 'api-key': azure, authorization } = request.headers
  const setup = named ?? google ?? azure ?? authorization?.replace(/^Bearer /, '')
  if (setup !== key) return refused(401, 'This key is not known here.')
  if (request.method === 'GET') return { headers: json, body: ['{"data":[]}'] }
  const wire = wires.find(({ path }) => request.path.includes(path))
  if (wire === undefined) return refused(404, `Nobody answers ${request.path}.`)
  const body = request.json() as Fields
  const broken = requestRules[wire.api]?.(body) ?? []
  if (broken.length > 0) return refused(400, broken.join('; '))
  const { text = '', call, after = Promise.resolve() } = says(lastInput(wire.notices(body)))
  const called: Call | undefined = call && [`call_${number}`, call.name, JSON.stringify(call.arguments)]
  const frames = wire.says(text, called)
  return { body: [...frames.slice(0, -1), after, ...frames.slice(-1)] }
}

const json = { 'content-type': 'application/json' }

function refused(status: number, message: string): RawAnswer {
  return { status, headers: json, body: [JSON.stringify({ error: { type: 'refused', message, code: status } })] }
}

function lastInput(notices: readonly TranscriptPart[]): LastInput {
  const at = notices.findLastIndex(([from]) => from === 'user')
  const results = notices.slice(at + 1).filter(([from]) => from === 'tool')
  return { text: notices[at]?.[1] ?? '', results: results.map(([, text]) => text) }
}

const wires: readonly Wire[] = [
  {
    api: 'anthropic-messages',
    path: '/v1/messages',
    notices: ({ messages }) =>
      listOf(messages).flatMap(({ role, content }) =>
        listOf(content).map((block): TranscriptPart => {
          if (block['type'] === 'tool_result') return ['tool', textOf(block['content'])]
          return [role === 'user' ? 'user' : 'model', textOf(block['text'])]
        }),
      ),
    says: (text, call) => [
      messageStart(),
      ...(text === '' ? [] : textBlock(0, text)),
      ...(call === undefined ? [] : callBlock(1, ...call)),
      ...messageEnd(call === undefined ? 'end_turn' : 'tool_use'),
    ],
  },
  {
    api: 'openai-completions',
    path: '/chat/completions',
    notices: ({ messages }) =>
      listOf(messages).map(({ role, content }): TranscriptPart => [fromRole(role), textOf(content)]),
    says: (text, call) => [
      ...(text === '' ? [] : [textChunk(text)]),
      ...(call === undefined ? [] : [callChunk(0, call[2], { id: call[0], name: call[1] })]),
      ending(call === undefined ? 'stop' : 'tool_calls'),
    ],
  },
  {
    api: 'openai-responses',
    path: '/responses',
    notices: ({ input }) =>
      listOf(input).map(({ type, role, output, content }): TranscriptPart => {
        return type === 'function_call_output' ? ['tool', textOf(output)] : [fromRole(role), textOf(content)]
      }),
    says: (text, call) => [
      created,
      ...(text === '' ? [] : textItem(0, text)),
      ...(call === undefined ? [] : callItem(1, ...call)),
      completed(),
    ],
  },
  {
    api: 'google-generative-ai',
    path: ':streamGenerateContent',
    notices: ({ contents }) =>
      listOf(contents).flatMap(({ role, parts }) =>
        listOf(parts).map(({ functionResponse, text }): TranscriptPart => {
          if (functionResponse !== undefined) return ['tool', JSON.stringify(functionResponse)]
          return [role === 'user' ? 'user' : 'model', textOf(text)]
        }),
      ),
    says: (text, call) => [
      ...(text === '' ? [] : [chunk([{ text }])]),
      ...(call === undefined
        ? []
        : [chunk([{ functionCall: { name: call[1], args: JSON.parse(call[2]) as object }, thoughtSignature: 's' }])]),
      lastChunk(),
    ],
  },
]

function fromRole(role: unknown): TranscriptPart[0] {
  return role === 'user' || role === 'tool' ? role : 'model'
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as readonly Fields[]) : [{ type: 'text', text: value }]
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  return (content as readonly Fields[]).map(({ text }) => textOf(text)).join('\n')
}
