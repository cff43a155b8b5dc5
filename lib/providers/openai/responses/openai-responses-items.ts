// Emits the output items of a Responses API response, each by its index.
//
// Items of tools that run at the provider are skipped.
import type { DeltaEmitter } from '../../adapter/delta-emitter.ts'
import { recordOf, textOf } from '../../http/json-field.ts'
import { getOwn } from '../../../streams/values/json.ts'

type Fields = Readonly<Record<string, unknown>>

export interface ResponseItems {
  /** The number of calls so far. */
  readonly calls: number
  added(event: Fields): void
  /** A piece of an item's text, thinking or arguments. */
  delta(event: Fields): void
  /** Takes the whole item, and emits the parts that were not streamed. */
  done(event: Fields): void
  /** Takes the items of a complete response that were not streamed. */
  complete(output: readonly unknown[]): void
}

interface OpenItem {
  delta(event: Fields): void
  done(item: Fields): void
}

/** Emits items. An item of an unknown type is skipped with its deltas. */
export function openAiResponsesItems(writer: DeltaEmitter): ResponseItems {
  const open = new Map<unknown, OpenItem>()
  const streamed = createStreamedItems()
  let calls = 0

  const nextId = (): string => {
    calls++
    return `call_${calls}`
  }
  const openers: Readonly<Record<string, (item: Fields) => OpenItem>> = {
    message: () => messageItem(writer),
    reasoning: () => reasoningItem(writer),
    function_call: (item) => callItem(writer, item, nextId()),
    custom_tool_call: (item) => customCallItem(writer, item, nextId()),
  }
  const added = (event: Fields): OpenItem | undefined => {
    const item = recordOf(event['item'])
    const kind = textOf(item['type'])
    const opener = getOwn(openers, kind)
    if (opener === undefined) return undefined
    writer.closeBlock()
    const opened = opener(item)
    open.set(keyOf(event), opened)
    streamed.add(keyOf(event), item)
    return opened
  }
  const done = (event: Fields): void => {
    const item = open.get(keyOf(event)) ?? added(event)
    item?.done(recordOf(event['item']))
    streamed.add(keyOf(event), recordOf(event['item']))
    open.delete(keyOf(event))
  }
  return {
    get calls() {
      return calls
    },
    added: (event) => {
      added(event)
    },
    delta: (event) => open.get(keyOf(event))?.delta(event),
    done,
    complete: (output) => {
      for (const [index, value] of output.entries()) {
        const item = recordOf(value)
        const key = streamed.find(index, item)
        if (key === undefined) done({ output_index: `complete ${index}`, item })
        else if (open.has(key.value)) done({ output_index: key.value, item })
      }
    },
  }
}

/** Finds the streamed items again in a complete response, whose indexes and ids may differ from the stream's. */
function createStreamedItems() {
  const keys = new Map<string, unknown>()
  return {
    add: (key: unknown, item: Fields): void => {
      for (const name of namesOf(item)) keys.set(name, key)
      keys.set(`${textOf(item['type'])} at ${String(key)}`, key)
      keys.set(textOf(item['type']), key)
    },
    /** The key under which the item was streamed, undefined if it was not. */
    find: (index: number, item: Fields): { readonly value: unknown } | undefined => {
      const type = textOf(item['type'])
      const position = isCall(type) ? `${type} at ${index}` : type
      // a call has an id of its own: only one without is known by its place
      const names = isCall(type) && textOf(item['call_id']) !== '' ? namesOf(item) : [...namesOf(item), position]
      const name = names.find((each) => keys.has(each))
      return name === undefined ? undefined : { value: keys.get(name) }
    },
  }
}

function isCall(type: string): boolean {
  return type === 'function_call' || type === 'custom_tool_call'
}

function namesOf(item: Fields): readonly string[] {
  return [textOf(item['call_id']), textOf(item['id'])].flatMap((id) => (id === '' ? [] : [`id ${id}`]))
}

/** Some endpoints change an item's id in each event; the index stays. */
function keyOf(event: Fields): unknown {
  return event['output_index'] ?? event['item_id'] ?? recordOf(event['item'])['id']
}

/** Marks the block with the phase of its answer, which the API wants back. */
function messageItem(writer: DeltaEmitter): OpenItem {
  let streamed = false
  const say = (piece: string): void => {
    streamed ||= piece !== ''
    writer.text(piece)
  }
  return {
    delta: ({ type, delta }) => {
      if (type === 'response.output_text.delta' || type === 'response.refusal.delta') say(textOf(delta))
    },
    done: ({ content, phase }) => {
      if (!streamed) for (const part of listOf(content)) say(textOf(part['text']) || textOf(part['refusal']))
      if (writer.open === 'text') writer.closeBlock(textOf(phase) || undefined)
    },
  }
}

/** Emits a block for each part of the summary; the last one has the encrypted reasoning as its signature. */
function reasoningItem(writer: DeltaEmitter): OpenItem {
  let part: string | undefined
  const say = (of: string, piece: string): void => {
    if (piece === '') return
    if (part !== of) writer.closeBlock()
    part = of
    writer.thinking(piece)
  }
  return {
    delta: ({ type, delta, summary_index: summary, content_index: content }) => {
      if (type === 'response.reasoning_summary_text.delta') say(`summary ${String(summary)}`, textOf(delta))
      else if (type === 'response.reasoning_text.delta') say(`content ${String(content)}`, textOf(delta))
    },
    done: (item) => {
      const parts = [...listOf(item['summary']), ...listOf(item['content'])]
      if (part === undefined) for (const [index, { text }] of parts.entries()) say(`told ${index}`, textOf(text))
      const signature = textOf(item['encrypted_content'])
      if (writer.open === 'thinking') writer.closeBlock(signature || undefined)
      else if (signature !== '') writer.hiddenThinking(signature, false)
    },
  }
}

function callItem(writer: DeltaEmitter, item: Fields, invented: string): OpenItem {
  const call = writer.call(textOf(item['call_id']) || textOf(item['id']) || invented, textOf(item['name']))
  let streamed = false
  return {
    delta: ({ type, delta }) => {
      if (type !== 'response.function_call_arguments.delta') return
      streamed ||= textOf(delta) !== ''
      call.arguments(textOf(delta))
    },
    done: (whole) => {
      if (!streamed) call.arguments(textOf(whole['arguments']))
      call.close()
    },
  }
}

/** A call with free text: the text becomes the argument `input`. */
function customCallItem(writer: DeltaEmitter, item: Fields, invented: string): OpenItem {
  const call = writer.call(textOf(item['call_id']) || textOf(item['id']) || invented, textOf(item['name']))
  let streamed = false
  call.arguments('{"input":"')
  const say = (piece: string): void => {
    streamed ||= piece !== ''
    call.arguments(JSON.stringify(piece).slice(1, -1))
  }
  return {
    delta: ({ type, delta }) => {
      if (type === 'response.custom_tool_call_input.delta') say(textOf(delta))
    },
    done: (whole) => {
      if (!streamed) say(textOf(whole['input']))
      call.arguments('"}')
      call.close()
    },
  }
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(recordOf) : []
}
