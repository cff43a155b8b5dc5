// Converts the ids of tool calls to the form that an API accepts.
//
// Guarantees: the same id always becomes the same.

/**
 * Returns letters, digits, `_` and `-`, at most `maxLength` of them. An id that fits stays as it is; any other one is
 * cleaned, cut and ends with a digest of the whole id.
 */
export function normaliseCallId(id: string, maxLength: number): string {
  if (id !== '' && id.length <= maxLength && !/[^\w-]/.test(id)) return id
  const digest = fnv1a(id).toString(16).padStart(8, '0')
  return `${id.replaceAll(/[^\w-]/g, '_').slice(0, maxLength - 9)}_${digest}`
}

/**
 * Returns exactly `length` letters and digits (at least 9). An id that fits stays as it is; any other one becomes a
 * digest of itself.
 */
export function exactCallId(id: string, length: number): string {
  if (id.length === length && /^[a-zA-Z0-9]+$/.test(id)) return id
  return fnv1a(id).toString(36).padStart(length, '0')
}

/** FNV-1a, 32 bits, over UTF-16 units (http://www.isthe.com/chongo/tech/comp/fnv/). */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}

// Renames repeated call ids and their results, for APIs that want each id once in a conversation.

export interface CallIdNames {
  /** Returns the id under which the call is sent. */
  call(id: string): string
  /**
   * Returns the id under which the call's result is sent. Results follow their calls in call order, as in a well-formed
   * history.
   */
  result(id: string): string
}

/**
 * Ids in the form of the API, at most `maxLength` long, each used once. The same history gets the same ids.
 * @param normalise the form; default: letters, digits, `_` and `-`
 */
export function createCallIdNames(maxLength: number, normalise = normaliseCallId): CallIdNames {
  const used = new Set<string>()
  const unanswered = new Map<string, string[]>()
  return {
    call: (id) => {
      let name = normalise(id, maxLength)
      for (let count = 2; used.has(name); count++) name = normalise(`${id}_${count}`, maxLength)
      used.add(name)
      unanswered.set(id, [...(unanswered.get(id) ?? []), name])
      return name
    },
    result: (id) => unanswered.get(id)?.shift() ?? normalise(id, maxLength),
  }
}
