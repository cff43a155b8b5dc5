// Lines that wait to be written leave in pieces of a bounded size: many short ones joined, a long one cut; no character is split.
import { betweenCharacters } from './between-characters.ts'
import { joinedLines } from './joined-lines.ts'

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
    this.#from = betweenCharacters(line, from + room)
    return line.slice(from, this.#from)
  }
}
