// Collects the content blocks of a Messages API response as the API sent them.
//
// Guarantees: blocks of tools that run at the provider stay unchanged: the API refuses a changed one.
import { recordOf, textOf } from '../http/json-field.ts'

type Fields = Readonly<Record<string, unknown>>

/** One content block, as the API takes it back. */
export interface RawBlock {
  add(delta: Fields): void
  /** Undefined for an empty text, which the API refuses. */
  value(): Fields | undefined
}

/** Starts with the block of `content_block_start`. */
export function createRawBlock(start: Fields): RawBlock {
  let text = ''
  let thinking = ''
  let signature = ''
  let json = ''
  const citations: unknown[] = []
  let others: Fields = {}
  return {
    add: (delta) => {
      const { type, ...fields } = delta
      if (type === 'text_delta') text += textOf(fields['text'])
      else if (type === 'thinking_delta') thinking += textOf(fields['thinking'])
      else if (type === 'input_json_delta') json += textOf(fields['partial_json'])
      else if (type === 'signature_delta') signature += textOf(fields['signature'])
      else if (type === 'citations_delta') citations.push(fields['citation'])
      else others = { ...others, ...fields }
    },
    value: () => {
      const value = {
        ...start,
        ...others,
        ...appended(start, { text, thinking, signature }),
        ...(json === '' ? {} : { input: parsedInput(json, start['input']) }),
        ...(citations.length === 0 ? {} : { citations: [...citationsOf(start), ...citations] }),
      }
      return start['type'] === 'text' && textOf(recordOf(value)['text']) === '' ? undefined : value
    },
  }
}

function appended(start: Fields, pieces: Readonly<Record<string, string>>): Fields {
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
