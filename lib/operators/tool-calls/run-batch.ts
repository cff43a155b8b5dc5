// Runs the prepared calls of a batch by the scheduler of the session.
// Guarantees: each call gets exactly one end, whatever the scheduler does.
import { EMPTY, catchError, concat, defer, delay, from, map, takeUntil, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { ToolCall } from '../../streams/messages/message.ts'
import { errorResult } from '../../streams/ports/tool.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import type { CallScheduler, ReadyCall } from '../ports/call-scheduler.ts'
import type { RunPorts } from '../ports/run-ports.ts'
import { executeCall } from './execute-call.ts'
import { refuse, refuseAborted } from './prepare-call.ts'
import { scheduleCalls } from './schedule-calls.ts'
import { createToolEnd } from './tool-events.ts'

/** The end of each call. The key is the call object, because a provider may repeat an id. */
export type Ends = Map<ToolCall, EventNamed<'tool_execution_end'>>

interface BatchOptions {
  readonly ports: RunPorts
  readonly stop: StopSwitch
}

/** A scheduler of the program may fail, and leave calls out. */
export function runBatch(calls: readonly ReadyCall[], options: BatchOptions, ends: Ends): Observable<AgentEvent> {
  const { ports, stop } = options
  if (ports.scheduleCalls === undefined) return scheduled(scheduleCalls, calls, options, ends)
  let why = 'was not run: the scheduler of this session left it out.'
  const events$ = scheduled(ports.scheduleCalls, calls, options, ends).pipe(
    takeUntil(stop.stop$.pipe(delay(ports.graceMs))), // it may not end after a stop
    catchError((error: unknown) => {
      why = `was not run to its end: the scheduler of this session failed: ${describeThrown(error)}`
      return EMPTY
    }),
  )
  const missing$ = defer(() =>
    from(calls.filter(({ call }) => !ends.has(call))).pipe(
      map(({ call }) => {
        const text = stop.reason === undefined ? `${call.name} ${why}` : 'Aborted'
        const end = createToolEnd(call, errorResult(text), 0)
        ends.set(call, end)
        return end
      }),
    ),
  )
  return concat(events$, missing$)
}

function scheduled(
  scheduler: CallScheduler,
  calls: readonly ReadyCall[],
  { ports, stop }: BatchOptions,
  ends: Ends,
): Observable<AgentEvent> {
  return defer(() =>
    scheduler(calls, {
      stop,
      isInterrupted: () => isInterrupted(ports),
      execute: (ready) =>
        executeCall(ready, ports, stop).pipe(
          tap((event) => {
            if (event.type === 'tool_execution_end') ends.set(ready.call, event)
          }),
        ),
      skip: ({ call }) => {
        const { refusal } = stop.reason === undefined ? refuse(call, skippedText) : refuseAborted(call)
        const end = createToolEnd(call, refusal, 0)
        ends.set(call, end)
        return end
      },
    }),
  )
}

export const skippedText = 'Skipped: the user sent a new message.'

/** A waiting steer skips the calls that have not started (docs/loop.md#16). */
export function isInterrupted({ steering, queues }: RunPorts): boolean {
  return steering === 'interrupt' && queues.size('steering') > 0
}
