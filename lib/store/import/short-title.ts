// A title from elsewhere is no longer than one that is given here; what was cut is told.
import type { AgentEvent } from '../../streams/events/event.ts'
import { titleLimit } from '../../streams/values/title-limit.ts'
import { firstUnits } from '../../streams/values/truncate.ts'

/** The title's beginning, never in the midst of a character; `told` where that is not all. */
export function shortTitle(title: string, told: (message: string) => void): string {
  const short = firstUnits(title, titleLimit)
  if (short.length < title.length)
    told(`its title has ${title.length} characters; the first ${titleLimit} were kept, as no title has more`)
  return short
}

/** The event; one that gives the session a title gives it a short one. */
export function withShortTitle(event: AgentEvent, told: (message: string) => void): AgentEvent {
  if (event.type !== 'session_info_change') return event
  const { title } = event.to
  return typeof title === 'string' ? { ...event, to: { ...event.to, title: shortTitle(title, told) } } : event
}
