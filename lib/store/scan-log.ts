// Every line of a log is checked — its checksum, and numbers without a hole — before a session goes on with it; nothing is written here.
import type { SessionHeader } from '../streams/log-line.ts'
import { Failure } from '../streams/failure.ts'
import { damagedLine } from './damaged-line.ts'
import type { LineHead } from './line-head.ts'
import { lineHead } from './line-head.ts'
import type { LineIndex } from './line-index.ts'
import { lineIndex } from './line-index.ts'
import { lineIsSealed } from './line-is-sealed.ts'
import { parseHeader } from './parse-header.ts'
import type { LineSource } from './read-lines.ts'
import { readLines } from './read-lines.ts'

/** Where a line stands. */
export interface LinePlace {
  /** Bytes before it. */
  readonly offset: number
  /** Its number in the file, from 1. */
  readonly line: number
}

/** What stands in a log. */
export interface LogContents {
  readonly header: SessionHeader
  readonly headerLine: string
  /** The last `seq`, 0 while there is none. */
  readonly head: number
  /** How many lines, line 1 and checkpoints included. */
  readonly lines: number
  /** Bytes of the lines that count, the last line's feed included. */
  readonly size: number
  readonly index: LineIndex
  /** The first checkpoint line of a message that has not ended; absent where there is none. */
  readonly unfinished?: LinePlace
}

export interface ScannedLog {
  readonly contents: LogContents
  /** `torn`: what stands after `contents.size` is no line; `unended`: only the last line's feed is missing, NULs may follow. */
  readonly end: 'whole' | 'torn' | 'unended'
}

/**
 * Reads a whole log, one piece at a time.
 * @throws Failure `read_only` naming the damaged line, `unsupported_version`
 */
export function scanLog(file: string, source: LineSource): ScannedLog {
  const scan = logScan(file)
  for (const { bytes, offset, ended } of readLines(source)) {
    if (ended) {
      scan.line(bytes, offset)
      continue
    }
    const line = withoutNuls(bytes)
    const unended = lineIsSealed(line)
    if (unended) scan.line(line, offset)
    return { contents: scan.contents(), end: unended ? 'unended' : 'torn' }
  }
  return { contents: scan.contents(), end: 'whole' }
}

interface LogScan {
  line(bytes: Buffer, offset: number): void
  contents(): LogContents
}

function logScan(file: string): LogScan {
  const index = lineIndex()
  let first: { readonly header: SessionHeader; readonly headerLine: string } | undefined
  let head = 0
  let lines = 0
  let size = 0
  let unfinished: LinePlace | undefined

  function count({ seq, type }: LineHead, offset: number): void {
    if (seq === undefined) {
      unfinished ??= { offset, line: lines }
      return
    }
    if (seq !== head + 1) throw damaged(`its number is ${seq} where ${head + 1} comes next`)
    if (type === 'message_end') unfinished = undefined
    head = seq
    index.add({ seq, offset, line: lines })
  }

  const damaged = (problem: string) => damagedLine({ file, line: lines, problem })

  return {
    line(bytes, offset) {
      lines += 1
      size = offset + bytes.length + 1
      if (first === undefined) {
        first = readHeader(file, bytes)
        return
      }
      if (!lineIsSealed(bytes)) throw damaged('its checksum is missing or wrong')
      const found = lineHead(bytes)
      if (found === undefined) throw damaged('it is not a line of a session')
      count(found, offset)
    },
    contents() {
      if (first === undefined) throw damagedLine({ file, line: 1, problem: 'it is not complete' })
      return { ...first, head, lines, size, index, ...(unfinished === undefined ? {} : { unfinished }) }
    },
  }
}

function readHeader(file: string, bytes: Buffer): { header: SessionHeader; headerLine: string } {
  const parsed = parseHeader(bytes)
  if (parsed.ok) return { header: parsed.header, headerLine: parsed.line }
  if (parsed.fault === 'damaged') throw damagedLine({ file, line: 1, problem: parsed.problem })
  const message = `${file} has log version ${parsed.version}; this rxpi reads version 1: open it with the rxpi that wrote it`
  throw new Failure('unsupported_version', message, { data: { file, version: parsed.version } })
}

/** A crash can leave NULs where a file had grown but its bytes had not been written. */
function withoutNuls(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  return bytes.subarray(0, end)
}
