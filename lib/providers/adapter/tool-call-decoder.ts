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
  /** Takes the pieces of one chunk, or the calls of a whole response. */
  read(pieces: readonly ToolCallPiece[]): void
}

interface OpenCall {
  readonly id: string
  readonly name: string
  readonly call: CallEmitter
  /** Its arguments came as an object, in one piece. */
  isWhole: boolean
}

/**
 * The first piece of a call has its name; later ones have its index, or only arguments. A piece with another id and a
 * name opens a new call, also under a known index, because some endpoints number every call 0; so does one with a name
 * and no id, if the call before has another name, a piece in the same chunk, or arguments that came as an object.
 * `inventId` names a call without an id; it counts from 1.
 */
export function createToolCallDecoder(emitter: DeltaEmitter, inventId: (count: number) => string): ToolCallDecoder {
  const callsByIndex = new Map<unknown, OpenCall>()
  let count = 0
  let last: OpenCall | undefined

  const openCall = (index: unknown, id: string, name: string): OpenCall => {
    count++
    const ownId = id || inventId(count)
    const opened = { id: ownId, name, call: emitter.call(ownId, name), isWhole: false }
    callsByIndex.set(index, opened)
    return opened
  }
  const readPiece = (piece: ToolCallPiece, inChunk: Set<OpenCall>): void => {
    const id = idOf(piece)
    const name = text(piece.function?.name)
    const index = typeof piece.index === 'number' ? piece.index : undefined
    const known = index === undefined ? lastIfSameId(last, id) : callsByIndex.get(index)
    const isNew = known === undefined || (name !== '' && !mayGoOn(known, { id, name, inChunk }))
    last = isNew ? openCall(index, id, name) : known
    inChunk.add(last)
    const args = piece.function?.arguments
    last.isWhole ||= typeof args === 'object' && args !== null
    last.call.arguments(argumentsText(args))
  }
  return {
    get count() {
      return count
    },
    read: (pieces) => {
      const inChunk = new Set<OpenCall>()
      for (const piece of pieces) readPiece(piece, inChunk)
    },
  }
}

/** True if a piece with a name can belong to the known call: some endpoints repeat the name. */
function mayGoOn(
  known: OpenCall,
  { id, name, inChunk }: { readonly id: string; readonly name: string; readonly inChunk: ReadonlySet<OpenCall> },
): boolean {
  return id === '' ? name === known.name && !known.isWhole && !inChunk.has(known) : id === known.id
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
