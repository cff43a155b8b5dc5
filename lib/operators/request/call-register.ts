// Registers the calls of one message: each gets an id of its own, and some may not run.
import type { BlockDelta } from '../../streams/messages/delta.ts'
import type { ToolCall } from '../../streams/messages/message.ts'

export type CallStart = Extract<BlockDelta, { type: 'toolcall_start' }>

export interface CallRegister {
  readonly count: number
  /** True after `refuseAll`. */
  readonly areAllRefused: boolean
  /** Why a call may not run, as its error result says (docs/loop.md#8); undefined if each of them may. */
  readonly refusalOf: ((call: ToolCall) => string | undefined) | undefined
  /**
   * Returns the delta with an id that no other call of the message has: results are matched to calls by id. An id that
   * is too long is cut, and its call is refused.
   */
  add(delta: CallStart): CallStart
  /** Refuses every call for this reason. */
  refuseAll(reason: string): void
}

/** The longest id of a call, as the log stores it. */
const maxIdLength = 512
/** Leaves room for a number. */
const cutIdLength = maxIdLength - 32

export function createCallRegister(): CallRegister {
  const ids = new Set<string>()
  const refusals = new Map<string, string>()
  let all: string | undefined
  const uniqueId = (id: string): string => {
    let count = ids.size
    let unique = id === '' ? `call_${count + 1}` : id
    while (ids.has(unique)) unique = `${id || 'call'}_${++count}`
    ids.add(unique)
    return unique
  }
  return {
    get count() {
      return ids.size
    },
    get areAllRefused() {
      return all !== undefined
    },
    get refusalOf() {
      return all === undefined && refusals.size === 0 ? undefined : ({ id }: ToolCall) => all ?? refusals.get(id)
    },
    add: (delta) => {
      const isLong = typeof delta.id === 'string' && delta.id.length > maxIdLength
      const id = uniqueId(isLong ? delta.id.slice(0, cutIdLength).toWellFormed() : delta.id)
      if (isLong) refusals.set(id, longIdRefusal(delta.id.length))
      return id === delta.id ? delta : { ...delta, id }
    },
    refuseAll: (reason) => {
      all = reason
    },
  }
}

function longIdRefusal(length: number): string {
  return `The id of this call has ${length} characters, more than ${maxIdLength}; the call was not run. Send it again.`
}
