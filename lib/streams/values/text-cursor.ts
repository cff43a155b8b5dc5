// Counts how much of a growing text was handled, and cuts pieces to the part that is new.

/** A part of a text. */
interface TextPiece {
  /** UTF-16 units of the text before it. */
  readonly offset: number
  readonly text: string
}

/** For one text: a block of a message, or a stream of a tool's output. */
export class TextCursor {
  #length: number

  constructor(length = 0) {
    this.#length = length
  }

  /** UTF-16 units that were handled. */
  get length(): number {
    return this.#length
  }

  /** Whether text is missing between the cursor and a piece at `offset`. */
  isBefore(offset: number): boolean {
    return offset > this.#length
  }

  /**
   * Returns the part of a piece after the cursor (empty if there is none; the whole piece after a gap) and moves to its
   * end.
   */
  advance({ offset, text }: TextPiece): string {
    const end = offset + text.length
    if (end <= this.#length) return ''
    const fresh = text.slice(Math.max(0, this.#length - offset))
    this.#length = end
    return fresh
  }

  /**
   * Returns the next part of the whole text and moves to its end; undefined at the end of the text. Splits no
   * character.
   */
  next(text: string, longest: number): TextPiece | undefined {
    const offset = this.#length
    if (offset >= text.length) return undefined
    this.#length = cutBetweenCharacters(text, Math.min(text.length, offset + longest))
    return { offset, text: text.slice(offset, this.#length) }
  }

  /** Moves back to `offset` if the cursor is after it. */
  rewind(offset: number): void {
    this.#length = Math.min(this.#length, offset)
  }
}

/** Returns `at`, or one less if a cut there would split a surrogate pair. */
export function cutBetweenCharacters(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1)
  return at < text.length && unit >= 0xd800 && unit < 0xdc00 ? at - 1 : at
}
