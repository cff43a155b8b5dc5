// A tool call whose argument is a whole file, in small pieces, and its tool.
import { Type } from '@sinclair/typebox'
import { Observable, of } from 'rxjs'
import { createDeltaEmitter } from '../lib/providers/adapter/delta-emitter.ts'
import { compileSchema } from '../lib/streams/schema/compile-schema.ts'
import { defineTool } from '../lib/streams/tool-definition/define-tool.ts'
import type { AssistantDelta } from '../lib/streams/messages/delta.ts'
import { textResult } from '../lib/streams/ports/tool.ts'
import { usage } from './text-answer.ts'
import { textPiece } from './text-piece.ts'

const parameters = Type.Object({ path: Type.String(), content: Type.String() })

export const keepTool = defineTool({
  name: 'keep',
  description: 'Keeps.',
  parameters,
  validate: compileSchema(parameters),
  capability: 'read',
  execute: ({ content }) => of(textResult(`${content.length} characters`)),
})

/**
 * The arguments' JSON, exactly this many characters long, in pieces of `each`; every line of the file ends in an
 * escape.
 */
export function argumentPieces(characters: number, each: number): string[] {
  const path = 'folder/file.txt'
  const line = JSON.stringify(textPiece(0)).length - 2
  const room = characters - JSON.stringify({ path, content: '' }).length
  const lines = Array.from({ length: Math.floor(room / line) }, (_, index) => textPiece(index))
  const text = JSON.stringify({ path, content: lines.join('') + '.'.repeat(room % line) })
  return Array.from({ length: Math.ceil(text.length / each) }, (_, index) =>
    text.slice(index * each, (index + 1) * each),
  )
}

/** In the form of our providers: their common writer joins the pieces and parses them once. */
export function longCall(pieces: readonly string[], between: (count: number) => void): Observable<AssistantDelta> {
  return new Observable((subscriber) => {
    const writer = createDeltaEmitter((delta) => {
      subscriber.next(delta)
    })
    const call = writer.call('call_1', keepTool.name)
    for (const [index, piece] of pieces.entries()) {
      call.arguments(piece)
      between(index + 1)
    }
    writer.closeAll()
    subscriber.next({ type: 'done', stopReason: 'toolUse', usage })
    subscriber.complete()
  })
}
