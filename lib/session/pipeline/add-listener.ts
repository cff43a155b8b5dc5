// Calls a listener with each event.
// A listener that throws disturbs neither the run nor the other listeners.
import type { AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionBus } from './pipeline.ts'

/**
 * Returns the function that removes the listener. Its first throw is published as a `warning` event and printed on stderr; its
 * later throws are not: a listener that throws at every delta would fill log and screen.
 */
export function addListener({ records$, publish }: SessionBus, listener: (event: AgentEvent) => void): () => void {
  let isReported = false
  const subscription = records$.subscribe(({ event }) => {
    try {
      listener(event)
    } catch (error) {
      if (isReported) return
      isReported = true
      const warning = warningOf(event, error)
      // oxlint-disable-next-line no-console -- docs/loop.md#30: on stderr too, in case no client reads the events
      console.error(`rxpi: ${warning.message}`)
      publish({ event: warning })
    }
  })
  return () => {
    subscription.unsubscribe()
  }
}

function warningOf({ type }: AgentEvent, error: unknown): Extract<AgentEvent, { type: 'warning' }> {
  const message = `A listener failed at ${type}: ${Failure.from(error).message}`
  return { type: 'warning', code: 'listener_failed', message, context: { event: type }, recoverable: true }
}
