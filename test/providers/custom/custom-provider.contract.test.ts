// Runs the provider contract against a declared custom provider.
import { customProvider } from '../../../lib/providers/custom/register-provider.ts'
import type { AnswerPart } from '../../contract/provider-contract.ts'
import { ownDeclaration } from './custom-api.ts'
import type { OwnChunk } from './custom-api.ts'
import { frame } from '../openai/openai-chunks.ts'
import { apiContract } from '../adapter/api-contract.ts'

const own = (chunk: OwnChunk): string => frame(chunk)

apiContract({
  api: 'declared',
  provider: (url) => customProvider(ownDeclaration({ baseUrl: `${url}/v1` })).open('m', { env: {} }).provider,
  frames,
  ending: () => `${own({ usage: { in: 3, out: 2 } })}${own({ end: true })}`,
  garbage: 'data: {"response": \n\n',
})

function frames(output: readonly AnswerPart[]): string[] {
  let slot = 0
  return output.flatMap((part) => {
    if ('thinking' in part) return [own({ thought: part.thinking })]
    if ('text' in part) return [own({ response: part.text })]
    if ('noise' in part)
      return [part.noise === 'keepAlive' ? ': keep-alive\n\n' : `event: news\n${frame({ more: [1] })}`]
    const call = { slot: slot++, piece: '' }
    return part.pieces.map((piece, n) =>
      own({ call: { ...call, piece, ...(n === 0 ? { id: part.call, name: part.name } : {}) } }),
    )
  })
}
