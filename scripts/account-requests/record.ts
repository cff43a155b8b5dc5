// Records the requests that pi sends with the tokens of accounts, for the same conversations as rxpi.
// `node scripts/account-requests/record.ts FOLDER`, the unpacked `@earendil-works/pi-ai` 0.87.1 with its packages.
//
// No request leaves the machine: pi's `fetch` is replaced. The same package gives the same file.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { zstdDecompressSync } from 'node:zlib'
import { piMessage } from './pi-messages.ts'
import {
  accountWires,
  conversations,
  recordedHeaders,
  sessionId,
  tokenOf,
  tools,
} from '../../test/providers/accounts/requests/conversations.ts'
import type {
  AccountWire,
  Conversation,
  RecordedRequest,
} from '../../test/providers/accounts/requests/conversations.ts'

const source = { name: '@earendil-works/pi-ai', version: '0.87.1' }
const target = path.join(import.meta.dirname, '../../test/providers/accounts/requests/pi-requests.json')

const folder = path.resolve(process.argv[2] ?? '.')
const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as typeof source
if (name !== source.name || version !== source.version)
  throw new Error(`${folder} holds ${name} ${version}, not ${source.name} ${source.version}`)

const record: Record<string, Record<string, RecordedRequest>> = {}
for (const wire of accountWires) {
  const requests: Record<string, RecordedRequest> = {}
  for (const conversation of conversations) requests[conversation.name] = await piRequest(wire, conversation)
  record[wire.name] = requests
}
writeFileSync(target, `${JSON.stringify(record, null, 2)}\n`)
console.log(`${accountWires.length * conversations.length} requests written to ${path.relative(process.cwd(), target)}`)

interface PiModules {
  readonly MODELS: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly normalizeContext: (context: object) => object
  readonly streamSimple: (model: unknown, context: object, options: object) => { result(): Promise<unknown> }
}

async function load<Name extends keyof PiModules>(file: string, _name: Name): Promise<Pick<PiModules, Name>> {
  return (await import(pathToFileURL(path.join(folder, 'dist', file)).href)) as Pick<PiModules, Name>
}

async function piRequest(wire: AccountWire, conversation: Conversation): Promise<RecordedRequest> {
  const { MODELS } = await load('models.generated.js', 'MODELS')
  const { normalizeContext } = await load('utils/transcript.js', 'normalizeContext')
  const { streamSimple } = await load(`api/${wire.piApi}.js`, 'streamSimple')
  const model = MODELS[wire.provider]?.[wire.model]
  if (model === undefined) throw new Error(`pi has no ${wire.provider}/${wire.model}`)
  const token = tokenOf(wire)
  let sent: RecordedRequest | undefined
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(input, init)
    const bytes = Buffer.from(await request.arrayBuffer())
    const text = request.headers.get('content-encoding') === 'zstd' ? zstdDecompressSync(bytes) : bytes
    const body = JSON.parse(text.toString('utf8')) as RecordedRequest['body']
    sent = { url: request.url, headers: recordedHeaders(request.headers, token), body }
    return new Response('{}', { status: 400 })
  }
  const { system, withTools, level, turns } = conversation
  const context = normalizeContext({
    ...(system === '' ? {} : { systemPrompt: system }),
    ...(withTools ? { tools } : {}),
    messages: turns.map((turn) => piMessage(turn, wire)),
  })
  const reasoning = level === 'off' ? {} : { reasoning: level }
  await streamSimple(model, context, { apiKey: token, sessionId, transport: 'sse', fetch, ...reasoning }).result()
  if (sent === undefined) throw new Error(`pi sent nothing for ${wire.name}, ${conversation.name}`)
  return sent
}
