// An `@file` is text that stands in the prompt with its path, or an image beside it; anything else is refused by name.
import { readFileSync, statSync } from 'node:fs'
import { Failure } from '../lib/streams/failure.ts'
import type { ImageContent } from '../lib/streams/message.ts'
import { wrong } from './command-options.ts'
import { decodeText, inputLimit } from './input-text.ts'

export type FileArgument = { readonly text: string } | { readonly image: ImageContent }

/**
 * @param file as it was typed: relative to the folder that the command was called in
 * @throws Failure `bad_request`
 */
export function fileArgument(file: string): FileArgument {
  const bytes = readFile(file)
  const mimeType = imageType(bytes)
  if (mimeType !== undefined) return { image: { type: 'image', mimeType, data: bytes.toString('base64') } }
  return { text: `<file path=${JSON.stringify(file)}>\n${decodeText(bytes, `@${file}`)}\n</file>` }
}

/** @throws Failure `bad_request` */
export function readFile(file: string): Buffer {
  try {
    const status = statSync(file)
    if (status.isDirectory()) throw wrong(`@${file} is a folder; name files`)
    if (status.size > inputLimit) throw wrong(`@${file} is longer than 16 MiB`)
    return readFileSync(file)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw wrong(`@${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const signatures: readonly (readonly [mimeType: string, offset: number, bytes: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
]

/** By the first bytes: a name proves nothing. */
function imageType(bytes: Buffer): string | undefined {
  const found = signatures.find(
    ([, offset, text]) => bytes.subarray(offset, offset + text.length).toString('latin1') === text,
  )
  return found?.[0]
}
