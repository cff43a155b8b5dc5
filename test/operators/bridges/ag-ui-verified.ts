// Checks AG-UI events with the protocol's own client: their shapes and their order.
import { verifyEvents } from '@ag-ui/client'
import type { BaseEvent } from '@ag-ui/client'
import { EventSchemas } from '@ag-ui/core/schemas'
import { from } from 'rxjs'
import type { AgUiEvent } from '../../../lib/operators/bridges/ag-ui-events.ts'
import { toAgUi } from '../../../lib/operators/bridges/to-ag-ui.ts'
import type { AgUiOptions } from '../../../lib/operators/bridges/to-ag-ui.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { describeThrown } from '../../../lib/streams/values/failure.ts'

/** The translated events. @throws Error if the client of AG-UI refuses one */
export function verifiedAgUi(events: readonly AgentEvent[], options: Partial<AgUiOptions> = {}): AgUiEvent[] {
  const translated: AgUiEvent[] = []
  let failure: unknown
  from(events)
    .pipe(toAgUi({ threadId: 'thread', ...options }))
    .subscribe({ next: (event) => translated.push(event), error: (error: unknown) => (failure = error) })
  const fault = failure ?? faultOf(translated)
  if (fault !== undefined) throw new Error(`AG-UI: ${describeThrown(fault)}`, { cause: fault })
  return translated
}

/** What `verifyEvents` or the schemas of AG-UI say against the events. */
export function faultOf(translated: readonly AgUiEvent[]): unknown {
  let fault: unknown
  from(translated.map((event) => EventSchemas.parse(event) as BaseEvent))
    .pipe(verifyEvents())
    .subscribe({ error: (error: unknown) => (fault = error) })
  return fault
}
