import { httpFetch } from '../../lib/host/http-fetch.ts'
import { openAiCompletions } from '../../lib/providers/openai-completions.ts'
import type { Said } from '../contract/provider-contract.ts'
import { callChunk, chunk, ending, frame, textChunk } from './openai-chunks.ts'
import { wireContract } from './wire-harness.ts'

const wire = {
  api: 'openai-completions',
  provider: (url: string) => openAiCompletions({ provider: 'test', baseUrl: `${url}/v1` }),
  frames,
  ending: (said: readonly Said[]) => ending(said.some((part) => 'call' in part) ? 'tool_calls' : 'stop'),
  garbage: 'data: {"choices": [{"delta"\n\n',
}
wireContract(wire)
wireContract({
  ...wire,
  api: 'openai-completions over httpFetch',
  provider: (url) => openAiCompletions({ provider: 'test', baseUrl: `${url}/v1`, fetch: httpFetch }),
})

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
