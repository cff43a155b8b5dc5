// How a run or command ended as an exit code: the one table (README.md), the same in every mode.
import type { EventNamed, TerminationReason } from '../../lib/streams/events/event.ts'
import { failureTable } from '../../lib/streams/values/failure.ts'
import type { FailureCode } from '../../lib/streams/values/failure.ts'

/** Signals that end a run in an orderly way. */
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

export const signalExitCodes: Readonly<Record<Signal, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

/** `stopped` and `error` say more: see below. */
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

/** Of a run, by its `agent_end`. Never 0 for one that failed. */
export function exitCodeOfRun({ terminationReason: reason, stopRule, error }: EventNamed<'agent_end'>): number {
  if (reason === 'stopped') return stopRule === 'calledTool' ? 0 : 4
  if (reason === 'error') return error === undefined ? 1 : exitCodeOfFailure(error)
  return byReason[reason]
}

/** Of a failure, by its code; 1 for one that this program does not know. */
export function exitCodeOfFailure({ code }: { readonly code: string }): number {
  return isCode(code) ? failureTable[code].exitCode : 1
}

function isCode(code: string): code is FailureCode {
  return Object.hasOwn(failureTable, code)
}
