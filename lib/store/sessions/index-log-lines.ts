// The lines of a log are passed over by their heads; of those that a list needs, only the place is kept.
import type { SessionHeader } from '../../streams/log/log-line.ts'
import { readLineHead } from '../lines/peek-line.ts'
import { lineIsSealed } from '../lines/line-checksum.ts'
import { parseHeader } from '../lines/parse-header.ts'
import type { RawLine } from '../lines/read-lines.ts'

/** Where a line stands, in bytes; without its line feed. */
export interface LineRange {
  readonly offset: number
  readonly length: number
}

/** How many lines of a kind are kept at most. */
const linesPerKind = 8

/** Takes the lines of a log in order; what it has seen so far stands in its fields. */
export class LogLineIndex {
  /** Absent where line 1 cannot be believed. */
  header: SessionHeader | undefined
  /** Why a line is not what it should be. */
  damaged: string | undefined
  /** `message_end` lines. */
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
  /** The number that comes next, where it is known. */
  #next: number | undefined = 1
  /** Behind the beginning, where lines cannot be counted. */
  #inPart = false

  /** @param sessionId the session that the file's name says it is */
  constructor(sessionId: string) {
    this.#sessionId = sessionId
  }

  /** False where nothing behind this line is to be looked at. */
  take({ bytes, offset, ended }: RawLine): boolean {
    const isFirst = this.#lines === 0
    if (!ended && (!isFirst || this.#inPart)) return false // being written, or torn: opening deals with it
    this.#lines += 1
    if (isFirst && this.#inPart) return true // the part began in the middle of this one
    if (isFirst) return ended ? this.#takeFirst(bytes) : this.#damage('it is not complete')
    return this.#takeNext(bytes, { offset, length: bytes.length })
  }

  /** What comes next begins somewhere further on, perhaps in the middle of a line. */
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
      return this.#damage(`its number is ${head.seq} where ${this.#next} comes next`)
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
