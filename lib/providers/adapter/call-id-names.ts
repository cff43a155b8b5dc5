// Where an API wants every call's id once in the whole conversation, a repeated one gets another name, and so do its results.
import { normalisedCallId } from './call-ids.ts'

export interface CallIdNames {
  /** The id under which a call is sent. */
  call(id: string): string
  /** The id under which its result is sent: results follow their calls in call order, as in a well formed history. */
  result(id: string): string
}

/** Ids of letters, digits, `_` and `-`, at most `maxLength` long, each given out once; the same history gets the same ids. */
export function callIdNames(maxLength: number): CallIdNames {
  const given = new Set<string>()
  const waiting = new Map<string, string[]>()
  return {
    call: (id) => {
      let name = normalisedCallId(id, maxLength)
      for (let count = 2; given.has(name); count++) name = normalisedCallId(`${id}_${count}`, maxLength)
      given.add(name)
      waiting.set(id, [...(waiting.get(id) ?? []), name])
      return name
    },
    result: (id) => waiting.get(id)?.shift() ?? normalisedCallId(id, maxLength),
  }
}
