// How much two short texts look alike, for telling a model what it may have meant.

/** Longer texts are compared by their beginning only, so that one comparison has a bounded cost. */
const maxLength = 200

/**
 * A measure of likeness to one text, to be used on many: from 0 (nothing in common) to 1 (the same but for case and outer
 * white space). Dice's coefficient over pairs of neighbouring characters.
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
