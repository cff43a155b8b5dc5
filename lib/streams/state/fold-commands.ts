// Which commands a session has carried out is known from its lines: each is marked with the `opId` of the command that caused it.
import type { AgentEvent } from '../events/event.ts'
import type { QueuedInput } from './fold-queue.ts'
import type { SessionRecord } from '../log/session-record.ts'

/** A line that a command caused. */
export interface CommandTrace {
  readonly runId: string | undefined
  readonly event: AgentEvent
  /** How many inputs a `clear` took out. */
  readonly cleared?: number
}

/** What each `opId` caused, in order. Grows in place, by a reference or two a command. */
export type CommandTraces = ReadonlyMap<string, readonly CommandTrace[]>

/** Notes what the record says of its command, if it has one. `queue` is what waited before it. */
export function foldCommand(
  traces: CommandTraces,
  { event, runId, opId }: Pick<SessionRecord, 'event' | 'runId' | 'opId'>,
  queue: readonly QueuedInput[],
): void {
  if (opId === undefined) return
  const known = (traces as Map<string, CommandTrace[]>).get(opId) // grows in place: see CommandTraces
  const trace = traceOf(event, runId, queue)
  if (known === undefined) (traces as Map<string, CommandTrace[]>).set(opId, [trace])
  else known.push(trace)
}

function traceOf(event: AgentEvent, runId: string | undefined, queue: readonly QueuedInput[]): CommandTrace {
  if (event.type !== 'queue_update' || event.op !== 'clear') return { runId, event }
  return { runId, event, cleared: queue.filter((input) => input.queue === event.queue).length }
}
