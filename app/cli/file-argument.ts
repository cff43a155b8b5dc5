// An `@file` is text that stands in the prompt with its path, or an image beside it; anything else is refused by name.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from '../../lib/streams/values/failure.ts'
import { detectImageType } from '../../lib/streams/values/image-type.ts'
import type { ImageContent } from '../../lib/streams/messages/message.ts'
import { wrong } from './command-options.ts'
import { decodeText, inputLimit } from './decode-text.ts'
import { describeThrown } from '../../lib/streams/values/failure.ts'

export type FileArgument = { readonly text: string } | { readonly image: ImageContent }

/**
 * @param file as it was typed
 * @param folder what it is relative to. Default: the folder that the command was called in
 * @throws Failure `bad_request`
 */
export function fileArgument(file: string, folder?: string): FileArgument {
  const bytes = readFile(folder === undefined ? file : resolve(folder, file))
  const mimeType = detectImageType(bytes)
  if (mimeType !== undefined) return { image: { type: 'image', mimeType, data: bytes.toString('base64') } }
  return { text: `<file path=${JSON.stringify(file)}>\n${decodeText(bytes, `@${file}`)}\n</file>` }
}

/**
 * The bytes of a regular file, or of a pipe that the shell made for us (`@<(git diff)`). No more than the limit is ever read:
 * what is endless shows no size.
 * @throws Failure `bad_request`
 */
export function readFile(file: string): Buffer {
  try {
    const isDescriptor = /^\/(dev|proc\/self)\/fd\/\d+$/.test(file)
    // without O_NONBLOCK, opening a pipe would wait for somebody to write to it, and no Ctrl-C would be heard
    const descriptor = openSync(
      file,
      constants.O_RDONLY | (isDescriptor ? 0 : constants.O_NONBLOCK | constants.O_NOCTTY),
    )
    try {
      const status = fstatSync(descriptor)
      if (status.isDirectory()) throw wrong(`@${file} is a folder; name files`)
      if (!status.isFile() && !(isDescriptor && status.isFIFO())) {
        throw wrong(`@${file} is no regular file but a pipe or device; what it gives can be piped in`)
      }
      return readBytes(descriptor, file)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw wrong(`@${file} cannot be read: ${describeThrown(error)}`)
  }
}

/** Bytes that are asked for at a time. */
const portion = 1024 * 1024

function readBytes(descriptor: number, file: string): Buffer {
  const chunks: Buffer[] = []
  for (let length = 0; length <= inputLimit;) {
    const chunk = Buffer.allocUnsafe(portion)
    const read = readSync(descriptor, chunk)
    if (read === 0) return Buffer.concat(chunks, length)
    chunks.push(chunk.subarray(0, read))
    length += read
  }
  throw wrong(`@${file} is longer than 16 MiB`)
}
