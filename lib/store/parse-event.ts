// The event of a line whose checksum is known to be right: what folding needs of the line, and nothing of what only records need.
import { isUtf8 } from 'node:buffer'
import type { AgentEvent } from '../streams/event.ts'
import { checkEvent } from '../streams/validators.ts'

/** Undefined where the line has none of a type that this program knows, or one that does not fit; `parseLine` says what is wrong. */
export function parseEvent(line: Buffer): AgentEvent | undefined {
  const event = isUtf8(line) ? eventIn(line) : undefined
  const checked = event === undefined ? undefined : checkEvent(event)
  return checked?.ok === true ? checked.value : undefined
}

function eventIn(bytes: Buffer): { readonly type: string } | undefined {
  try {
    const line: unknown = JSON.parse(bytes.toString())
    return isObject(line) && isObject(line['event']) && isTyped(line['event']) ? line['event'] : undefined
  } catch {
    return undefined // told by whoever reads the line whole
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function isTyped(value: Readonly<Record<string, unknown>>): value is { readonly type: string } {
  return typeof value['type'] === 'string'
}
