// Stands in for an open session to which the extensions of a test are connected.
import { EMPTY, Subject } from 'rxjs'
import type { ConnectedSession } from '../../lib/extensions/lifecycle/session-host.ts'
import { scriptedModel } from '../../lib/providers/offline/scripted.ts'
import type { AgentEvent } from '../../lib/streams/events/event.ts'
import { emptySession } from '../../lib/streams/state/fold-session.ts'

/** No event comes and no command does anything; `publish` gets what the extensions record. */
export function connectedSession(publish: (event: AgentEvent) => void): ConnectedSession {
  return {
    event$: new Subject<AgentEvent>(),
    state: () => emptySession(),
    send: () => EMPTY,
    ask: () => EMPTY,
    publish,
    model: () => scriptedModel,
    activeTools: () => [],
    registeredTools: () => [],
    recorded: () => [],
    complete: () => EMPTY,
  }
}
