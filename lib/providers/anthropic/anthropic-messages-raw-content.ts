// Collects the content blocks of a Messages API response as the API sent them.
//
// Guarantees: blocks of tools that run at the provider stay unchanged: the API refuses a changed one. A response
// without such a tool holds 256 KiB of text at most, any other 32 MiB.
import { jsonText } from '../../streams/values/json.ts'
import { recordOf, textOf } from '../http/json-field.ts'

type Fields = Readonly<Record<string, unknown>>

/** Adds a delta to the block that it belongs to. */
export type AddDelta = (delta: Fields) => void

export interface RawContent {
  /** Adds the block of a `content_block_start`. */
  start(block: Fields): AddDelta
  /** Undefined if the text was too long to hold. Without empty texts, which the API refuses. */
  blocks(): Fields[] | undefined
  clear(): void
}

/** Only an answer with tools of the provider pauses. Longer text without one is dropped: others never need it. */
const maxPlainText = 256 * 1024
/** UTF-16 units of any response, with the results of the provider's tools; the answer itself has the same limit. */
const maxText = 32 * 1024 * 1024

const plainTypes: readonly unknown[] = ['text', 'thinking', 'redacted_thinking', 'tool_use']

export function createRawContent(): RawContent {
  let blocks: RawBlock[] | undefined = []
  let length = 0
  let isPlain = true
  const count = (added: number): void => {
    length += added
    if (length > (isPlain ? maxPlainText : maxText)) blocks = undefined
  }
  return {
    start: (start) => {
      const isOwn = plainTypes.includes(start['type'])
      isPlain &&= isOwn
      let block = blocks === undefined ? undefined : createRawBlock(start)
      if (block !== undefined) blocks?.push(block)
      if (!isOwn && block !== undefined) count(jsonText(start).length)
      return (delta) => {
        if (block === undefined) return
        count(block.add(delta))
        if (blocks === undefined) block = undefined
      }
    },
    blocks: () => blocks?.map((block) => block.value()).filter((block) => block !== undefined),
    clear: () => {
      blocks = []
      length = 0
      isPlain = true
    },
  }
}

interface RawBlock {
  /** Returns the number of characters that it holds on to. */
  add(delta: Fields): number
  /** Undefined for an empty text. */
  value(): Fields | undefined
}

/** The field of a block to which each type of delta appends; `input` is parsed at the end. */
const appendedFields = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
} as const

function createRawBlock(start: Fields): RawBlock {
  const appended = { text: '', thinking: '', signature: '', partial_json: '' }
  const citations: unknown[] = []
  let others: Fields = {}
  return {
    add: (delta) => {
      const name = appendedFields[delta['type'] as keyof typeof appendedFields] as keyof typeof appended | undefined
      if (name !== undefined) {
        const piece = textOf(delta[name])
        appended[name] += piece
        return piece.length
      }
      if (delta['type'] === 'citations_delta') citations.push(delta['citation'])
      else others = { ...others, ...delta, type: start['type'] }
      return jsonText(delta).length
    },
    value: () => {
      const { partial_json: json, ...texts } = appended
      const value = {
        ...start,
        ...others,
        ...joined(start, texts),
        ...(json === '' ? {} : { input: parsedInput(json, start['input']) }),
        ...(citations.length === 0 ? {} : { citations: [...citationsOf(start), ...citations] }),
      }
      return start['type'] === 'text' && textOf(recordOf(value)['text']) === '' ? undefined : value
    },
  }
}

function joined(start: Fields, pieces: Readonly<Record<string, string>>): Fields {
  const present = Object.entries(pieces).filter(([, piece]) => piece !== '')
  return Object.fromEntries(present.map(([name, piece]) => [name, textOf(start[name]) + piece]))
}

function citationsOf({ citations }: Fields): readonly unknown[] {
  return Array.isArray(citations) ? citations : []
}

/** Arguments that are no JSON leave the input of the start: the tool ran at the provider, whatever they were. */
function parsedInput(json: string, fallback: unknown): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return fallback
  }
}
