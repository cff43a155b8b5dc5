import { openAiCompletions } from '../../lib/providers/openai-completions.ts'
import { providerContract } from '../contract/provider-contract.ts'
import type { ProviderHarness, Said, Scenario } from '../contract/provider-contract.ts'
import { rawSseServer } from '../support/raw-sse-server.ts'
import type { RawAnswer } from '../support/raw-sse-server.ts'
import { callChunk, chunk, ending, frame, textChunk } from './openai-chunks.ts'

const harness: ProviderHarness = {
  name: 'openai-completions',
  open: async (scenario) => {
    const server = await rawSseServer(answerOf(scenario))
    return {
      provider: openAiCompletions({ provider: 'test', baseUrl: `${server.url}/v1` }),
      model: { id: 'm', provider: 'test', api: 'openai-completions', inputs: ['text'], reasoning: false },
      abandoned: server.request(0).then(({ abandoned }) => abandoned),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  },
}

function answerOf({ said, ending: how, bytesPerChunk }: Scenario): RawAnswer {
  if (how === 'silent') return { ending: 'silent' }
  if (how === 'notAStream') return { headers: { 'content-type': 'text/html' }, body: ['<h1>Welcome</h1>'] }
  const reason = said.some((part) => 'call' in part) ? 'tool_calls' : 'stop'
  const wire = frames(said)
  if (how === 'done' || how === 'lingers') wire.push(ending(reason))
  if (how === 'garbage') wire.push('data: {"choices": [{"delta"\n\n')
  return {
    body: bytesPerChunk === undefined ? wire : slices(wire.join(''), bytesPerChunk),
    ending: how === 'cut' ? 'cut' : how === 'stall' || how === 'lingers' ? 'stall' : 'end',
  }
}

function frames(said: readonly Said[]): string[] {
  let calls = 0
  return said.flatMap((part) => {
    if ('thinking' in part) return [chunk({ reasoning_content: part.thinking })]
    if ('text' in part) return [textChunk(part.text)]
    if ('noise' in part) return [part.noise === 'keepAlive' ? ': keep-alive\n\n' : unknown]
    const index = calls++
    return part.pieces.map((piece, n) => callChunk(index, piece, n === 0 ? { id: part.call, name: part.name } : {}))
  })
}

const unknown = `event: vendor.news\nid: 7\nretry: 10\n${frame({ id: 'x', choices: [], vendor_field: { a: [1] } })}`

function slices(text: string, length: number): Uint8Array[] {
  const bytes = Buffer.from(text)
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, n) =>
    bytes.subarray(n * length, (n + 1) * length),
  )
}

providerContract(harness)
