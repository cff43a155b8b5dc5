// Describes the most similar lines or names if a text or a file is not found, at a bounded cost.
import { opendirSync, statSync } from 'node:fs'
import path from 'node:path'

/** Most lines to compare: all of a small file; of a large one those that share a word with the text. */
const maxCompared = 5000
const maxShownLines = 12
const maxLineLength = 500
const textThreshold = 0.5

/** A sentence with the most similar lines and their numbers, from 1; `text` and `wanted` have plain line ends. */
export function describeNearest(text: string, wanted: string): string {
  const wantedLines = wanted.replace(/\n$/, '').split('\n')
  const { line: anchor, index: anchorIndex } = longestLine(wantedLines)
  const lines = text.split('\n')
  const scored = bestLines(lines, anchor)
  const [best] = scored
  if (best === undefined) return 'No line of it is similar; read the file again.'
  const first = Math.max(0, best.index - anchorIndex)
  const shown = lines.slice(first, Math.min(first + wantedLines.length, first + maxShownLines, lines.length))
  const range = shown.length === 1 ? `line ${first + 1}` : `lines ${first + 1}-${first + shown.length}`
  const others = scored.slice(1).map(({ index }) => index + 1)
  const more = others.length === 0 ? '' : `\nOther similar lines: ${others.join(', ')}.`
  const onlySpace = collapse(shown.join('\n')) === collapse(wanted) ? ' (only white space differs)' : ''
  return `The most similar text is at ${range}${onlySpace}:\n${shown.map((line) => line.slice(0, maxLineLength)).join('\n')}${more}`
}

function longestLine(lines: readonly string[]): { line: string; index: number } {
  let best = { line: '', index: 0 }
  lines.forEach((line, index) => {
    if (line.trim().length > best.line.length) best = { line: line.trim(), index }
  })
  return best
}

function bestLines(lines: readonly string[], anchor: string): readonly { index: number; score: number }[] {
  const similarity = similarityTo(anchor)
  return candidates(lines, anchor)
    .map((index) => ({ index, score: similarity(lines[index] ?? '') }))
    .filter(({ score }) => score >= textThreshold)
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

// For a missing file: the first missing part of its path, and similar names in that folder.

/** Most entries of a folder to compare. */
const maxEntries = 5000
const maxNames = 3
/** Below this similarity a name is unrelated. */
const nameThreshold = 0.4

/** One or two sentences about a missing absolute path, without the last full stop. */
export function describeMissing(file: string): string {
  const { folder, missing } = splitAtMissing(file)
  const isLast = path.join(folder, missing) === file
  const what = isLast ? `${file} does not exist` : `${file} does not exist: ${folder} has no ${missing}`
  const names = nearestNames(folder, missing)
  return names.length === 0
    ? what
    : `${what}. Similar names: ${names.map((name) => path.join(folder, name)).join(', ')}`
}

function splitAtMissing(file: string): { folder: string; missing: string } {
  const folder = path.dirname(file)
  if (folder === file || isFolder(folder)) return { folder, missing: path.basename(file) }
  return splitAtMissing(folder)
}

function isFolder(folder: string): boolean {
  try {
    return statSync(folder).isDirectory()
  } catch {
    return false // missing, or not accessible
  }
}

function nearestNames(folder: string, missing: string): readonly string[] {
  const similarity = similarityTo(missing)
  const stem = path.parse(missing).name.toLowerCase()
  return entriesOf(folder)
    .map((name) => ({ name, score: path.parse(name).name.toLowerCase() === stem ? 1 : similarity(name) }))
    .filter(({ score }) => score >= nameThreshold)
    .sort((one, other) => other.score - one.score || (one.name < other.name ? -1 : 1))
    .slice(0, maxNames)
    .map(({ name }) => name)
}

function entriesOf(folder: string): readonly string[] {
  const names: string[] = []
  try {
    const entries = opendirSync(folder)
    try {
      for (let entry = entries.readSync(); entry !== null && names.length < maxEntries; entry = entries.readSync()) {
        names.push(entry.name)
      }
    } finally {
      entries.closeSync()
    }
  } catch {
    return [] // an unreadable folder has no names to suggest
  }
  return names
}

// Measures the similarity of two short texts, for suggestions to a model.

/** Longer texts are compared by their beginning only, to bound the cost of one comparison. */
const maxLength = 200

/**
 * A similarity to one text, for use on many: from 0 (nothing in common) to 1 (equal but for case and outer white
 * space). Dice's coefficient over pairs of adjacent characters.
 */
export function similarityTo(one: string): (other: string) => number {
  const plainOne = plain(one)
  const pairs = countPairs(plainOne)
  return (other) => {
    const plainOther = plain(other)
    if (plainOne === plainOther) return 1
    const total = plainOne.length + plainOther.length - 2
    if (total <= 0) return 0
    const left = new Map(pairs)
    let shared = 0
    for (let index = 0; index + 1 < plainOther.length; index += 1) {
      const pair = plainOther.slice(index, index + 2)
      const count = left.get(pair) ?? 0
      if (count === 0) continue
      left.set(pair, count - 1)
      shared += 1
    }
    return (2 * shared) / total
  }
}

function plain(text: string): string {
  return text.trim().slice(0, maxLength).toLowerCase().normalize('NFC')
}

function countPairs(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (let index = 0; index + 1 < text.length; index += 1) {
    const pair = text.slice(index, index + 2)
    counts.set(pair, (counts.get(pair) ?? 0) + 1)
  }
  return counts
}
