// Finds the known name nearest to a mistyped one, for "Did you mean …?".

/** Longest name that is compared; longer ones are no typing errors. */
const longestName = 64

/** One edit, and a little: `modl` is rather `model` with a letter left out than `mode` with a wrong one. */
const replacement = 1.01

/**
 * The known name with the fewest edits (insertion, removal, replacement, two letters swapped); undefined if more than a
 * third of the letters differ. Case does not count. A name that begins with the mistyped one comes first.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name === '' || name.length > longestName) return undefined
  const wanted = name.toLowerCase()
  const allowed = Math.max(1, Math.floor(name.length / 3))
  let nearest: { readonly name: string; readonly distance: number } | undefined
  for (const each of known) {
    const other = each.toLowerCase()
    if (other.length > longestName) continue
    const isBegun = wanted.length >= 3 && other.startsWith(wanted)
    const edits = isBegun ? 0 : countEdits(wanted, other)
    if (Math.floor(edits) > allowed) continue
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

/** Optimal string alignment distance. */
function countEdits(left: string, right: string): number {
  let before: readonly number[] = []
  let above: readonly number[] = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1]
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      const edits = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : replacement),
        isSwapped && !isSame ? (before[column - 2] ?? 0) + 1 : Infinity,
      )
      current.push(edits)
    }
    before = above
    above = current
  }
  return above[right.length] ?? left.length
}
