// Finds the known name nearest to a mistyped one, for "Did you mean …?".

/** Longest name that is compared; longer ones are not typing errors. */
const longestName = 64

/** Edits of a long name: more are another name, and take long to count. */
const mostEdits = 8

/** One edit, and a little: `modl` is rather `model` with a letter left out than `mode` with a wrong one. */
const replacement = 1.01

/**
 * The known name with the fewest edits (insertion, removal, replacement, two letters swapped); undefined if more than a
 * third of the letters differ, or more than 8. Case does not count. A name that begins with the mistyped one comes
 * first.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name === '' || name.length > longestName) return undefined
  const wanted = name.toLowerCase()
  const allowed = Math.min(mostEdits, Math.max(1, Math.floor(name.length / 3)))
  const letters = countLetters(wanted)
  let nearest: { readonly name: string; readonly distance: number } | undefined
  for (const each of known) {
    const other = each.toLowerCase()
    if (other.length > longestName) continue
    const isBegun = wanted.length >= 3 && other.startsWith(wanted)
    const most = nearest === undefined ? allowed : Math.min(allowed, Math.floor(nearest.distance))
    if (!isBegun && leastEdits(letters, other) > most) continue
    const edits = isBegun ? 0 : countEdits(wanted, other, most)
    if (Math.floor(edits) > most) continue
    // of two with as many edits: swapped letters, then letters left out, then wrong letters
    const distance = edits + Math.abs(other.length - wanted.length) / (2 * longestName)
    if (nearest === undefined || distance < nearest.distance) nearest = { name: each, distance }
  }
  return nearest?.name
}

/** `. Did you mean model?`, or '' if no known name is near. @param show how the name is written */
export function didYouMean(name: string, known: readonly string[], show = (near: string): string => near): string {
  const near = nearestName(name, known)
  return near === undefined ? '' : `. Did you mean ${show(near)}?`
}

/** Classes of letters that `leastEdits` counts; two letters may share one. */
const letterClasses = 64

function countLetters(name: string): Uint8Array {
  const counts = new Uint8Array(letterClasses)
  for (let index = 0; index < name.length; index++)
    counts[classAt(name, index)] = (counts[classAt(name, index)] ?? 0) + 1
  return counts
}

function classAt(name: string, index: number): number {
  return name.charCodeAt(index) % letterClasses
}

/** A lower bound of the edits, from the letters that only one name has: most of a long list needs no table. */
function leastEdits(letters: Uint8Array, other: string): number {
  const left = Uint8Array.from(letters)
  let [shared, total] = [0, 0]
  for (const count of letters) total += count
  for (let index = 0; index < other.length; index++) {
    const remaining = left[classAt(other, index)] ?? 0
    if (remaining === 0) continue
    left[classAt(other, index)] = remaining - 1
    shared += 1
  }
  return Math.max(total, other.length) - shared
}

/** Optimal string alignment distance; Infinity if it is above `most`: only cells near the diagonal are computed. */
function countEdits(left: string, right: string, most: number): number {
  let start = 0 // equal beginnings and ends cost nothing
  while (start < left.length && left[start] === right[start]) start += 1
  let [rows, columns] = [left.length - start, right.length - start]
  while (rows > 0 && columns > 0 && left[start + rows - 1] === right[start + columns - 1])
    [rows, columns] = [rows - 1, columns - 1]
  const table = Array.from({ length: 3 }, () => new Float64Array(columns + 1).fill(Infinity))
  const cell = (row: number, column: number): number => table[row % 3]?.[column] ?? Infinity
  for (let row = 0; row <= rows; row++) {
    const current = (table[row % 3] ?? new Float64Array()).fill(Infinity)
    let least = Infinity
    for (let column = Math.max(0, row - most); column <= Math.min(columns, row + most); column++) {
      const [one, other] = [left[start + row - 1], right[start + column - 1]]
      const isSwapped =
        row > 1 && column > 1 && one === right[start + column - 2] && left[start + row - 2] === other && one !== other
      current[column] =
        row === 0 || column === 0
          ? row + column
          : Math.min(
              cell(row - 1, column) + 1,
              cell(row, column - 1) + 1,
              cell(row - 1, column - 1) + (one === other ? 0 : replacement),
              isSwapped ? cell(row - 2, column - 2) + 1 : Infinity,
            )
      least = Math.min(least, cell(row, column))
    }
    if (Math.floor(least) > most + 1) return Infinity // a swap looks back over one row
  }
  return cell(rows, columns)
}
