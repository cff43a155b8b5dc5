// A listener's throw is reported and hurts neither the run nor the other listeners.
import type { AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Pipeline } from './pipeline.ts'

/**
 * Calls the listener with each event; returns what ends that. Its first throw is told as a `warning` event and on stderr;
 * the later ones of the same listener are not, for one that fails at every delta would fill log and screen.
 */
export function listening(
  { records$, push }: Pick<Pipeline, 'records$' | 'push'>,
  listener: (event: AgentEvent) => void,
): () => void {
  let reported = false
  const subscription = records$.subscribe(({ event }) => {
    try {
      listener(event)
    } catch (error) {
      if (reported) return
      reported = true
      const warning = failedAt(event, error)
      // oxlint-disable-next-line no-console -- docs/loop.md#30: reported on stderr too; nobody may be looking at the events
      console.error(`rxpi: ${warning.message}`)
      push({ event: warning })
    }
  })
  return () => {
    subscription.unsubscribe()
  }
}

function failedAt({ type }: AgentEvent, error: unknown): Extract<AgentEvent, { type: 'warning' }> {
  const message = `A listener failed at ${type}: ${Failure.from(error).message}`
  return { type: 'warning', code: 'listener_failed', message, context: { event: type }, recoverable: true }
}
