// Assigns the pieces of streamed tool calls to their calls.
import type { DeltaEmitter, CallEmitter } from './delta-emitter.ts'
import { textOf as text } from '../http/json-field.ts'

/** One entry of `tool_calls`; any field may be missing, null or empty. */
export interface ToolCallPiece {
  readonly index?: unknown
  readonly id?: unknown
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null
}

export interface ToolCallDecoder {
  /** The number of calls so far. */
  readonly count: number
  read(piece: ToolCallPiece): void
}

interface OpenCall {
  readonly id: string
  readonly writer: CallEmitter
}

/**
 * The first piece of a call has its name; later ones have its index, or only arguments. A piece with another id and a
 * name opens a new call, also under a known index, because some endpoints number every call 0. `inventId` names a call
 * without an id; it counts from 1.
 */
export function createToolCallDecoder(answer: DeltaEmitter, inventId: (count: number) => string): ToolCallDecoder {
  const callsByIndex = new Map<unknown, OpenCall>()
  let count = 0
  let last: OpenCall | undefined

  const open = (index: unknown, id: string, name: string): OpenCall => {
    count++
    const call = { id: id || inventId(count), writer: answer.call(id || inventId(count), name) }
    callsByIndex.set(index, call)
    return call
  }
  return {
    get count() {
      return count
    },
    read: (piece) => {
      const id = text(piece.id)
      const name = text(piece.function?.name)
      const index = typeof piece.index === 'number' ? piece.index : undefined
      const known = index === undefined ? lastFor(last, id) : callsByIndex.get(index)
      const isNew = known === undefined || (name !== '' && id !== '' && id !== known.id)
      last = isNew ? open(index, id, name) : known
      last.writer.arguments(argumentsText(piece.function?.arguments))
    },
  }
}

/** Without an index, a piece with a new id opens a call; so does any piece if no call is open. */
function lastFor(last: OpenCall | undefined, id: string): OpenCall | undefined {
  return id === '' || id === last?.id ? last : undefined
}

/** Some endpoints send an object instead of JSON text. */
function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ''
}
