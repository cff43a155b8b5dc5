// Finds the end of the lines of a private key whose first line was found.

/** The longest line that is waited for. A key without line ends, such as in JSON, has `\n` in letters. */
const longestLine = 8_192

/** The end of a key's lines; open if the next piece may go on with them. */
export function keyLinesEnd(text: string, at: number, isLast: boolean) {
  let index = at
  for (;;) {
    const end = lineEnd(text, index)
    const line = text.slice(index, end ?? text.length)
    const closing = ending.exec(line)
    if (closing !== null) return { index: index + closing.index + closing[0].length, isOpen: false }
    if (end === undefined && !isLast && line.length <= longestLine) return { index, isOpen: true }
    if (!inner.test(line)) return lastLineEnd(text, index, end ?? text.length, isLast)
    index += line.length
    if (index === text.length) return { index, isOpen: !isLast }
  }
}

/** The last line is shorter: in base64 alone, or before the end line. Other text is not part of the key. */
function lastLineEnd(text: string, start: number, end: number, isLast: boolean) {
  const next = lineEnd(text, end)
  if (next === undefined && !isLast && text.length - start <= longestLine) return { index: start, isOpen: true }
  const closing = ending.exec(text.slice(end, next ?? text.length))
  if (closing !== null) return { index: end + closing.index + closing[0].length, isOpen: false }
  return { index: /^[A-Za-z0-9+/]+={0,2}\s*$/.test(text.slice(start, end)) ? end : start, isOpen: false }
}

const ending = /-----END [A-Z0-9 ]{0,40}-----/
/** A full line, perhaps after a line number or a file's name; a header; an empty line. */
const inner = /[A-Za-z0-9+/=]{40}|^(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): |^\s*(?:\\r|\\n)*$/
const separator = /\r?\n|\\r|\\n/g

/** The index after the line's end; undefined if the line goes on in the next piece. */
function lineEnd(text: string, from: number): number | undefined {
  separator.lastIndex = from
  const found = separator.exec(text)
  return found === null ? undefined : found.index + found[0].length
}
