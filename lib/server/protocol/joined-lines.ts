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
