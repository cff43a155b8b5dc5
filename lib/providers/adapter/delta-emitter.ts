// Emits the deltas of a response as blocks: each opened once, in order, and closed before `done`.
//
// Guarantees: no delta splits a surrogate pair; each piece costs the same, however long the response is.
import { isDeeperThan } from '../../streams/values/json.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { maxArgumentDepth, parseToolArguments } from '../../streams/messages/parse-tool-arguments.ts'

/** One tool call while it streams. */
export interface CallEmitter {
  /** A piece of the arguments' text. */
  arguments(piece: string): void
  /**
   * Parses the arguments' text and closes the block; `known` replaces the parsed arguments. A second call does nothing.
   */
  close(signature?: string, known?: Record<string, unknown>): void
}

export interface DeltaEmitter {
  /** Returns the index of the next block. */
  nextIndex(): number
  /** The kind of the open block that more text or thinking would continue. */
  readonly open: TextKind | undefined
  /** Emits visible text; closes an open thinking block. Ignores an empty piece. */
  readonly text: (piece: string) => void
  /**
   * Emits thinking; closes an open text block. Ignores an empty piece. The block ends with the `signature` of its first
   * piece.
   */
  readonly thinking: (piece: string, signature?: string) => void
  /** Emits a thinking block with a signature and no text; closes an open text or thinking block. */
  hiddenThinking(signature: string, redacted: boolean): void
  /** Opens a call; several may be open at once. Closes an open text or thinking block. */
  call(id: string, name: string): CallEmitter
  /** Closes the open text or thinking block. `signature` overrides that of the first piece. */
  closeBlock(signature?: string): void
  /** Closes everything that is open, calls in the order in which they were opened. */
  closeAll(): void
}

type Emit = (delta: AssistantDelta) => void
type TextKind = 'text' | 'thinking'

interface OpenBlock {
  readonly kind: TextKind
  readonly contentIndex: number
  readonly signature: string | undefined
  /** The first half of a surrogate pair whose second half has not arrived yet. */
  held: string
}

/** `firstIndex` is the index of the first block, if an earlier response holds the blocks before it. */
export function createDeltaEmitter(emit: Emit, firstIndex = 0): DeltaEmitter {
  const calls: CallEmitter[] = []
  let contentIndex = firstIndex
  let open: OpenBlock | undefined
  const closeBlock = (lastSignature?: string): void => {
    if (open === undefined) return
    const { kind, contentIndex: index, held } = open
    const signature = lastSignature ?? open.signature
    open = undefined
    if (held !== '') emit({ type: `${kind}_delta`, contentIndex: index, text: held })
    emit({ type: `${kind}_end`, contentIndex: index, ...(signature === undefined ? {} : { signature }) })
  }
  const write = (kind: TextKind, piece: string, signature?: string): void => {
    if (piece === '') return
    if (open?.kind !== kind) {
      closeBlock()
      open = { kind, contentIndex: contentIndex++, signature, held: '' }
      emit({ type: `${kind}_start`, contentIndex: open.contentIndex })
    }
    const text = open.held + piece
    const end = lengthWithoutHalfPair(text)
    open.held = end === text.length ? '' : text.slice(end)
    if (end > 0)
      emit({ type: `${kind}_delta`, contentIndex: open.contentIndex, text: open.held ? text.slice(0, end) : text })
  }

  return {
    nextIndex: () => contentIndex,
    get open() {
      return open?.kind
    },
    text: write.bind(undefined, 'text'),
    thinking: write.bind(undefined, 'thinking'),
    hiddenThinking: (signature, redacted) => {
      closeBlock()
      emitHiddenThinking(emit, contentIndex++, signature, redacted)
    },
    call: (id, name) => {
      closeBlock()
      const call = createCallEmitter(emit, contentIndex++, id, name)
      calls.push(call)
      return call
    },
    closeBlock,
    closeAll: () => {
      closeBlock()
      for (const call of calls) call.close()
    },
  }
}

/** Metadata of a response; empty texts count as missing. */
export interface ResponseIdentity {
  responseId?: string
  model?: string
}

/**
 * Returns an emitter whose first delta is `start`, with the identity known by then, and a function that emits `start`
 * alone.
 */
export function createStartedEmitter(
  emit: Emit,
  identity: ResponseIdentity,
): { readonly writer: DeltaEmitter; readonly start: () => void } {
  let isStarted = false
  const start = (): void => {
    if (isStarted) return
    isStarted = true
    const { responseId, model } = identity
    emit({ type: 'start', ...(responseId ? { responseId } : {}), ...(model ? { model } : {}) })
  }
  const writer = createDeltaEmitter((delta) => {
    start()
    emit(delta)
  })
  return { writer, start }
}

function emitHiddenThinking(emit: Emit, contentIndex: number, signature: string, redacted: boolean): void {
  emit({ type: 'thinking_start', contentIndex, ...(redacted ? { redacted } : {}) })
  emit({ type: 'thinking_end', contentIndex, signature })
}

function createCallEmitter(emit: Emit, contentIndex: number, id: string, name: string): CallEmitter {
  const pieces: string[] = []
  let held = ''
  let isClosed = false
  emit({ type: 'toolcall_start', contentIndex, id, name })
  const emitPiece = (text: string): void => {
    pieces.push(text)
    emit({ type: 'toolcall_delta', contentIndex, text })
  }
  return {
    arguments: (text) => {
      if (text === '' || isClosed) return
      const joined = held + text
      const end = lengthWithoutHalfPair(joined)
      held = joined.slice(end)
      if (end > 0) emitPiece(joined.slice(0, end))
    },
    close: (signature, known) => {
      if (isClosed) return
      isClosed = true
      if (held !== '') emitPiece(held)
      const isUsable = known !== undefined && !isDeeperThan(known, maxArgumentDepth)
      const parsed = isUsable ? { arguments: known } : parseToolArguments(pieces.join(''))
      emit({ type: 'toolcall_end', contentIndex, ...parsed, ...(signature === undefined ? {} : { signature }) })
    },
  }
}

/** The text's length without the first half of a pair at its end. */
function lengthWithoutHalfPair(text: string): number {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length
}

/** The failure of a response that ended before its terminal event, kind `early_end`: the same request may succeed. */
export function earlyEnd(provider: string): Failure {
  return new Failure('provider_error', `${provider}'s answer ended before it was complete.`, {
    data: { kind: 'early_end' },
  })
}
