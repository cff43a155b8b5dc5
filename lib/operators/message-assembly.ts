// What one answer has become so far; a delta that fits nothing is a failure, never a guess.
import { asyncScheduler } from 'rxjs'
import type { AssistantDelta, BlockDelta, MessageDelta } from '../streams/delta.ts'
import { Failure } from '../streams/failure.ts'
import { foldMessage } from '../streams/fold-message.ts'
import type { AssistantContent, AssistantMessage, StopReason } from '../streams/message.ts'
import { noUsage } from '../streams/message.ts'
import type { Model } from '../streams/model.ts'
import { parseToolArguments } from '../streams/parse-tool-arguments.ts'

export interface MessageAssembly {
  /** What `done` said; undefined before it. */
  readonly stopReason: StopReason | undefined
  /** The message without content, for `message_start`. */
  empty(): AssistantMessage
  /** The delta as events carry it, undefined where it is not for them, or why it fits nothing. */
  add(delta: AssistantDelta): MessageDelta | undefined | Failure
  /** The message as it ends. A call that was cut keeps its text as `argumentsText` and has `arguments: {}`. */
  finish(stopReason: StopReason, failure?: Failure): AssistantMessage
}

interface OpenBlock {
  readonly kind: 'text' | 'thinking' | 'toolcall'
  /** UTF-16 units so far: the next piece's offset. */
  length: number
  open: boolean
}

export function messageAssembly(model: Model): MessageAssembly {
  const startedAt = asyncScheduler.now()
  const blocks: OpenBlock[] = []
  const callIds = new Set<string>()
  let message: AssistantMessage = {
    role: 'assistant',
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: noUsage,
    stopReason: 'stop',
    timestamp: startedAt,
  }
  let stopReason: StopReason | undefined

  const note = (delta: Exclude<AssistantDelta, BlockDelta>): void => {
    message = noted(message, delta)
    if (delta.type === 'done') stopReason = delta.stopReason
  }

  return {
    get stopReason() {
      return stopReason
    },
    empty: () => ({ ...message, content: [] }),
    add: (delta) => {
      if (stopReason !== undefined) return unfit(delta, 'came after done')
      if (!('contentIndex' in delta)) {
        note(delta)
        return undefined
      }
      const fitted = fit(blocks, delta.type === 'toolcall_start' ? withOwnId(delta, callIds) : delta)
      if (!(fitted instanceof Failure)) message = foldMessage(message, fitted)
      return fitted
    },
    finish: (reason, failure) => ({
      ...message,
      content: reason === 'error' || reason === 'aborted' ? message.content : message.content.map(closedBlock),
      stopReason: reason,
      ...(failure === undefined ? {} : { errorMessage: failure.message }),
      durationMs: asyncScheduler.now() - startedAt,
    }),
  }
}

function noted(message: AssistantMessage, delta: Exclude<AssistantDelta, BlockDelta>): AssistantMessage {
  if (delta.type !== 'start') return { ...message, usage: delta.usage }
  const { responseId, model } = delta
  return {
    ...message,
    ...(responseId === undefined ? {} : { responseId }),
    ...(model === undefined || model === message.model ? {} : { responseModel: model }),
  }
}

/** The delta with its offset, after the blocks were told of it. */
function fit(blocks: OpenBlock[], delta: BlockDelta): MessageDelta | Failure {
  const block = blocks[delta.contentIndex]
  const [kind, part] = delta.type.split('_') as [OpenBlock['kind'], 'start' | 'delta' | 'end'] // how the nine are named
  if (part === 'start') {
    if (delta.contentIndex !== blocks.length) return unfit(delta, `where block ${blocks.length} is next`)
    blocks.push({ kind, length: 0, open: true })
    return delta as MessageDelta // a start has no offset
  }
  if (block?.open !== true || block.kind !== kind) return unfit(delta, 'whose block is not open')
  if (part === 'end') block.open = false
  if (!('text' in delta)) return delta
  const offset = block.length
  block.length += delta.text.length
  return { ...delta, offset }
}

function unfit(delta: AssistantDelta, why: string): Failure {
  const block = 'contentIndex' in delta ? ` for block ${delta.contentIndex}` : ''
  const message = `The provider sent ${delta.type}${block}, ${why}`
  return new Failure('provider_error', message, { data: { kind: 'network' } })
}

/** Results are matched to calls by id: a second call with the same id in one message gets one of its own. */
function withOwnId(delta: Extract<BlockDelta, { type: 'toolcall_start' }>, known: Set<string>): typeof delta {
  let id = delta.id === '' ? `call_${known.size + 1}` : delta.id
  while (known.has(id)) id = `${delta.id}_${known.size + 1}`
  known.add(id)
  return id === delta.id ? delta : { ...delta, id }
}

/** A call whose provider did not close it, though the answer is complete, is parsed now. */
function closedBlock(block: AssistantContent): AssistantContent {
  if (block.type !== 'toolCall' || block.argumentsText === undefined) return block
  const { argumentsText, ...call } = block
  return { ...call, ...parseToolArguments(argumentsText) }
}
