// Times one run of a session from `send` to the `agent_settled` event at a subscriber.
import type { AgentEvent } from '../lib/streams/events/event.ts'
import type { Session } from '../lib/session/contract/session.ts'

/**
 * Resolves to microseconds; rejects if the run does not complete. `onEvent` gets each event, before the clock is read.
 */
export function timedPrompt(session: Session, onEvent: (event: AgentEvent) => void = () => undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    let startedAt = 0
    const subscription = session.events$.subscribe((event) => {
      onEvent(event)
      switch (event.type) {
        case 'agent_end':
          if (event.terminationReason !== 'completed')
            reject(new Error(`The run ended: ${event.terminationReason} ${event.error?.message ?? ''}`))
          break
        case 'agent_settled':
          resolve((performance.now() - startedAt) * 1000)
          subscription.unsubscribe()
          break
        default: // a cheap check for almost all events: pi's run resolves a promise, and its listener checks once too
      }
    })
    startedAt = performance.now()
    session.send({ type: 'prompt', text: 'Go on.' }).subscribe({ error: reject })
  })
}
