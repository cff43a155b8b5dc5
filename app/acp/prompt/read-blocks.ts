// Reads the content blocks of a prompt of ACP into a text and images.
import { fileURLToPath } from 'node:url'
import type { ContentBlock, EmbeddedResourceResource } from '@agentclientprotocol/sdk'
import type { ImageContent } from '../../../lib/streams/messages/message.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

export interface PromptContent {
  readonly text: string
  readonly images: ImageContent[]
}

const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
/** Images of a prompt; UTF-16 units of its text and of its images in base64. */
const limits = { images: 100, text: 4_194_304, data: 14_680_064 } as const

/**
 * A link stands in the text as `[name](path)`. The content of an embedded resource follows at the end, in a fence that
 * it cannot close.
 * @throws Failure `bad_request` that names the block, `message_too_large`
 */
export function readBlocks(blocks: readonly ContentBlock[]): PromptContent {
  const images: ImageContent[] = []
  const context: string[] = []
  const words = blocks.map((block, index) => {
    const at = `prompt[${index}]`
    switch (block.type) {
      case 'text':
        return block.text
      case 'image':
        images.push(readImage(block, at))
        return ''
      case 'resource_link':
        return linkText(block.name, block.uri)
      case 'resource':
        return readResource(block.resource, at, { images, context })
      default:
        throw new Failure(
          'bad_request',
          `${at}: rxpi takes text, images, links and embedded resources, no ${block.type}`,
        )
    }
  })
  const text = [words.join(''), ...context].join('\n\n')
  if (text.trim() === '' && images.length === 0) throw new Failure('bad_request', 'The prompt is empty')
  checkSize(text, images)
  return { text, images }
}

function checkSize(text: string, images: readonly ImageContent[]): void {
  if (images.length > limits.images)
    throw new Failure('bad_request', `A prompt has at most ${limits.images} images, this one has ${images.length}`)
  if (text.length > limits.text)
    throw new Failure(
      'message_too_large',
      `A prompt has at most ${limits.text} characters, this one has ${text.length}`,
    )
  const data = images.reduce((sum, image) => sum + (image.data?.length ?? 0), 0)
  if (data > limits.data)
    throw new Failure(
      'message_too_large',
      `The images of a prompt have at most ${limits.data} characters, these have ${data}`,
    )
}

function readImage({ data, mimeType }: { readonly data: string; readonly mimeType: string }, at: string): ImageContent {
  if (!imageTypes.includes(mimeType))
    throw new Failure('bad_request', `${at}: an image is one of ${imageTypes.join(', ')}, not ${mimeType}`)
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data))
    throw new Failure('bad_request', `${at}: the data of the image is not base64`)
  return { type: 'image', mimeType, data }
}

interface Gathered {
  readonly images: ImageContent[]
  readonly context: string[]
}

/** Returns the link to it; its content goes to `gathered`. */
function readResource(resource: EmbeddedResourceResource, at: string, gathered: Gathered): string {
  const { uri } = resource
  if ('text' in resource) {
    gathered.context.push(`Content of ${locationOf(uri)}:\n${fenced(resource.text)}`)
    return linkText(nameOf(uri), uri)
  }
  const { blob, mimeType } = resource
  if (mimeType === undefined || mimeType === null || !imageTypes.includes(mimeType))
    throw new Failure('bad_request', `${at}: rxpi takes embedded texts and images, no ${mimeType ?? 'binary data'}`)
  gathered.images.push(readImage({ data: blob, mimeType }, at))
  return linkText(nameOf(uri), uri)
}

function fenced(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`
}

function linkText(name: string, uri: string): string {
  return `[${name}](${locationOf(uri)})`
}

function nameOf(uri: string): string {
  const location = locationOf(uri)
  return location.slice(location.lastIndexOf('/') + 1) || location
}

/** The path of a file, for tools that read it; another address as it is. */
function locationOf(uri: string): string {
  if (!uri.startsWith('file:')) return uri
  try {
    return fileURLToPath(uri)
  } catch {
    return uri // of another machine, or not an address
  }
}
