// The JSON of what request after request carries is made once: with each of its turns a conversation is sent whole.
import { KnownBeginnings } from './known-beginning.ts'

/** Bytes of one list. What is longer is made into text for each body: it would be held a second time for as long as its conversation. */
const mostKept = 1024 * 1024

/** Appended to and never changed: what was sent of it may still be on its way. */
interface Written {
  readonly bytes: Uint8Array
  /** How many of them are written. */
  readonly end: number
}

const nothing: Written = { bytes: new Uint8Array(), end: 0 }
const known = new KnownBeginnings<object, Written>()

/**
 * The bytes of what `JSON.stringify` gives of the body, with the list `name` first, in two or three pieces. Of the list's items, which must never
 * change, the first is made into text each time, the others once, for as long as they are themselves: 400 short messages take a
 * tenth of the time.
 */
export function sharedJson<Name extends string>(
  body: Readonly<Record<Name, readonly object[]>>,
  name: Name,
): readonly Uint8Array[] {
  const { [name]: list, ...others } = body
  const [first, ...following] = list
  const { bytes, end, left } = written(following)
  const rest = JSON.stringify(others)
  return [
    Buffer.from(`{${JSON.stringify(name)}:[${first === undefined ? '' : JSON.stringify(first)}`),
    bytes.subarray(0, end),
    Buffer.from(`${left}]${rest === '{}' ? '' : ','}${rest.slice(1)}`),
  ].filter(({ length }) => length > 0)
}

/** The items, with a comma in front of each; `left` is what is not kept of them. */
function written(list: readonly object[]): Written & { readonly left: string } {
  const before = known.find(list)
  const from = before?.items.length ?? 0
  let [value, left] = [before?.value ?? nothing, '']
  let count = from
  for (const item of list.slice(from)) {
    const text = `,${JSON.stringify(item)}`
    const more = left === '' ? appended(value, Buffer.from(text)) : undefined
    if (more === undefined) left += text
    else [value, count] = [more, count + 1]
  }
  if (count > from) known.keep({ items: list.slice(0, count), value }, before)
  return { ...value, left }
}

/** Where there is room it is used: nobody else appends, for a beginning that has grown is forgotten. */
function appended({ bytes, end }: Written, more: Uint8Array): Written | undefined {
  const needed = end + more.length
  if (needed > mostKept) return undefined
  let room = bytes
  if (needed > bytes.length) {
    room = new Uint8Array(Math.min(mostKept, Math.ceil(needed * 1.5)))
    room.set(bytes.subarray(0, end))
  }
  room.set(more, end)
  return { bytes: room, end: needed }
}
