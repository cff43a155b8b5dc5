// Gives each thinking level of a model its effort word, or the word of the nearest level it has.

const levels = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

/** Effort words for `off,minimal,low,medium,high,xhigh`, `-` for none; undefined if the words of the API fit. */
export function levelWords(
  map: Readonly<Record<string, string | null>> | undefined,
  takesEffort: boolean,
): string | undefined {
  if (!takesEffort) return '-,-,-,-,-,-'
  if (map === undefined) return undefined
  // a missing level has its own name as effort word, except for rarely supported levels
  const word = (level: string): string | null => {
    const own = map[level]
    if (own !== undefined) return own
    return ['low', 'medium', 'high'].includes(level) ? level : null
  }
  const known = levels.map(word)
  const nearest = levels.map((_, index) => known[index] ?? above(known, index) ?? below(known, index) ?? '-')
  return [map['off'] ?? '-', ...nearest.slice(0, 5)].join(',')
}

function above(known: readonly (string | null)[], from: number): string | undefined {
  return known.slice(from + 1).find((word) => word !== null) ?? undefined
}

function below(known: readonly (string | null)[], from: number): string | undefined {
  return known.slice(0, from).findLast((word) => word !== null) ?? undefined
}
