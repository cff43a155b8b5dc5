// Assigns the pieces of streamed tool calls to their calls.
import type { DeltaEmitter, CallEmitter } from './delta-emitter.ts'
import { jsonText } from '../../streams/values/json.ts'
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
  readonly call: CallEmitter
}

/**
 * The first piece of a call has its name; later ones have its index, or only arguments. A piece with another id and a
 * name opens a new call, also under a known index, because some endpoints number every call 0. `inventId` names a call
 * without an id; it counts from 1.
 */
export function createToolCallDecoder(emitter: DeltaEmitter, inventId: (count: number) => string): ToolCallDecoder {
  const callsByIndex = new Map<unknown, OpenCall>()
  let count = 0
  let last: OpenCall | undefined

  const openCall = (index: unknown, id: string, name: string): OpenCall => {
    count++
    const opened = { id: id || inventId(count), call: emitter.call(id || inventId(count), name) }
    callsByIndex.set(index, opened)
    return opened
  }
  return {
    get count() {
      return count
    },
    read: (piece) => {
      const id = idOf(piece)
      const name = text(piece.function?.name)
      const index = typeof piece.index === 'number' ? piece.index : undefined
      const known = index === undefined ? lastIfSameId(last, id) : callsByIndex.get(index)
      const isNew = known === undefined || (name !== '' && id !== '' && id !== known.id)
      last = isNew ? openCall(index, id, name) : known
      last.call.arguments(argumentsText(piece.function?.arguments))
    },
  }
}

/** Mistral sends the text `null` for a missing id. */
function idOf({ id }: ToolCallPiece): string {
  return id === 'null' ? '' : text(id)
}

/** Without an index, a piece with a new id opens a call; so does any piece if no call is open. */
function lastIfSameId(last: OpenCall | undefined, id: string): OpenCall | undefined {
  return id === '' || id === last?.id ? last : undefined
}

/** Some endpoints send an object instead of JSON text. */
function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? jsonText(value) : ''
}
