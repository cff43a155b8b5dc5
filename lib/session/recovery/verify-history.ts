// Checks the lines that opening skipped; damage ends writing once no run is on.
import { Observable, concat, defer, EMPTY, ignoreElements } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { Failure } from '../../streams/values/failure.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import { LazyEntries } from './lazy-history.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { RunStarter } from '../runs/run-starter.ts'
import type { LazyHistory } from './lazy-history.ts'

export interface VerifyOptions {
  readonly log: SessionLog
  readonly initial: SessionState
  readonly pipeline: Pick<Pipeline, 'write'>
  readonly starter: Pick<RunStarter, 'idle'>
}

/** True if every line is checked, or damage was found. */
export function isVerified({ entries }: SessionState): boolean {
  return !(entries instanceof LazyEntries) || entries.earlier.isComplete
}

/** Completes when every line is checked and, after damage, when the session takes no more lines. */
export function verifyHistory({ log, initial, pipeline, starter }: VerifyOptions): Observable<never> {
  const { entries } = initial
  if (!(entries instanceof LazyEntries)) return EMPTY
  const refuseWrites$ = (failure: Failure) =>
    new Observable<never>((subscriber) => {
      subscriber.add(() => log.condemn?.(failure))
      return pipeline
        .write({ event: warningOf(failure) })
        .pipe(ignoreElements())
        .subscribe(subscriber)
    })
  return concat(
    readInSlices(entries.earlier),
    defer(() => {
      const { failure } = entries.earlier
      return failure === undefined ? EMPTY : concat(starter.idle(), refuseWrites$(failure))
    }),
  )
}

function warningOf({ code, message, data }: Failure): AgentEvent {
  const context = Object.keys(data).length === 0 ? {} : { context: data }
  return { type: 'warning', code, message, ...context, recoverable: false }
}

/** Milliseconds of one slice and of the pause behind it: half of the time is left to other work. */
const sliceMs = 3
const pauseMs = 3
/** Milliseconds before the first slice: the opened session works first. */
const firstPauseMs = 30

/** Completes when every line up to damage is read. Cold; does not keep the process alive. */
function readInSlices(earlier: LazyHistory): Observable<never> {
  return new Observable((subscriber) => {
    let timer = schedule(firstPauseMs)
    function work(): void {
      earlier.workUntil(performance.now() + sliceMs)
      if (earlier.isComplete) subscriber.complete()
      else timer = schedule(pauseMs)
    }
    function schedule(milliseconds: number): NodeJS.Timeout {
      return setTimeout(work, milliseconds).unref()
    }
    return () => {
      clearTimeout(timer)
    }
  })
}
