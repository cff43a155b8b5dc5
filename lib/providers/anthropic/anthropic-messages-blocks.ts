// Emits the content blocks of a Messages API response, each by its index.
//
// Blocks of tools that run at the provider are skipped; the raw content has them.
import type { DeltaEmitter } from '../adapter/delta-emitter.ts'
import { isObject, recordOf, textOf } from '../http/json-field.ts'
import { getOwn, jsonText } from '../../streams/values/json.ts'
import { createRawContent } from './anthropic-messages-raw-content.ts'
import type { AddDelta } from './anthropic-messages-raw-content.ts'

export interface MessageBlocks {
  /** The number of calls so far. */
  readonly calls: number
  start(index: unknown, block: unknown): void
  delta(index: unknown, delta: unknown): void
  stop(index: unknown): void
  /** Forgets the indexes and the raw content: later blocks belong to another message. */
  forget(): void
  /** The blocks of the message as the API sent them; undefined if they were too long to hold. */
  raw(): Readonly<Record<string, unknown>>[] | undefined
}

interface OpenBlock {
  delta(delta: Readonly<Record<string, unknown>>): void
  stop(): void
}

/** Emits blocks. A block of an unknown type is skipped with its deltas. */
export function anthropicMessagesBlocks(writer: DeltaEmitter): MessageBlocks {
  const open = new Map<unknown, { readonly shown: OpenBlock | undefined; readonly addRaw: AddDelta }>()
  const raw = createRawContent()
  let calls = 0

  const openers: Readonly<Record<string, (block: Readonly<Record<string, unknown>>) => OpenBlock>> = {
    text: (block) => textBlock(writer, block),
    thinking: (block) => thinkingBlock(writer, block),
    redacted_thinking: (block) => redactedBlock(writer, block),
    tool_use: (block) => {
      calls++
      return callBlock(writer, block, `call_${calls}`)
    },
  }
  return {
    get calls() {
      return calls
    },
    start: (index, value) => {
      const block = recordOf(value)
      writer.closeBlock()
      const shown = getOwn(openers, textOf(block['type']))?.(block)
      open.set(index, { shown, addRaw: raw.start(block) })
    },
    delta: (index, value) => {
      const block = open.get(index)
      if (block === undefined) return
      const delta = recordOf(value)
      block.addRaw(delta)
      block.shown?.delta(delta)
    },
    stop: (index) => {
      open.get(index)?.shown?.stop()
      open.delete(index)
    },
    forget: () => {
      open.clear()
      raw.clear()
      writer.closeAll()
    },
    raw: () => raw.blocks(),
  }
}

function textBlock(writer: DeltaEmitter, block: Readonly<Record<string, unknown>>): OpenBlock {
  writer.text(textOf(block['text']))
  return {
    delta: ({ type, text }) => {
      if (type === 'text_delta') writer.text(textOf(text))
    },
    stop: () => {
      writer.closeBlock()
    },
  }
}

/** If the API hides the thinking, its signature arrives alone, and later requests return it. */
function thinkingBlock(writer: DeltaEmitter, block: Readonly<Record<string, unknown>>): OpenBlock {
  let signature = textOf(block['signature'])
  let hasText = false
  const emitThinking = (piece: string): void => {
    hasText ||= piece !== ''
    writer.thinking(piece)
  }
  emitThinking(textOf(block['thinking']))
  return {
    delta: (delta) => {
      if (delta['type'] === 'thinking_delta') emitThinking(textOf(delta['thinking']))
      else if (delta['type'] === 'signature_delta') signature += textOf(delta['signature'])
    },
    stop: () => {
      if (hasText) writer.closeBlock(signature === '' ? undefined : signature)
      else if (signature !== '') writer.hiddenThinking(signature, false)
    },
  }
}

function redactedBlock(writer: DeltaEmitter, block: Readonly<Record<string, unknown>>): OpenBlock {
  return { delta: () => undefined, stop: () => writer.hiddenThinking(textOf(block['data']), true) }
}

/** Arguments usually stream as text. Some responses have them whole at the start; some gateways omit the id. */
function callBlock(writer: DeltaEmitter, block: Readonly<Record<string, unknown>>, invented: string): OpenBlock {
  const call = writer.call(textOf(block['id']) || invented, textOf(block['name']))
  const whole = block['input']
  let streamed = false
  return {
    delta: (delta) => {
      if (delta['type'] !== 'input_json_delta') return
      const piece = textOf(delta['partial_json'])
      streamed ||= piece !== ''
      call.arguments(piece)
    },
    stop: () => {
      if (!streamed && isObject(whole) && Object.keys(whole).length > 0) call.arguments(jsonText(whole))
      call.close()
    },
  }
}
