// Summarises a session from its log: every line of a short log, the beginning and end of a long one.
import { constants } from 'node:fs'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import { previewStart, previewEnd } from '../../streams/values/display-text.ts'
import { foldMentions } from '../../streams/messages/mentions.ts'
import { displayText } from '../../streams/messages/message-text.ts'
import type { SessionFacts } from '../../streams/state/session-summary.ts'
import { titleLimit } from '../../streams/values/identifiers.ts'
import { storageFailure } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { FileSystemPort } from '../disk/file-system-port.ts'
import { nodeFileSystem } from '../disk/file-system-port.ts'
import type { LineRange } from './index-log-lines.ts'
import { LogLineIndex } from './index-log-lines.ts'
import { parseLine } from '../lines/parse-line.ts'
import { readLines } from '../lines/read-lines.ts'

export interface LogToList {
  readonly file: string
  readonly sessionId: string
  /** From the file's name, Unix milliseconds; counts if line 1 is damaged. */
  readonly createdAt: number
  /** Default: the real file system. */
  readonly files?: FileSystemPort
  /** Logs up to this size are read whole, in bytes. Default 16 MiB. */
  readonly wholeUpTo?: number
}

const mebibyte = 2 ** 20
/** Fractions of `wholeUpTo` read from the beginning and the end of a longer log. */
const headPart = 1 / 16
const tailPart = 1 / 2

/** @throws Failure `storage` if it cannot be read or is not a file of this user */
export function summariseLog({ file, sessionId, createdAt, files = nodeFileSystem, ...more }: LogToList): SessionFacts {
  const { wholeUpTo = 16 * mebibyte } = more
  return withLog(file, files, (descriptor, size) => {
    const read = (buffer: Buffer, length: number, position: number): number =>
      files.readSync(descriptor, buffer, 0, length, position)
    const index = new LogLineIndex(sessionId)
    const scanPart = (from: number, end: number): void => {
      for (const line of readLines({ read, from, end: () => end })) if (!index.take(line)) return
    }
    const isWhole = size <= wholeUpTo
    scanPart(0, isWhole ? size : Math.floor(wholeUpTo * headPart))
    if (!isWhole && index.damaged === undefined) {
      index.skip()
      scanPart(size - Math.floor(wholeUpTo * tailPart), size)
    }
    const recordAt = ({ offset, length }: LineRange): SessionRecord | undefined => {
      const line = Buffer.allocUnsafe(length)
      if (read(line, length, offset) < length) return undefined // it was truncated meanwhile
      const parsed = parseLine(line)
      return parsed.ok ? parsed.record : undefined
    }
    return factsOf(index, { id: sessionId, createdAt, size, recordAt, isWhole })
  })
}

function withLog<Result>(
  file: string,
  files: FileSystemPort,
  use: (descriptor: number, size: number) => Result,
): Result {
  const { descriptor, size } = openListed(file, files)
  try {
    return use(descriptor, size)
  } catch (thrown) {
    throw storageFailure(`read ${file}`, thrown)
  } finally {
    files.closeSync(descriptor)
  }
}

/** Opens a log for reading; the caller closes it. @throws Failure `storage` if it cannot, or if it is not a file of this user */
export function openListed(
  file: string,
  files: FileSystemPort,
): { readonly descriptor: number; readonly size: number } {
  let descriptor: number | undefined
  try {
    descriptor = files.openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const status = files.fstatSync(descriptor)
    if (!status.isFile()) throw new Failure('storage', `Could not read ${file}: it is not a file`)
    if (status.uid !== process.geteuid?.()) {
      throw new Failure('storage', `Could not read ${file}: it belongs to another user`)
    }
    return { descriptor, size: status.size }
  } catch (thrown) {
    if (descriptor !== undefined) files.closeSync(descriptor)
    throw storageFailure(`read ${file}`, thrown)
  }
}

interface SummarySource extends Pick<SessionFacts, 'id' | 'createdAt' | 'size'> {
  recordAt(line: LineRange): SessionRecord | undefined
  readonly isWhole: boolean
}

function factsOf(index: LogLineIndex, { id, createdAt, size, recordAt, isWhole }: SummarySource): SessionFacts {
  const { header, damaged, messages, firstMessages, lastMessages, modelLine, infoLines } = index
  const first = firstText(firstMessages, recordAt)
  const last = firstText(lastMessages.toReversed(), recordAt, 'any')
  const title = renamedTo(infoLines, recordAt) ?? header?.title
  const model = modelLine === undefined ? undefined : modelIn(recordAt(modelLine))
  return {
    id,
    createdAt: header?.createdAt ?? createdAt,
    updatedAt: index.updatedAt ?? header?.createdAt ?? createdAt,
    size,
    ...(title === undefined || title === '' ? {} : { title: previewStart(title, titleLimit) }),
    ...(header === undefined ? {} : { cwd: header.cwd.slice(0, 4_096) }),
    ...(first === undefined ? {} : { firstWords: previewStart(first) }),
    ...(last === undefined ? {} : { lastWords: previewEnd(last) }),
    ...(isWhole || damaged !== undefined ? { messages } : {}),
    ...(model === undefined ? {} : { model: previewStart(model, 200) }),
    ...(header?.parent === undefined ? {} : { parent: header.parent }),
    ...(damaged === undefined ? {} : { damaged: previewStart(damaged, 200) }),
  }
}

type RecordAt = SummarySource['recordAt']

/** The text of the first message that has one; the line of a tool result has none. */
function firstText(lines: readonly LineRange[], recordAt: RecordAt, of: 'user' | 'any' = 'user'): string | undefined {
  for (const line of lines) {
    const event = recordAt(line)?.event
    if (event?.type !== 'message_end' || (of === 'user' && event.message.role !== 'user')) continue
    const text = foldMentions(displayText(event.message)).trim()
    if (text !== '') return text
  }
  return undefined
}

function renamedTo(lines: readonly LineRange[], recordAt: RecordAt): string | undefined {
  for (const line of lines.toReversed()) {
    const event = recordAt(line)?.event
    const title = event?.type === 'session_info_change' ? event.to['title'] : undefined
    if (typeof title === 'string') return title
  }
  return undefined
}

function modelIn(record: SessionRecord | undefined): string | undefined {
  if (record?.event.type === 'agent_start') return record.event.model
  return record?.event.type === 'model_change' ? (record.event.ownModel ?? record.event.to) : undefined
}
