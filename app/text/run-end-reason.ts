// Words the reason why a run did not end normally, in one line.
import type { EventNamed } from '../../lib/streams/events/event.ts'
import { countOf } from '../../lib/streams/values/count-of.ts'

/** Undefined if the run completed. */
export function describeRunEnd({
  terminationReason,
  stopRule,
  error,
  totalTurns,
  durationMs,
}: EventNamed<'agent_end'>): string | undefined {
  const after = `after ${countOf(totalTurns, 'turn')}`
  switch (terminationReason) {
    case 'completed':
    case 'terminated':
      return undefined
    case 'stopped':
      return stopRule === 'calledTool' ? undefined : `stopped ${after} by ${stopRule ?? 'a stop rule'}`
    case 'budget_exceeded':
      return `stopped ${after}: the budget is spent`
    case 'wall_clock_timeout':
      return `timed out ${after}`
    case 'error':
    case 'idle_timeout':
      return error?.message ?? `the run failed ${after}`
    case 'aborted':
      return `stopped by you after ${seconds(durationMs)}`
    case 'client_disconnected':
      return `stopped after ${seconds(durationMs)}: its last client left`
    case 'server_shutdown':
      return 'the server was ended while answering. Send "continue" to go on.'
    case 'crashed':
      return 'the server stopped while answering. Send "continue" to go on.'
  }
}

/** Whole seconds; `3 min 5 s` from a minute on. */
function seconds(milliseconds: number): string {
  const all = Math.round(milliseconds / 1_000)
  const [minutes, rest] = [Math.floor(all / 60), all % 60]
  return minutes === 0 ? `${rest} s` : `${minutes} min ${rest} s`
}
