// Runs the provider contract against Google's adapter.
import { googleGenerativeAi } from '../../../lib/providers/endpoints/apis.ts'
import type { AnswerPart } from '../../contract/provider-contract.ts'
import { callPiece, chunk, frame, lastChunk } from './google-chunks.ts'
import { apiContract } from '../adapter/api-contract.ts'

apiContract({
  api: 'google-generative-ai',
  provider: (baseUrl) => googleGenerativeAi({ provider: 'test', baseUrl }),
  frames: (output) => output.flatMap(framesOf),
  ending: () => lastChunk(),
  garbage: 'data: {"candidates": [{"content"\n\n',
  withoutBrokenArguments: true,
})

/**
 * Arguments are objects in this API, or values under paths. Pieces of JSON become an object if they are complete, else
 * values under paths.
 */
function framesOf(part: AnswerPart): string[] {
  if ('thinking' in part) return [chunk([{ text: part.thinking, thought: true }])]
  if ('text' in part) return [chunk([{ text: part.text }])]
  if ('noise' in part) return part.noise === 'keepAlive' ? [': keep-alive\n\n'] : unknown
  const { call: id, name, pieces } = part
  const text = pieces.join('')
  if (!text.endsWith('}')) {
    return [
      callPiece({ id, name, willContinue: true }),
      callPiece({ partialArgs: [textPiece('a')], willContinue: true }),
    ]
  }
  if (pieces.length < 3) return [callPiece({ id, name, args: JSON.parse(text) as object })]
  const middle = pieces.slice(1, -1).map((piece) => callPiece({ partialArgs: [textPiece(piece)], willContinue: true }))
  return [callPiece({ id, name, willContinue: true }), ...middle, callPiece({})]
}

function textPiece(stringValue: string): object {
  return { jsonPath: '$.text', stringValue, willContinue: true }
}

const unknown = [
  frame({ responseId: 'x', vendorField: { a: [1] } }),
  chunk([{ vendorPart: { text: 'x' } }]),
  'event: vendor.news\ndata: {}\n\n',
]
