// Lines that wait to be written leave in pieces of a bounded size: many short ones joined, a long one cut; no character is split.
import { cutBetweenCharacters } from '../../streams/values/text-cursor.ts'

/** Keeps the lines as they were given: many outboxes share one text. */
export class Outbox {
  readonly #size: number
  #lines: string[] = []
  /** The first line that waits. */
  #next = 0
  /** Where the rest of it begins. */
  #from = 0
  #length = 0

  /** @param size of a piece, in UTF-16 units; at least 2 */
  constructor(size: number) {
    this.#size = size
  }

  /** UTF-16 units that wait, line feeds included. */
  get length(): number {
    return this.#length
  }

  add(line: string): void {
    this.#lines.push(line)
    this.#length += line.length + 1
  }

  /** What is to be written next, as a text or as UTF-8, not to be changed; empty where nothing waits. */
  take(): string | Uint8Array {
    return this.#length <= this.#size && this.#next === 0 && this.#from === 0 ? this.#takeAll() : this.#takePiece()
  }

  clear(): void {
    this.#lines = []
    this.#next = 0
    this.#from = 0
    this.#length = 0
  }

  #takeAll(): string | Uint8Array {
    const whole = joinedLines(this.#lines, this.#length)
    this.clear()
    return whole
  }

  #takePiece(): Uint8Array {
    let taken = ''
    for (let line = this.#lines[this.#next]; line !== undefined; line = this.#lines[this.#next]) {
      const added = this.#cut(line, this.#size - taken.length)
      if (added === '') break
      taken += added
    }
    this.#length -= taken.length
    if (this.#next > 4_096) {
      this.#lines = this.#lines.slice(this.#next)
      this.#next = 0
    }
    return Buffer.from(taken)
  }

  /** The rest of a line with its line feed, or as much of it as there is room for: nothing where that is half a character. */
  #cut(line: string, room: number): string {
    const from = this.#from
    if (line.length - from < room) {
      this.#lines[this.#next] = '' // what has left is not held until the array is cut: lines may be large
      this.#next += 1
      this.#from = 0
      return `${line.slice(from)}\n`
    }
    this.#from = cutBetweenCharacters(line, from + room)
    return line.slice(from, this.#from)
  }
}

// The same lines go to many clients in the same tick: they are joined once for all of them, and where they are many encoded once.

let lastLines: readonly string[] = []
let lastWhole: string | Buffer = ''

/** UTF-16 units up to which a text is encoded faster as it is written than before: no buffer has to be made. */
const shortLength = 2_048

/** The lines, of this length together, with their line feeds: as a text, or as UTF-8 not to be changed. Keeps the last it made, with its lines. */
export function joinedLines(lines: readonly string[], length: number): string | Buffer {
  if (!areLast(lines)) {
    const text = lines.length === 0 ? '' : `${lines.join('\n')}\n`
    lastWhole = length <= shortLength ? text : Buffer.from(text)
    lastLines = lines
  }
  return lastWhole
}

/** Texts that several clients were given are the same object, which is compared at once. */
function areLast(lines: readonly string[]): boolean {
  if (lines === lastLines) return true
  if (lines.length !== lastLines.length) return false
  for (let index = lines.length - 1; index >= 0; index--) if (lines[index] !== lastLines[index]) return false
  return true
}
