// A value from outside has fields only where it is an object of its own: neither null nor a list.

/** True for objects, but for arrays. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// A name that comes from outside is looked up among a record's own: it may be one that every object has.

/** Undefined where the record has no such field of its own, or no name is given. */
export function getOwn<Value>(record: Readonly<Record<string, Value>>, name: string | undefined): Value | undefined {
  return name !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}

// Two JSON values are the same when they would be read the same; the order of an object's keys says nothing.

/** Structural equality of JSON values, however deep they are nested; `undefined` fields count as absent. */
export function isSameJson(left: unknown, right: unknown): boolean {
  // a list of what is left instead of recursion: what JSON still writes may be deeper than the stack
  const pairs: Pair[] = [[left, right]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const within = compared(pair)
    if (within === undefined) return false
    for (const each of within) pairs.push(each)
  }
  return true
}

type Pair = readonly [left: unknown, right: unknown]
type JsonObject = Readonly<Record<string, unknown>>

/** What the two hold, in pairs that are still to be compared; undefined where they differ themselves. */
function compared([left, right]: Pair): readonly Pair[] | undefined {
  if (Object.is(left, right)) return []
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return undefined
    return left.map((value, index) => [value, right[index]])
  }
  return isRecord(left) && isRecord(right) ? comparedObjects(left, right) : undefined
}

function comparedObjects(left: JsonObject, right: JsonObject): readonly Pair[] | undefined {
  const names = Object.keys(left).filter((name) => left[name] !== undefined)
  const others = Object.keys(right).filter((name) => right[name] !== undefined)
  if (names.length !== others.length || !names.every((name) => Object.hasOwn(right, name))) return undefined
  return names.map((name) => [left[name], right[name]])
}

// What comes from foreign code and goes into the log must have a JSON text; a line that cannot be made would stop the session.

/** Why the value has no JSON text (a BigInt, a circle, a getter that throws); undefined where it has one. */
export function findJsonProblem(value: unknown): string | undefined {
  try {
    JSON.stringify(value)
    return undefined
  } catch (error) {
    const [reason] = error instanceof Error ? error.message.split('\n') : []
    return `it is not JSON (${reason ?? 'its conversion failed'})`
  }
}
