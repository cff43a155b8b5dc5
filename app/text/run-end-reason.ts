// Words the reason why a run did not end normally, in one line.
import type { EventNamed } from '../../lib/streams/events/event.ts'

/** Undefined if the run completed. */
export function describeRunEnd({
  terminationReason,
  stopRule,
  error,
  totalTurns,
}: EventNamed<'agent_end'>): string | undefined {
  const after = `after ${totalTurns} ${totalTurns === 1 ? 'turn' : 'turns'}`
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
    case 'client_disconnected':
    case 'server_shutdown':
    case 'crashed':
      return `the run ended ${after}: ${terminationReason.replaceAll('_', ' ')}`
  }
}
