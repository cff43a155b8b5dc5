// The event of a line whose checksum is known to be right: what folding needs of the line, and nothing of what only records need.
import { isUtf8 } from 'node:buffer'
import type { AgentEvent } from '../../streams/events/event.ts'
import { checkedEvent } from './checked-event.ts'
import type { LineHead } from './line-head.ts'
import { sealLength } from './seal-line.ts'
import { parsedJson } from './parsed-json.ts'

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
