// The same lines go to many clients in the same tick: they are joined and encoded once for all of them.

let lastLines: readonly string[] = []
let lastBytes = Buffer.alloc(0)

/** The lines with their line feeds as UTF-8, not to be changed. Keeps the last it made, with its lines. */
export function joinedLines(lines: readonly string[]): Buffer {
  if (!areLast(lines)) {
    lastBytes = Buffer.from(lines.length === 0 ? '' : `${lines.join('\n')}\n`)
    lastLines = lines
  }
  return lastBytes
}

/** Texts that several clients were given are the same object, which is compared at once. */
function areLast(lines: readonly string[]): boolean {
  if (lines === lastLines) return true
  if (lines.length !== lastLines.length) return false
  for (let index = lines.length - 1; index >= 0; index--) if (lines[index] !== lastLines[index]) return false
  return true
}
