// Holds the log of one session in memory, without Node: for a page, or to store the lines elsewhere.
import { EMPTY, of } from 'rxjs'
import { openBody } from '../log/line-event.ts'
import { logVersion } from '../log/log-line.ts'
import type { LogLine, SessionHeader, SessionRecord } from '../log/log-line.ts'
import type { NewHeader, SessionLog } from '../ports/session-log.ts'
import { randomIds } from '../values/identifiers.ts'
import { Failure } from '../values/failure.ts'

export interface MemoryLogOptions extends Partial<NewHeader> {
  /** The lines of an earlier log, from line 1 on: the session goes on where they end. Default: a new log. */
  readonly lines?: readonly string[]
  /** Called with each line, line 1 first, before `append` returns: a page can store it. Default: nothing is called. */
  onLine?(line: string): void
}

/**
 * A log whose lines are those of a session's file, with their checksums, so that rxpi on a machine reads them. It has no
 * checkpoints: an answer that is not complete is lost with the page.
 * @throws Failure `bad_request` if `lines` are no log
 */
export function memoryLog({ lines: stored = [], onLine, ...fields }: MemoryLogOptions = {}): SessionLog {
  const [headerLine = newHeaderLine(fields), ...lines] = stored
  const header = readHeader(headerLine)
  for (const [index, line] of lines.entries()) if (readRecord(line).seq !== index + 1) throw damaged(index + 2)
  if (stored.length === 0) onLine?.(headerLine)
  return {
    header,
    headerLine,
    get head() {
      return lines.length
    },
    append: (body) => {
      const line = seal(body)
      lines.push(line)
      onLine?.(line)
      return line
    },
    checkpoint: () => undefined,
    sync: () => undefined,
    durable: () => of(undefined),
    *records(after = 0, only) {
      for (const line of lines.slice(after)) {
        const record = readRecord(line)
        if (only?.has(record.event.type) !== false) yield record
      }
    },
    checkpoints: () => [],
    close: () => EMPTY,
  }
}

function newHeaderLine({ id = randomIds().session(), createdAt = 0, cwd = '/', ...more }: Partial<NewHeader>): string {
  return seal(openBody({ type: 'session', v: logVersion, id, createdAt, cwd, ...more }))
}

function readHeader(line: string): SessionHeader {
  const header = readJson(line, 1) as Partial<SessionHeader>
  if (header.type !== 'session' || header.v !== logVersion) throw damaged(1)
  return header as SessionHeader // its checksum fits: rxpi wrote it
}

function readRecord(line: string): SessionRecord {
  const { crc: _, ...record } = readJson(line, undefined) as LogLine
  return { ...record, line }
}

/** The checksum is that of the line as it was written; a line that this log did not write is checked by it. */
function readJson(line: string, number: number | undefined): unknown {
  const body = line.slice(0, -sealLength)
  if (seal(body) !== line) throw damaged(number)
  return JSON.parse(body + '}')
}

function damaged(line: number | undefined): Failure {
  const where = line === undefined ? 'A line' : `Line ${line}`
  return new Failure('bad_request', `${where} of the stored session is not as rxpi wrote it: start a new log`)
}

const sealLength = ',"crc":"01234567"}'.length

function seal(body: string): string {
  return `${body},"crc":"${crc32(new TextEncoder().encode(body)).toString(16).padStart(8, '0')}"}`
}

/** The remainder of each byte, for the polynomial of zlib's CRC-32. */
const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  return sum
})

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (remainders[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8)
  return (sum ^ 0xffffffff) >>> 0
}
