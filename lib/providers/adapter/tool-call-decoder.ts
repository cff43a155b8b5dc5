// Pieces of tool calls find their call, whichever of the many ways an endpoint has to say where they belong.
import type { DeltaEmitter, CallEmitter } from './delta-emitter.ts'
import { textOf as text } from '../http/json-field.ts'

/** One entry of `tool_calls`; everything may be missing, null or empty. */
export interface ToolCallPiece {
  readonly index?: unknown
  readonly id?: unknown
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null
}

export interface ToolCallDecoder {
  /** How many calls there are so far. */
  readonly count: number
  read(piece: ToolCallPiece): void
}

interface OpenCall {
  readonly id: string
  readonly writer: CallEmitter
}

/**
 * The first piece of a call has its name; later ones have its index, or nothing but the arguments. A piece with another id and
 * a name opens a new call even under a known index, for some endpoints number every call 0. `inventId` names a call
 * that came without an id, counted from 1.
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

/** Without an index a piece with a new id, or any where nothing is open, begins a call. */
function lastFor(last: OpenCall | undefined, id: string): OpenCall | undefined {
  return id === '' || id === last?.id ? last : undefined
}

/** Some endpoints send the object itself. */
function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ''
}
