// Converts the parts of an answer to events of the Responses API.
import type { AnswerPart } from '../../../contract/provider-contract.ts'
import { callItem, created, event, summaryPiece, textPiece } from './responses-events.ts'

/** Pieces of one kind belong to one item, as in the API. The last item stays open, so that a cut falls into it. */
export function framesOf(output: readonly AnswerPart[]): string[] {
  const wire = [created]
  let index = 0
  let open: 'message' | 'reasoning' | undefined
  const close = (): void => {
    if (open !== undefined)
      wire.push(event('response.output_item.done', { output_index: index++, item: { type: open } }))
    open = undefined
  }
  const write = (kind: 'message' | 'reasoning', piece: Readonly<Record<string, unknown>>): void => {
    if (open !== kind) {
      close()
      wire.push(event('response.output_item.added', { output_index: index, item: { type: kind } }))
      open = kind
    }
    wire.push(event(String(piece['type']), { ...piece, output_index: index }))
  }
  for (const part of output) {
    if ('thinking' in part) write('reasoning', summaryPiece(part.thinking))
    else if ('text' in part) write('message', textPiece(part.text))
    else if ('noise' in part) wire.push(...(part.noise === 'keepAlive' ? [': keep-alive\n\n'] : unknown))
    else {
      close()
      wire.push(...callItem(index++, part.call, part.name, ...part.pieces))
    }
  }
  return wire
}

const unknown = [
  event('vendor.news', { output_index: 0 }),
  event('response.vendor.delta', { output_index: 99, delta: 'x' }),
  event('response.steer', {}),
]
