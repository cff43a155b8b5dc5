// One run at a time: which one is on is known before its first event, and forgotten before its last.
import { Subject, defer } from 'rxjs'
import { run } from '../operators/run.ts'
import type { RunInput } from '../operators/run-ports.ts'
import { runs } from '../operators/runs.ts'
import type { RunRequest } from '../operators/runs.ts'
import type { RunLimits } from '../streams/run-limits.ts'
import type { PendingRecord } from '../streams/session-record.ts'
import { stopSwitch } from '../streams/stop-switch.ts'
import type { StopSwitch } from '../streams/stop-switch.ts'
import { runPorts } from './run-ports.ts'
import type { SessionCore } from './session-parts.ts'

/** What a run is asked for with. */
export interface RunStart extends RunRequest {
  readonly prompt: RunInput
  readonly limits: RunLimits | undefined
}

export interface StartedRun extends RunStart {
  readonly stop: StopSwitch
}

export interface RunStarter {
  /** The run that is on; undefined from just before its `agent_settled`. */
  running(): StartedRun | undefined
  /** Starts a run, behind one that is just ending. The caller has seen that none is on. */
  start(request: RunStart): void
  close(): void
}

/** Runs are pushed, event by event, into the session's pipeline. */
export function runStarter(core: SessionCore, push: (pending: PendingRecord) => void): RunStarter {
  const start$ = new Subject<StartedRun>()
  let current: StartedRun | undefined
  const settled = (): void => {
    current = undefined
  }
  start$
    .pipe(
      runs(({ prompt, limits, stop }) => defer(() => run({ prompt, ports: runPorts(core, limits), stop, settled }))),
    )
    .subscribe(push)
  return {
    running: () => current,
    start: (request) => {
      const started = { ...request, stop: stopSwitch() }
      current = started // state first: an abort that comes next must find it
      start$.next(started)
    },
    close: () => {
      start$.complete()
    },
  }
}
