// Converts a message of a pi session; mends what is unambiguous, and notes each change.
import type { StopReason, Usage } from '../../streams/messages/message.ts'
import { stopReasons, noUsage } from '../../streams/messages/message.ts'
import type { ForeignObject } from './foreign-values.ts'
import { isForeignObject, shownValue } from './foreign-values.ts'

/** Reports a change. */
export type AddNote = (message: string) => void

/** The role of pi's system messages after import: history that no model receives. */
export const systemRole = 'piSystem'

/**
 * The message, to check against its role's schema. A `role` unknown to pi stays.
 * @param at Unix milliseconds, for a message without a time
 */
export function piMessage(message: ForeignObject, at: number, addNote: AddNote): object {
  const timestamp = timeOf(message['timestamp'], at)
  switch (message['role']) {
    case 'user':
      return { ...message, content: convertContent(message['content'], addNote), timestamp }
    case 'toolResult': {
      const isError = message['isError'] === true
      return { ...message, content: userBlocks(message['content'], addNote), isError, timestamp }
    }
    case 'assistant':
      return convertAnswer(message, timestamp, addNote)
    case 'system':
      return { ...message, role: systemRole, timestamp }
    case 'hookMessage': // the name of `custom` before version 3
      return { ...message, role: 'custom', timestamp }
    default:
      return { ...message, timestamp }
  }
}

function timeOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value >= 0 ? value : otherwise
}

function convertContent(content: unknown, addNote: AddNote): unknown {
  return typeof content === 'string' ? content : userBlocks(content, addNote)
}

function convertAnswer(message: ForeignObject, timestamp: number, addNote: AddNote): object {
  return {
    ...message,
    content: answerBlocks(message['content'], addNote),
    ...modelFields(message, addNote),
    usage: piUsage(message['usage'], addNote),
    stopReason: stopReasonOf(message['stopReason'], addNote),
    timestamp,
  }
}

/** The answer's model; old files may lack it. */
function modelFields(message: ForeignObject, addNote: AddNote): object {
  const names: Record<string, string> = {}
  for (const field of ['api', 'provider', 'model']) {
    const value = message[field]
    if (typeof value === 'string') continue
    names[field] = 'unknown'
    addNote(`the answer has no ${field}; it became "unknown"`)
  }
  return names
}

function stopReasonOf(value: unknown, addNote: AddNote): StopReason {
  const known = stopReasons.find((reason) => reason === value)
  if (known !== undefined) return known
  const instead = value === undefined || value === 'deferred' ? 'stop' : 'aborted'
  addNote(`the reason ${shownValue(value)} for the answer's end is unknown to rxpi; it became "${instead}"`)
  return instead
}

/** True if the message has a shape that a schema can check. */
export function isPiMessage(value: unknown): value is ForeignObject {
  return isForeignObject(value) && typeof value['role'] === 'string'
}

// Converts the usage of an answer: the oldest files have no total, and an invalid count becomes none, with a note.

const counts = ['input', 'output', 'cacheRead', 'cacheWrite'] as const
const prices = [...counts, 'total'] as const

/** The usage in rxpi's shape, with its other fields. */
function piUsage(value: unknown, addNote: (message: string) => void): Usage {
  if (!isForeignObject(value) || !counts.every((name) => isCount(value[name]))) {
    addNote('the usage of the answer is missing or invalid; it became zero, at an unknown cost')
    return { ...noUsage, cost: 'unknown' }
  }
  const { cost, reasoning, totalTokens, ...rest } = value
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = counts.map((name) => Number(value[name]))
  return {
    ...rest,
    input,
    output,
    cacheRead,
    cacheWrite,
    ...(isCount(reasoning) ? { reasoning } : {}),
    totalTokens: isCount(totalTokens) ? totalTokens : input + output + cacheRead + cacheWrite,
    cost: costOf(cost),
  }
}

/** `unknown: true` is rxpi's mark: pi requires numbers for unknown costs. */
function costOf(value: unknown): Usage['cost'] {
  if (!isForeignObject(value) || value['unknown'] === true || !isPriced(value)) return 'unknown'
  const { input, output, cacheRead, cacheWrite, total } = value
  return { input, output, cacheRead, cacheWrite, total }
}

function isPriced(value: ForeignObject): value is Readonly<Record<(typeof prices)[number], number>> {
  return prices.every((name) => typeof value[name] === 'number')
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

// Converts content blocks: known shapes with all their fields; others are dropped with a note of position and type.

/** Blocks of a person or a tool. A text is one block; absent content is none. */
function userBlocks(content: unknown, addNote: AddNote): object[] {
  return convertBlocks(content, addNote, (block) => {
    if (block['type'] === 'text') return textBlock(block)
    const isImage = block['type'] === 'image' && hasTexts(block, ['data', 'mimeType'])
    return isImage ? block : undefined
  })
}

/** Blocks of an answer. */
function answerBlocks(content: unknown, addNote: AddNote): object[] {
  return convertBlocks(content, addNote, (block) => {
    switch (block['type']) {
      case 'text':
        return textBlock(block)
      case 'thinking':
        return hasTexts(block, ['thinking']) ? withoutInvalidText(block, 'thinkingSignature') : undefined
      case 'toolCall':
        return callBlock(block)
      default:
        return undefined
    }
  })
}

function convertBlocks(
  content: unknown,
  addNote: AddNote,
  shaped: (block: ForeignObject) => object | undefined,
): object[] {
  if (content === undefined || content === null) return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) {
    addNote('its content is neither text nor a list; it was left out')
    return []
  }
  return content.flatMap((block: unknown, index) => {
    const made = isForeignObject(block) ? shaped(block) : undefined
    if (made !== undefined) return [made]
    addNote(`block ${index + 1} of its content (${typeOf(block)}) has an unknown shape; it was left out`)
    return []
  })
}

function textBlock(block: ForeignObject): object | undefined {
  return hasTexts(block, ['text']) ? withoutInvalidText(block, 'textSignature') : undefined
}

function callBlock(block: ForeignObject): object | undefined {
  const { id, arguments: value } = block
  if (!hasTexts(block, ['id', 'name']) || id === '' || String(id).length > 512) return undefined
  const call = withoutInvalidText(block, 'thoughtSignature')
  if (isForeignObject(value)) return call
  return { ...call, arguments: {}, argumentsText: argumentsText(value) }
}

/** Unparsed arguments stay as text, as in a streamed call. */
function argumentsText(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function hasTexts(block: ForeignObject, fields: readonly string[]): boolean {
  return fields.every((field) => typeof block[field] === 'string')
}

/** Without an invalid optional text (old files have `null`). */
function withoutInvalidText(block: ForeignObject, field: string): ForeignObject {
  if (block[field] === undefined || typeof block[field] === 'string') return block
  const { [field]: _, ...rest } = block
  return rest
}

function typeOf(block: unknown): string {
  const type = isForeignObject(block) ? block['type'] : block
  return typeof type === 'string' ? JSON.stringify(type.slice(0, 40)) : typeof type
}
