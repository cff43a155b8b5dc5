// Seeded random numbers: the same seed gives the same numbers in the same order.
// The machine's timing decides which caller gets which number.

export interface Chance {
  /** In [0, 1). */
  next(): number
  /** A whole number from `least` up to and with `most`. */
  between(least: number, most: number): number
  /** One of them; undefined if there is none. */
  one<Value>(values: readonly Value[]): Value | undefined
  /** A name, with a probability by its weight. */
  weighted<Name extends string>(weights: Readonly<Partial<Record<Name, number>>>): Name
}

/** The same numbers for the same seed (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    one: (values) => values[Math.floor(next() * values.length)],
    weighted: (weights) => weightedName(weights, next()),
  }
}

function weightedName<Name extends string>(weights: Readonly<Partial<Record<Name, number>>>, share: number): Name {
  const names = Object.keys(weights) as Name[] // its keys are the names
  const sum = names.reduce((total, name) => total + (weights[name] ?? 0), 0)
  let left = share * sum
  for (const name of names) {
    left -= weights[name] ?? 0
    if (left < 0) return name
  }
  throw new Error('No name has a weight above 0')
}
