// Splits a text into lines without copying it, and keeps how each line ends.

/** The lines of a text, counted from 0. A final line end does not begin another line. */
export interface LineIndex {
  readonly content: string
  readonly count: number
  /** Position of the line's first character; the end of the content for `count`. */
  start(line: number): number
  /** The line without its end. @throws RangeError if there is no such line */
  text(line: number): string
  /** `''` for a last line without an end. */
  end(line: number): LineEnd
}

export type LineEnd = '' | '\n' | '\r\n'

export function lineIndex(content: string): LineIndex {
  const starts = [0]
  for (let at = content.indexOf('\n'); at !== -1; at = content.indexOf('\n', at + 1)) starts.push(at + 1)
  if (starts.at(-1) !== content.length) starts.push(content.length)
  const count = starts.length - 1
  const start = (line: number): number => {
    const position = starts[line]
    if (position === undefined) throw new RangeError(`There is no line ${line}.`)
    return position
  }
  const end = (line: number): LineEnd => {
    const after = start(line + 1)
    if (content[after - 1] !== '\n') return ''
    return content[after - 2] === '\r' && after - 2 >= start(line) ? '\r\n' : '\n'
  }
  return { content, count, start, end, text: (line) => content.slice(start(line), start(line + 1) - end(line).length) }
}
