// Searches the messages of a session log for a text.
// Guarantees: reads the file once, a line at a time, and yields after each; changes nothing.
import { storageFailure } from '../../host/files/storage-failure.ts'
import { displayText } from '../../streams/messages/message-text.ts'
import type { Message } from '../../streams/messages/message.ts'
import { previewStart } from '../../streams/values/display-text.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { nodeFileSystem } from '../disk/file-system-port.ts'
import { parseLine } from '../lines/parse-line.ts'
import { readLineHead } from '../lines/peek-line.ts'
import { readLines } from '../lines/read-lines.ts'
import { openListed } from './session-summary-from-log.ts'

export interface LogSearch {
  readonly file: string
  /** Capital and small letters are the same. */
  readonly text: string
  /** Default: the real file system. */
  readonly files?: FileSystemPort
}

/** UTF-16 units around the text in a result. */
const [unitsBefore, unitsAfter] = [40, 100]

/**
 * The words around the text in the first message of the user or the model that has it; undefined if none has. A line that
 * cannot be read has no message. Stored blobs are not searched.
 * @throws Failure `storage` if the file cannot be read or is not a file of this user
 */
export function* searchLog({
  file,
  text,
  files = nodeFileSystem,
}: LogSearch): Generator<undefined, string | undefined> {
  const { descriptor, size } = openListed(file, files)
  try {
    const wanted = text.toLowerCase()
    const stored = JSON.stringify(wanted).slice(1, -1)
    const read = (buffer: Buffer, length: number, position: number): number =>
      files.readSync(descriptor, buffer, 0, length, position)
    for (const { bytes } of readLines({ read, from: 0, end: () => size })) {
      const message = mayHold(bytes, stored) ? messageIn(bytes) : undefined
      const words = message === undefined ? '' : displayText(message)
      const at = words.toLowerCase().indexOf(wanted)
      if (at !== -1) return wordsAround(words, at, wanted.length)
      yield undefined
    }
    return undefined
  } catch (thrown) {
    throw storageFailure(`read ${file}`, thrown)
  } finally {
    files.closeSync(descriptor)
  }
}

/** False for most lines, without parsing them. */
function mayHold(line: Buffer, stored: string): boolean {
  return readLineHead(line)?.type === 'message_end' && line.toString('utf8').toLowerCase().includes(stored)
}

function messageIn(line: Buffer): Message | undefined {
  const parsed = parseLine(line)
  const event = parsed.ok ? parsed.record.event : undefined
  return event?.type === 'message_end' && event.message.role !== 'toolResult' ? event.message : undefined
}

function wordsAround(words: string, at: number, length: number): string {
  const [from, to] = [Math.max(0, at - unitsBefore), at + length + unitsAfter]
  const part = words.slice(from, to).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '') // half of a character
  return `${from > 0 ? '…' : ''}${previewStart(part, part.length)}${to < words.length ? '…' : ''}`
}
