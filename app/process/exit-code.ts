// Maps the end of a run or a failure to an exit code: one table for every mode (README.md).
import type { EventNamed, TerminationReason } from '../../lib/streams/events/event.ts'
import { failureTable } from '../../lib/streams/values/failure.ts'
import type { FailureCode } from '../../lib/streams/values/failure.ts'

/** Signals that end a run in order. */
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

export const signalExitCodes: Readonly<Record<Signal, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

/** `stopped` and `error` depend on more fields, see below. */
const byReason: Readonly<Record<Exclude<TerminationReason, 'stopped' | 'error'>, number>> = {
  completed: 0,
  terminated: 0,
  aborted: 130,
  idle_timeout: 3,
  wall_clock_timeout: 124,
  budget_exceeded: 4,
  client_disconnected: 1,
  server_shutdown: 143,
  crashed: 1,
}

/** Exit code of a run from its `agent_end`; never 0 for a failed run. */
export function exitCodeOfRun({ terminationReason: reason, stopRule, error }: EventNamed<'agent_end'>): number {
  if (reason === 'stopped') return stopRule === 'calledTool' ? 0 : 4
  if (reason === 'error') return error === undefined ? 1 : exitCodeOfFailure(error)
  return byReason[reason]
}

/** Exit code of a failure from its code; 1 for an unknown code. */
export function exitCodeOfFailure({ code }: { readonly code: string }): number {
  return isCode(code) ? failureTable[code].exitCode : 1
}

function isCode(code: string): code is FailureCode {
  return Object.hasOwn(failureTable, code)
}
