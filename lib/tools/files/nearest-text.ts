// Who looks for a text that is not there is shown what is: the lines of the file that are most like it, at a bounded cost.
import { similarityTo } from './similarity-to.ts'

/** Lines that are compared at most: those of a small file, or of a big one those that share a word with the text. */
const maxCompared = 5000
const maxShownLines = 12
const maxLineLength = 500
const alike = 0.5

/** A sentence with the most similar lines and their numbers, from 1; `text` and `wanted` have plain line ends. */
export function describeNearest(text: string, wanted: string): string {
  const wantedLines = wanted.replace(/\n$/, '').split('\n')
  const { line: anchor, index: anchorIndex } = longestLine(wantedLines)
  const lines = text.split('\n')
  const scored = bestLines(lines, anchor)
  const [best] = scored
  if (best === undefined) return 'Nothing in it is similar; read the file again.'
  const first = Math.max(0, best.index - anchorIndex)
  const shown = lines.slice(first, Math.min(first + wantedLines.length, first + maxShownLines, lines.length))
  const range = shown.length === 1 ? `line ${first + 1}` : `lines ${first + 1}-${first + shown.length}`
  const others = scored.slice(1).map(({ index }) => index + 1)
  const more = others.length === 0 ? '' : `\nSimilar: line ${others.join(', ')}.`
  const onlySpace = collapse(shown.join('\n')) === collapse(wanted) ? ' (it differs in white space only)' : ''
  return `The nearest is at ${range}${onlySpace}:\n${shown.map((line) => line.slice(0, maxLineLength)).join('\n')}${more}`
}

function longestLine(lines: readonly string[]): { line: string; index: number } {
  let best = { line: '', index: 0 }
  lines.forEach((line, index) => {
    if (line.trim().length > best.line.length) best = { line: line.trim(), index }
  })
  return best
}

function bestLines(lines: readonly string[], anchor: string): readonly { index: number; score: number }[] {
  const likeness = similarityTo(anchor)
  return candidates(lines, anchor)
    .map((index) => ({ index, score: likeness(lines[index] ?? '') }))
    .filter(({ score }) => score >= alike)
    .sort((one, other) => other.score - one.score || one.index - other.index)
    .slice(0, 3)
}

function candidates(lines: readonly string[], anchor: string): readonly number[] {
  const all = [...lines.keys()]
  if (lines.length <= maxCompared) return all
  const words = (anchor.match(/[\p{L}\p{N}_]{3,}/gu) ?? []).sort((one, other) => other.length - one.length).slice(0, 4)
  return all.filter((index) => words.some((word) => lines[index]?.includes(word) === true)).slice(0, maxCompared)
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
