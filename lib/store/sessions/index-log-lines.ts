// Indexes the lines of a log by their heads.
// Records the ranges of the lines that a session list needs.
import type { SessionHeader } from '../../streams/log/log-line.ts'
import { readLineHead } from '../lines/peek-line.ts'
import { lineIsSealed } from '../lines/line-checksum.ts'
import { parseHeader } from '../lines/parse-header.ts'
import type { RawLine } from '../lines/read-lines.ts'

/** Range of a line without its line feed, in bytes. */
export interface LineRange {
  readonly offset: number
  readonly length: number
}

/** Lines of one kind that are recorded at most. */
const linesPerKind = 8

/** Consumes the lines of a log in order; its fields hold the result so far. */
export class LogLineIndex {
  /** Absent if line 1 is invalid. */
  header: SessionHeader | undefined
  /** Why a line is invalid. */
  damaged: string | undefined
  /** Number of `message_end` lines. */
  messages = 0
  /** The first 8 of them … */
  readonly firstMessages: LineRange[] = []
  /** … and the last 8. */
  readonly lastMessages: LineRange[] = []
  /** The last line that names a model. */
  modelLine: LineRange | undefined
  /** The last 8 lines that change title and the like. */
  readonly infoLines: LineRange[] = []
  /** The time of the last event. */
  updatedAt: number | undefined
  readonly #sessionId: string
  #lines = 0
  /** The expected next number, if known. */
  #next: number | undefined = 1
  /** True after a skip: lines can no longer be counted. */
  #inPart = false

  /** @param sessionId the session id in the file's name */
  constructor(sessionId: string) {
    this.#sessionId = sessionId
  }

  /** False if no line after this one is needed. */
  take({ bytes, offset, ended }: RawLine): boolean {
    const isFirst = this.#lines === 0
    if (!ended && (!isFirst || this.#inPart)) return false // being written, or torn: opening handles it
    this.#lines += 1
    if (isFirst && this.#inPart) return true // the part began in the middle of this line
    if (isFirst) return ended ? this.#takeFirst(bytes) : this.#damage('it is not complete')
    return this.#takeNext(bytes, { offset, length: bytes.length })
  }

  /** The next line begins further on, and may be partial. */
  skip(): void {
    this.#inPart = true
    this.#lines = 0
    this.#next = undefined
  }

  #takeFirst(bytes: Buffer): boolean {
    const parsed = parseHeader(bytes)
    if (!parsed.ok)
      return this.#damage(parsed.fault === 'version' ? `its version is ${parsed.version}` : parsed.problem)
    if (parsed.header.id !== this.#sessionId) return this.#damage(`it is the header of session ${parsed.header.id}`)
    this.header = parsed.header
    return true
  }

  #takeNext(bytes: Buffer, line: LineRange): boolean {
    if (!lineIsSealed(bytes)) return this.#damage('its checksum is missing or wrong')
    const head = readLineHead(bytes)
    if (head === undefined) return this.#damage('it is not a line of a session')
    this.updatedAt = timeOf(bytes) ?? this.updatedAt
    if (head.seq === undefined) return true
    if (this.#next !== undefined && head.seq !== this.#next)
      return this.#damage(`its number is ${head.seq} but ${this.#next} was expected`)
    this.#next = head.seq + 1
    this.#note(head.type, line)
    return true
  }

  #note(type: string, line: LineRange): void {
    if (type === 'message_end') {
      this.messages += 1
      if (this.firstMessages.length < linesPerKind) this.firstMessages.push(line)
      pushLast(this.lastMessages, line)
    } else if (type === 'agent_start' || type === 'model_change') this.modelLine = line
    else if (type === 'session_info_change') pushLast(this.infoLines, line)
  }

  #damage(problem: string): boolean {
    this.damaged = this.#inPart ? `near its end, ${problem}` : `line ${this.#lines}: ${problem}`
    return false
  }
}

function pushLast(lines: LineRange[], line: LineRange): void {
  lines.push(line)
  if (lines.length > linesPerKind) lines.shift()
}

function timeOf(bytes: Buffer): number | undefined {
  const at = /^\{(?:"seq":\d+,)?"at":(\d+(?:\.\d+)?)/.exec(bytes.toString('latin1', 0, 64))?.[1]
  return at === undefined ? undefined : Number(at)
}
