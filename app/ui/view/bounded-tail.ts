// The end of a text that grows: it is cut once it is twice as long, so that a piece costs what it is long.
import { lastUnits } from '../../../lib/streams/values/truncate.ts'

/** At least the last `limit` UTF-16 units, at most twice as many. */
export function boundedTail(text: string, limit: number): string {
  return text.length <= 2 * limit ? text : lastUnits(text, limit)
}
