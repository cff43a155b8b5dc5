// The blocks of a foreign message: those of a known shape are kept with all they hold, of others the place and type are told.
import type { ForeignObject } from './foreign-values.ts'
import { isForeignObject } from './foreign-values.ts'

type Tell = (message: string) => void

/** Blocks of a person or a tool. A text is one block; nothing is none. */
export function piSaidParts(content: unknown, tell: Tell): object[] {
  return parts(content, tell, (block) => {
    if (block['type'] === 'text') return textBlock(block)
    const isImage = block['type'] === 'image' && hasTexts(block, ['data', 'mimeType'])
    return isImage ? block : undefined
  })
}

/** Blocks of an answer. */
export function piAnswerParts(content: unknown, tell: Tell): object[] {
  return parts(content, tell, (block) => {
    switch (block['type']) {
      case 'text':
        return textBlock(block)
      case 'thinking':
        return hasTexts(block, ['thinking']) ? withoutWrong(block, 'thinkingSignature') : undefined
      case 'toolCall':
        return callBlock(block)
      default:
        return undefined
    }
  })
}

function parts(content: unknown, tell: Tell, shaped: (block: ForeignObject) => object | undefined): object[] {
  if (content === undefined || content === null) return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) {
    tell('its content is neither text nor a list; it was left out')
    return []
  }
  return content.flatMap((block: unknown, index) => {
    const made = isForeignObject(block) ? shaped(block) : undefined
    if (made !== undefined) return [made]
    tell(`block ${index + 1} of its content (${typeOf(block)}) has no shape of ours; it was left out`)
    return []
  })
}

function textBlock(block: ForeignObject): object | undefined {
  return hasTexts(block, ['text']) ? withoutWrong(block, 'textSignature') : undefined
}

function callBlock(block: ForeignObject): object | undefined {
  const { id, arguments: given } = block
  if (!hasTexts(block, ['id', 'name']) || id === '' || String(id).length > 512) return undefined
  const call = withoutWrong(block, 'thoughtSignature')
  if (isForeignObject(given)) return call
  return { ...call, arguments: {}, argumentsText: argumentsText(given) }
}

/** What stands there is kept as text, as where a model sent it so. */
function argumentsText(given: unknown): string {
  if (given === undefined) return ''
  return typeof given === 'string' ? given : JSON.stringify(given)
}

function hasTexts(block: ForeignObject, fields: readonly string[]): boolean {
  return fields.every((field) => typeof block[field] === 'string')
}

/** Without an optional text that is none (old files have `null`). */
function withoutWrong(block: ForeignObject, field: string): ForeignObject {
  if (block[field] === undefined || typeof block[field] === 'string') return block
  const { [field]: _, ...rest } = block
  return rest
}

function typeOf(block: unknown): string {
  const type = isForeignObject(block) ? block['type'] : block
  return typeof type === 'string' ? JSON.stringify(type.slice(0, 40)) : typeof type
}
