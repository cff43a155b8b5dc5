// Records the requests that pi sends to Mistral and to Bedrock, for the same conversations as rxpi.
// `node scripts/account-requests/record-keys.ts FOLDER`, the unpacked `@earendil-works/pi-ai` 0.87.1 with its packages.
//
// No request leaves the machine: pi sends them to a server of this program. The same package gives the same file.
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { conversations, sessionId, tools } from '../../test/providers/accounts/requests/conversations.ts'
import type { Conversation, RecordedRequest } from '../../test/providers/accounts/requests/conversations.ts'
import { key, keyWires, recordedRequest } from '../../test/providers/vendor-requests/key-wires.ts'
import type { KeyWire } from '../../test/providers/vendor-requests/key-wires.ts'
import { formatText } from '../shared/format-text.ts'
import { piMessage } from './pi-messages.ts'

const source = { name: '@earendil-works/pi-ai', version: '0.87.1' }
const target = path.join(import.meta.dirname, '../../test/providers/vendor-requests/pi-key-requests.json')

interface PiModules {
  readonly MODELS: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly normalizeContext: (context: object) => object
  readonly streamSimple: (model: unknown, context: object, options: object) => { result(): Promise<unknown> }
}

const folder = path.resolve(process.argv[2] ?? '.')
const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as typeof source
if (name !== source.name || version !== source.version)
  throw new Error(`${folder} holds ${name} ${version}, not ${source.name} ${source.version}`)

/** The requests of pi, in order. */
const sent: RecordedRequest[] = []
let origin = ''
const server = createServer((incoming, response) => {
  void text(incoming).then((body) => {
    const headers = new Headers(Object.entries(incoming.headers).map(([header, value]) => [header, String(value)]))
    sent.push(recordedRequest(`${origin}${pathOf(incoming)}`, headers, JSON.parse(body) as RecordedRequest['body']))
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"message":"recorded"}')
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
Object.assign(process.env, { AWS_BEARER_TOKEN_BEDROCK: key, AWS_REGION: 'us-east-1', AWS_BEDROCK_FORCE_HTTP1: '1' })

const record: Record<string, Record<string, RecordedRequest>> = {}
for (const wire of keyWires) {
  const requests: Record<string, RecordedRequest> = {}
  for (const conversation of conversations) requests[conversation.name] = await piRequest(wire, conversation)
  record[wire.name] = requests
}
server.close()
writeFileSync(target, await formatText(target, JSON.stringify(record, null, 2)))
console.log(`${keyWires.length * conversations.length} requests written to ${path.relative(process.cwd(), target)}`)

function pathOf({ url = '' }: IncomingMessage): string {
  return url
}

async function load<Name extends keyof PiModules>(file: string, _name: Name): Promise<Pick<PiModules, Name>> {
  return (await import(pathToFileURL(path.join(folder, 'dist', file)).href)) as Pick<PiModules, Name>
}

async function piRequest(wire: KeyWire, { system, withTools, level, turns, name: title }: Conversation) {
  const { MODELS } = await load('models.generated.js', 'MODELS')
  const { normalizeContext } = await load('utils/transcript.js', 'normalizeContext')
  const { streamSimple } = await load(`api/${wire.piApi}.js`, 'streamSimple')
  const model = MODELS[wire.provider]?.[wire.model]
  if (model === undefined) throw new Error(`pi has no ${wire.provider}/${wire.model}`)
  const context = normalizeContext({
    ...(system === '' ? {} : { systemPrompt: system }),
    ...(withTools ? { tools } : {}),
    messages: turns.map((turn) => piMessage(turn, wire)),
  })
  const reasoning = level === 'off' ? {} : { reasoning: level }
  origin = wire.origin
  await streamSimple({ ...model, baseUrl: address }, context, { apiKey: key, sessionId, ...reasoning }).result()
  const [request] = sent.splice(0)
  if (request === undefined) throw new Error(`pi sent nothing for ${wire.name}, ${title}`)
  return request
}
