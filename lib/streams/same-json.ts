// Two JSON values are the same when they would be read the same; the order of an object's keys says nothing.

/** Structural equality of JSON values; `undefined` fields count as absent. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((value, index) => sameJson(value, right[index]))
    )
  }
  return isObject(left) && isObject(right) && sameObject(left, right)
}

type JsonObject = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sameObject(left: JsonObject, right: JsonObject): boolean {
  const names = Object.keys(left).filter((name) => left[name] !== undefined)
  const others = Object.keys(right).filter((name) => right[name] !== undefined)
  return (
    names.length === others.length &&
    names.every((name) => Object.hasOwn(right, name) && sameJson(left[name], right[name]))
  )
}
