// Events of many lines are parsed as one list: a line at a time they take a fifth longer.
import { isUtf8 } from 'node:buffer'
import type { AgentEvent } from '../../streams/events/event.ts'
import { checkedEvent } from '../lines/checked-event.ts'
import type { LineHead } from '../lines/line-head.ts'
import { sealLength } from '../lines/seal-line.ts'

/** Bytes of a list, its brackets included. */
const room = 64 * 1024
const [opening, comma, closing] = [0x5b, 0x2c, 0x5d]

export class EventBatch {
  readonly #bytes = Buffer.allocUnsafe(room)
  #filled = 0
  #types: string[] = []

  /** Takes the event of a sealed line in; false where there is no room for it, or it has to be looked for in its line. */
  add(line: Buffer, { type, eventAt }: LineHead): boolean {
    if (eventAt === undefined) return false
    const end = line.length - sealLength
    const behind = this.#filled + 1 + end - eventAt
    if (behind >= room) return false
    this.#bytes[this.#filled] = this.#filled === 0 ? opening : comma
    line.copy(this.#bytes, this.#filled + 1, eventAt, end)
    this.#filled = behind
    this.#types.push(type)
    return true
  }

  /** The events in order; the batch is empty then. Undefined where one is not what it should be: each has to be looked at by itself. */
  take(): readonly AgentEvent[] | undefined {
    const types = this.#types
    this.#bytes[this.#filled] = closing
    const list = types.length === 0 ? [] : parsed(this.#bytes.subarray(0, this.#filled + 1))
    this.#types = []
    this.#filled = 0
    return list?.length === types.length ? eventsOf(list, types) : undefined
  }
}

function parsed(bytes: Buffer): readonly unknown[] | undefined {
  if (!isUtf8(bytes)) return undefined
  try {
    const list: unknown = JSON.parse(bytes.toString())
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined // told by whoever looks at each line
  }
}

function eventsOf(list: readonly unknown[], types: readonly string[]): readonly AgentEvent[] | undefined {
  const events: AgentEvent[] = []
  for (const value of list) {
    const event = checkedEvent(value)
    if (event === undefined || event.type !== types[events.length]) return undefined
    events.push(event)
  }
  return events
}
