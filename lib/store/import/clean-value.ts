// A value from elsewhere is bounded in depth, because JSON.stringify recurses, and has no property that could be taken for a prototype.

/** Levels of nesting that are still taken: no message has a tenth of it. */
export const deepest = 256

/**
 * Removes every property called `__proto__`, in place, and says how many there were; undefined where the value is nested
 * more than 256 levels deep. Needs no recursion.
 */
export function cleanValue(root: object): number | undefined {
  let removed = 0
  let level: object[] = [root]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return undefined
    const next: object[] = []
    for (const value of level) {
      if (Object.hasOwn(value, '__proto__') && Reflect.deleteProperty(value, '__proto__')) removed += 1
      for (const inner of Object.values(value) as unknown[]) {
        if (typeof inner === 'object' && inner !== null) next.push(inner)
      }
    }
    level = next
  }
  return removed
}
