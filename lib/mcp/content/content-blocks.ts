// Converts content of servers — text, images, links, embedded resources — to content for models.
// Guarantees: an image has a type and a size that models take, or a sentence stands for it.
import { formatBytes } from '../../streams/values/format-bytes.ts'
import { detectImageType } from '../../streams/values/image-type.ts'
import { isRecord } from '../../streams/values/json.ts'
import type { UserContent } from '../../streams/messages/message.ts'
import { dataText, describingLine } from './foreign-text.ts'

/** As base64 these are 5,000,000 characters, the limit of every model API. */
const maxImageBytes = 3_750_000
const maxImages = 16
const maxBlocks = 1_000
/** UTF-8 bytes of a name, type or address in a sentence. */
const maxNameBytes = 2_048

/** Each block in its order; what a model cannot take becomes a sentence in brackets. */
export function convertBlocks(blocks: readonly unknown[]): readonly UserContent[] {
  let images = 0
  const converted = blocks.slice(0, maxBlocks).map((block): UserContent => {
    const content = isRecord(block) ? convertBlock(block) : note('Content that is no object is left out.')
    if (content.type === 'text') return content
    images += 1
    return images <= maxImages ? content : note(`An image is left out: a result can have ${maxImages}.`)
  })
  const rest = blocks.length - converted.length
  return rest === 0 ? converted : [...converted, note(`${rest} more blocks of content are left out.`)]
}

type Block = Readonly<Record<string, unknown>>

function convertBlock(block: Block): UserContent {
  switch (block['type']) {
    case 'text':
      return text(dataText(textOf(block['text'])))
    case 'image':
      return convertImage(block['data'], block['mimeType'])
    case 'audio':
      return note(`Audio (${nameOf(block['mimeType'])}, ${sizeOf(block['data'])}) is left out: models take none here.`)
    case 'resource_link':
      return note(`Resource ${describeLink(block)}`)
    case 'resource':
      return convertResource(block['resource'])
    default:
      return note(`Content of the unknown type ${nameOf(block['type'])} is left out.`)
  }
}

/** A resource as a block has it, or as `resources/read` returns it. */
export function convertResource(resource: unknown): UserContent {
  if (!isRecord(resource)) return note('A resource without content is left out.')
  const { uri, mimeType, text: content, blob } = resource
  if (typeof content === 'string') return text(`[Resource ${nameOf(uri)}]\n${dataText(content)}`)
  if (typeof mimeType === 'string' && mimeType.startsWith('image/')) return convertImage(blob, mimeType)
  const facts = `${mimeType === undefined ? '' : `${nameOf(mimeType)}, `}${sizeOf(blob)}`
  return note(`The resource ${nameOf(uri)} (${facts}) is left out: it is not text and not an image.`)
}

function convertImage(data: unknown, mimeType: unknown): UserContent {
  const size = base64Bytes(data)
  const facts = `${nameOf(mimeType)}, ${formatBytes(size)}`
  if (size > maxImageBytes) return note(`An image (${facts}) is left out: ${formatBytes(maxImageBytes)} are allowed.`)
  const bytes = Buffer.from(textOf(data), 'base64')
  const type = detectImageType(bytes)
  if (type === undefined) return note(`An image (${facts}) is left out: models read PNG, JPEG, GIF and WebP.`)
  return { type: 'image', mimeType: type, data: bytes.toString('base64') }
}

function describeLink(link: Block): string {
  const { uri, title, name, mimeType, description } = link
  const parts = [nameOf(title ?? name), `<${nameOf(uri)}>`, mimeType === undefined ? '' : `(${nameOf(mimeType)})`]
  const words = typeof description === 'string' ? `: ${describingLine(description, maxNameBytes)}` : ''
  return `${parts.filter((part) => part !== '').join(' ')}${words}`
}

function text(content: string): UserContent {
  return { type: 'text', text: content }
}

function note(sentence: string): UserContent {
  return text(`[${sentence}]`)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function nameOf(value: unknown): string {
  return typeof value === 'string' && value !== '' ? describingLine(value, maxNameBytes) : 'without a name'
}

function sizeOf(data: unknown): string {
  return formatBytes(base64Bytes(data))
}

function base64Bytes(data: unknown): number {
  return Math.floor((textOf(data).length * 3) / 4)
}
