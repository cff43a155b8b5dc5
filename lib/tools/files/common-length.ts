// Counts what two texts have in common at their beginning or at their end.

/** UTF-16 units that both texts begin with. */
export function commonPrefixLength(one: string, other: string): number {
  const limit = Math.min(one.length, other.length)
  let length = 0
  while (length < limit && one.charCodeAt(length) === other.charCodeAt(length)) length += 1
  return length
}

/** UTF-16 units that both texts end with. */
export function commonSuffixLength(one: string, other: string): number {
  const limit = Math.min(one.length, other.length)
  let length = 0
  while (length < limit && one.charCodeAt(one.length - 1 - length) === other.charCodeAt(other.length - 1 - length))
    length += 1
  return length
}
