// What was parsed is an event only where it is of a type that this program knows, and fits it.
import type { AgentEvent } from '../../streams/events/event.ts'
import { checkEvent } from '../../streams/validation/validators.ts'

/** The event that a value is; undefined where it is none. */
export function checkedEvent(value: unknown): AgentEvent | undefined {
  const checked = isTyped(value) ? checkEvent(value) : undefined
  return checked?.ok === true ? checked.value : undefined
}

function isTyped(value: unknown): value is { readonly type: string } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
