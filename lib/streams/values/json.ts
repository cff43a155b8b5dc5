// Helpers for JSON values from outside.

/** True for objects, not for null or arrays. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The record's own field of that name; undefined if it has none or no name is set. Inherited names do not count. */
export function getOwn<Value>(record: Readonly<Record<string, Value>>, name: string | undefined): Value | undefined {
  return name !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}

/** Structural equality of JSON values at any depth; `undefined` fields count as absent, key order does not matter. */
export function isSameJson(left: unknown, right: unknown): boolean {
  // a work list instead of recursion: JSON may be nested deeper than the stack
  const pairs: Pair[] = [[left, right]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const within = pairChildren(pair)
    if (within === undefined) return false
    for (const each of within) pairs.push(each)
  }
  return true
}

type Pair = readonly [left: unknown, right: unknown]
type JsonObject = Readonly<Record<string, unknown>>

/** The children of both values in pairs still to compare; undefined if the values differ. */
function pairChildren([left, right]: Pair): readonly Pair[] | undefined {
  if (Object.is(left, right)) return []
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return undefined
    return left.map((value, index) => [value, right[index]])
  }
  return isRecord(left) && isRecord(right) ? pairFields(left, right) : undefined
}

function pairFields(left: JsonObject, right: JsonObject): readonly Pair[] | undefined {
  const names = Object.keys(left).filter((name) => left[name] !== undefined)
  const others = Object.keys(right).filter((name) => right[name] !== undefined)
  if (names.length !== others.length || !names.every((name) => Object.hasOwn(right, name))) return undefined
  return names.map((name) => [left[name], right[name]])
}

/** JSON text with the keys of every object in order: equal values have equal texts. It recurses: bound the depth before. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(value))
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, each]) => [name, sortKeys(each)]),
  )
}

/** Why the value has no JSON text (a BigInt, a cycle, a throwing getter); undefined if it has one. */
export function findJsonProblem(value: unknown): string | undefined {
  try {
    JSON.stringify(value)
    return undefined
  } catch (error) {
    const [reason] = error instanceof Error ? error.message.split('\n') : []
    return `it is not JSON (${reason ?? 'its conversion failed'})`
  }
}

/** True if objects and arrays are nested more than `limit` levels deep. Does not recurse; ends at a cycle too. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; depth <= limit; depth += 1) {
    const next: unknown[] = []
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue
      for (const child of Object.values(each)) if (typeof child === 'object' && child !== null) next.push(child)
    }
    if (next.length === 0) return false
    level = next
  }
  return true
}

/**
 * The JSON text of a parsed value at any depth: `JSON.stringify` recurses, and its stack ends at some thousand levels.
 * @throws TypeError for a value without JSON text
 */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return deepJsonText(value)
  }
}

/** A piece of text, or a value whose text follows. */
type TextStep = string | { readonly value: unknown }

/** A work list instead of recursion; the value has been parsed, so it has no cycle. */
function deepJsonText(value: unknown): string {
  const pieces: string[] = []
  const steps: TextStep[] = [{ value }]
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if (typeof step === 'string') pieces.push(step)
    else if (typeof step.value !== 'object' || step.value === null) pieces.push(JSON.stringify(step.value))
    else for (const each of childSteps(step.value).reverse()) steps.push(each)
  }
  return pieces.join('')
}

function childSteps(value: object): TextStep[] {
  const isList = Array.isArray(value)
  const children = Object.entries(value).flatMap(([name, child], index): TextStep[] => [
    `${index > 0 ? ',' : ''}${isList ? '' : `${JSON.stringify(name)}:`}`,
    { value: child as unknown },
  ])
  return [isList ? '[' : '{', ...children, isList ? ']' : '}']
}
