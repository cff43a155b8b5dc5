// The event of a line whose checksum is known to be right: what folding needs of the line, and nothing of what only records need.
import { isUtf8 } from 'node:buffer'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { LineHead } from './peek-line.ts'
import { sealLength } from './line-checksum.ts'
import { parsedJson } from './parse-line.ts'
import { checkEvent } from '../../streams/validation/validators.ts'

/**
 * Undefined where the line has none of a type that this program knows, or one that does not fit; `parseLine` says what is wrong.
 * @param head says where the event begins, where that is known
 */
export function parseEvent(line: Buffer, { eventAt }: Pick<LineHead, 'eventAt'> = {}): AgentEvent | undefined {
  if (!isUtf8(line)) return undefined
  const alone = eventAt === undefined ? undefined : parsedJson(line.toString('utf8', eventAt, line.length - sealLength))
  // where more stands behind the event, that is no JSON
  return checkedEvent(alone ?? eventIn(parsedJson(line)))
}

function eventIn(line: unknown): unknown {
  return typeof line === 'object' && line !== null && 'event' in line ? line.event : undefined
}

// What was parsed is an event only where it is of a type that this program knows, and fits it.

/** The event that a value is; undefined where it is none. */
export function checkedEvent(value: unknown): AgentEvent | undefined {
  const checked = isTyped(value) ? checkEvent(value) : undefined
  return checked?.ok === true ? checked.value : undefined
}

function isTyped(value: unknown): value is { readonly type: string } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
