// Makes a custom event.
import type { EventNamed } from './event.ts'

/** An event of one's own: `customType` names its kind, `data` is JSON. */
export function custom(customType: string, data: unknown): EventNamed<'custom'> {
  return { type: 'custom', customType, data }
}
