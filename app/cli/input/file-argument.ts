// Reads an `@file` argument as text for the prompt or as an image; rejects every other file by name.
import { closeSync, constants, existsSync, fstatSync, readdirSync, openSync, readSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { Failure, describeThrown } from '../../../lib/streams/values/failure.ts'
import { detectImageType } from '../../../lib/streams/values/image-type.ts'
import type { ImageContent } from '../../../lib/streams/messages/message.ts'
import { badRequest } from '../command-options.ts'
import { decodeText, inputLimit } from './decode-text.ts'
import { didYouMean } from '../../../lib/streams/values/nearest-name.ts'
import { systemErrno } from '../../../lib/streams/values/system-error.ts'

export type FileArgument = { readonly text: string } | { readonly image: ImageContent }

/**
 * @param file as written on the command line
 * @param folder base of a relative path; default: the current folder
 * @throws Failure `bad_request`
 */
export function readFileArgument(file: string, folder?: string): FileArgument {
  const path = folder === undefined ? file : resolve(folder, file)
  if (file.endsWith('/') && isFolder(path)) return { text: listFolder(file, path) }
  const bytes = readFile(path)
  const mimeType = detectImageType(bytes)
  if (mimeType !== undefined) return { image: { type: 'image', mimeType, data: bytes.toString('base64') } }
  return { text: `<file path=${JSON.stringify(file)}>\n${decodeText(bytes, `@${file}`)}\n</file>` }
}

/**
 * Reads a regular file, or a pipe that the shell made for the command line (`@<(git diff)`). Reads at most the limit,
 * because an endless file has no size.
 * @throws Failure `bad_request`
 */
export function readFile(file: string): Buffer {
  try {
    const isDescriptor = /^\/(dev|proc\/self)\/fd\/\d+$/.test(file)
    // without O_NONBLOCK, opening a pipe blocks until it has a writer, and Ctrl-C is not handled
    const descriptor = openSync(
      file,
      constants.O_RDONLY | (isDescriptor ? 0 : constants.O_NONBLOCK | constants.O_NOCTTY),
    )
    try {
      const status = fstatSync(descriptor)
      if (status.isDirectory()) throw badRequest(`@${file} is a folder; @${file}/ lists it`)
      if (!status.isFile() && !(isDescriptor && status.isFIFO())) {
        throw badRequest(`@${file} is a pipe or device, not a regular file; pipe its output into rxpi -p instead`)
      }
      return readBytes(descriptor, file)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    const reason = systemErrno(error) === 'ENOENT' ? describeMissing(file) : describeThrown(error)
    throw badRequest(`@${file} cannot be read: ${reason}`)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Entries that a mention of a folder lists. */
const maxEntries = 500

/** The names in a folder, a slash after folders, for the model. @throws Failure `bad_request` */
function listFolder(folder: string, path: string): string {
  try {
    const entries = readdirSync(path, { withFileTypes: true }).filter(({ name }) => name !== '.git')
    const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort()
    const more = names.length > maxEntries ? [`… and ${names.length - maxEntries} more`] : []
    const lines = names.length === 0 ? ['(empty)'] : [...names.slice(0, maxEntries), ...more]
    return `<folder path=${JSON.stringify(folder)}>\n${lines.join('\n')}\n</folder>`
  } catch (error) {
    throw badRequest(`@${folder} cannot be read: ${describeThrown(error)}`)
  }
}

/** Names the folder, and the nearest name in it. */
function describeMissing(file: string): string {
  const path = resolve(file)
  const folder = dirname(path)
  if (!existsSync(folder)) return `there is no folder ${folder}`
  return `there is no such file in ${folder}${suggestFile(path)}`
}

/** `. Did you mean a.ts?` for a missing file; '' if its folder has no such name, or cannot be read. */
export function suggestFile(path: string): string {
  try {
    return didYouMean(basename(path), readdirSync(dirname(path)))
  } catch {
    return '' // a part of the path is missing, a file, or not readable
  }
}

/** Bytes of one read. */
const chunkSize = 1024 * 1024

function readBytes(descriptor: number, file: string): Buffer {
  const chunk = Buffer.allocUnsafe(chunkSize)
  const pieces: Buffer[] = []
  for (let length = 0; length <= inputLimit;) {
    const read = readSync(descriptor, chunk)
    if (read === 0) return Buffer.concat(pieces, length)
    pieces.push(Buffer.from(chunk.subarray(0, read))) // a copy: a pipe may give a few bytes at a time
    length += read
  }
  throw badRequest(`@${file} is longer than 16 MiB`)
}
