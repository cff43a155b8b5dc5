// Makes random files, random changes of them and random edits by anchors, and knows where each line went.
import type { LineEdit } from '../../../lib/tools/files/hashline/locate-lines.ts'

/** A line with an identity: a copy is another line. */
interface Line {
  readonly text: string
}

export interface Drift {
  readonly shown: readonly string[]
  readonly present: readonly string[]
  readonly edits: readonly LineEdit[]
  /** The present lines with the edits applied to the lines that they mean; undefined if one of those is gone or changed. */
  readonly wanted: readonly string[] | undefined
}

/** A number in [0, limit). */
export type Chance = (limit: number) => number

/**
 * Lines of one text are either added, removed or moved by a drift, never two of them: a line that is removed and written
 * again in the same place cannot be told from one that stayed. So a drift copies lines or moves them, not both.
 */
export function randomDrift(chance: Chance): Drift {
  const words = 2 + chance(40)
  const shown = Array.from({ length: chance(30) + 1 }, (): Line => ({ text: `w${chance(words)}` }))
  const present = drift(shown, chance)
  const edits = randomEdits(shown.length, chance)
  const wanted = applyByIdentity(shown, present, edits)
  return { shown: texts(shown), present: texts(present), edits, wanted }
}

function drift(shown: readonly Line[], chance: Chance): Line[] {
  const lines = [...shown]
  const removed = new Set<string>()
  const added = new Set<string>()
  let fresh = 0
  const moves = chance(2) === 0
  const add = (at: number): void => {
    const text =
      moves || chance(2) === 0 ? `new${(fresh += 1)}` : (lines[chance(Math.max(1, lines.length))]?.text ?? 'new')
    if (removed.has(text)) return
    added.add(text)
    lines.splice(at, 0, { text })
  }
  const remove = (at: number): boolean => {
    const text = lines[at]?.text
    if (text === undefined || added.has(text)) return false
    removed.add(text)
    lines.splice(at, 1)
    return true
  }
  for (let round = chance(5) + 1; round > 0; round -= 1) {
    const at = chance(lines.length + 1)
    const act = chance(6)
    if (act <= 1) add(at)
    else if (act === 2) remove(at)
    else if (act === 3) {
      if (remove(at)) lines.splice(at, 0, { text: `changed${(fresh += 1)}` })
    } else if (act === 4) for (let count = chance(4) + 1; count > 0; count -= 1) add(at)
    else if (moves)
      for (const { text } of moveBlock({ lines, at, added, removed, chance }))
        [added, removed].forEach((set) => set.add(text))
  }
  return lines
}

interface Move {
  readonly lines: Line[]
  readonly at: number
  readonly added: ReadonlySet<string>
  readonly removed: ReadonlySet<string>
  readonly chance: Chance
}

/** Moves lines whose texts occur once: of others nobody could say which one moved. */
function moveBlock({ lines, at, added, removed, chance }: Move): readonly Line[] {
  const block = lines.slice(at, at + 1 + chance(4))
  const isUnique = ({ text }: Line): boolean => lines.filter((line) => line.text === text).length === 1
  if (!block.every((line) => isUnique(line) && !added.has(line.text) && !removed.has(line.text))) return []
  lines.splice(at, block.length)
  lines.splice(chance(lines.length + 1), 0, ...block)
  return block
}

/** Without overlaps; most calls have one edit. */
function randomEdits(count: number, chance: Chance): LineEdit[] {
  const edits: LineEdit[] = []
  let free = 0
  for (let index = 0; index < 1 + Math.max(0, chance(5) - 2); index += 1) {
    const first = free + chance(count)
    const last = first + Math.max(0, chance(6) - 3)
    if (last >= count) break
    const op = (['replace', 'replace', 'append', 'prepend'] as const)[chance(4)] ?? 'replace'
    const lines = Array.from(
      { length: op === 'replace' ? chance(3) : 1 + chance(2) },
      (_, line) => `edit${index}.${line}`,
    )
    edits.push({ index, op, first, last: op === 'replace' ? last : first, lines })
    free = last + 2
  }
  return edits
}

function applyByIdentity(
  shown: readonly Line[],
  present: readonly Line[],
  edits: readonly LineEdit[],
): readonly string[] | undefined {
  const result: (Line | undefined)[] = [...present]
  for (const { op, first, last, lines } of edits) {
    const start = result.indexOf(shown[first])
    if (start === -1) return undefined
    for (let line = first; line <= last; line += 1) if (result[start + line - first] !== shown[line]) return undefined
    const added = lines.map((text) => ({ text }))
    if (op === 'replace') result.splice(start, last - first + 1, ...added)
    else result.splice(op === 'append' ? start + 1 : start, 0, ...added)
  }
  return result.map((line) => line?.text ?? '')
}

function texts(lines: readonly Line[]): string[] {
  return lines.map(({ text }) => text)
}
