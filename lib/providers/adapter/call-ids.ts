// An id that another API gave to a call becomes one that this API takes; the same id always becomes the same.

/**
 * Letters, digits, `_` and `-`, at most `maxLength` of them: what fits stays as it is, anything else is cleaned, cut and
 * told apart by a digest of the whole.
 */
export function normaliseCallId(id: string, maxLength: number): string {
  if (id !== '' && id.length <= maxLength && !/[^\w-]/.test(id)) return id
  const digest = fnv1a(id).toString(16).padStart(8, '0')
  return `${id.replaceAll(/[^\w-]/g, '_').slice(0, maxLength - 9)}_${digest}`
}

/** Letters and digits, exactly `length` of them, at least 9: what fits stays as it is, anything else becomes a digest of itself. */
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

// Where an API wants every call's id once in the whole conversation, a repeated one gets another name, and so do its results.

export interface CallIdNames {
  /** The id under which a call is sent. */
  call(id: string): string
  /** The id under which its result is sent: results follow their calls in call order, as in a well formed history. */
  result(id: string): string
}

/** Ids of letters, digits, `_` and `-`, at most `maxLength` long, each given out once; the same history gets the same ids. */
export function createCallIdNames(maxLength: number): CallIdNames {
  const used = new Set<string>()
  const unanswered = new Map<string, string[]>()
  return {
    call: (id) => {
      let name = normaliseCallId(id, maxLength)
      for (let count = 2; used.has(name); count++) name = normaliseCallId(`${id}_${count}`, maxLength)
      used.add(name)
      unanswered.set(id, [...(unanswered.get(id) ?? []), name])
      return name
    },
    result: (id) => unanswered.get(id)?.shift() ?? normaliseCallId(id, maxLength),
  }
}
