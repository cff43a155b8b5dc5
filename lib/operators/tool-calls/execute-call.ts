// Executes one prepared tool call: its events, its time limit, the hook after it.
// Guarantees: the call ends exactly once, by its result, its failure, its time limit or the stop, whichever comes
// first.
import {
  EMPTY,
  asyncScheduler,
  catchError,
  concat,
  concatMap,
  defer,
  finalize,
  map,
  merge,
  of,
  switchMap,
  take,
  throwError,
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { defaultOutcome } from '../../streams/ports/ask.ts'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import type { Redaction } from '../../streams/ports/secrets.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import { errorResult } from '../../streams/ports/tool.ts'
import type { ToolContext, ToolProgress, ToolResult } from '../../streams/ports/tool.ts'
import { runHook } from '../hooks/run-hook.ts'
import { longestDelay, pausableTimer } from '../core/time-limits.ts'
import { cancellable } from '../tool-pipeline/wrap-cancellation.ts'
import { createLazySignal } from './lazy-signal.ts'
import type { LazySignal } from './lazy-signal.ts'
import { limitResult } from './limit-result.ts'
import { redactToolEvents } from './redact-tool-events.ts'
import type { ReadyCall } from '../ports/call-scheduler.ts'
import type { CallPorts } from '../ports/run-ports.ts'
import { takeThrough } from '../core/take-through.ts'
import { createProgressEvents, createToolEnd } from './tool-events.ts'

type ToolUpdate = EventNamed<'tool_execution_update'>

/** Milliseconds that a tool may take if it sets no limit itself. */
export const defaultToolLimitMs = 120_000

/** The longest grace time at a shutdown of the server, for a tool that took its signal; in milliseconds. */
export const shutdownGraceMs = 2_000

/**
 * Runs the call and emits its `tool_execution_update`s and one `tool_execution_end`, then completes; never fails.
 *
 * At its result or its time limit the tool is unsubscribed before the hook runs; the signal aborts at the limit alone.
 * The time stands still while a question to the user is open. After a stop the tool is unsubscribed at once; if it took
 * `context.signal` or is a promise, it gets the grace time, in which its result counts. Progress after the end is
 * dropped. On unsubscribe the tool is unsubscribed and its signal aborts. Buffers nothing.
 */
export function executeCall(ready: ReadyCall, ports: CallPorts, stop: StopSwitch): Observable<AgentEvent> {
  return defer(() => {
    const startedAt = asyncScheduler.now()
    if (stop.reason !== undefined) return of(createToolEnd(ready.call, errorResult('Aborted'), 0))
    const redaction = ports.secrets?.begin()
    const events$ = raceOutcome({ ready, ports, stop, redaction }).pipe(
      map((value) =>
        value.type === 'tool_execution_update'
          ? value
          : createToolEnd(ready.call, value, asyncScheduler.now() - startedAt),
      ),
    )
    return redaction === undefined ? events$ : events$.pipe(redactToolEvents(redaction))
  })
}

/** The result of a call that the stop alone ended; no hook runs for it. */
const abortedResult = errorResult('Aborted')

interface Execution {
  readonly ready: ReadyCall
  readonly ports: CallPorts
  readonly stop: StopSwitch
  readonly redaction: Redaction | undefined
}

/** Updates, then the one result. The tool, its time limit and the stop race; the first result wins. */
function raceOutcome({ ready, ports, stop, redaction }: Execution): Observable<ToolUpdate | ToolResult> {
  return defer(() => {
    const signal = createLazySignal()
    const overdue = errorResult(overdueText(ready))
    const overdue$ = pausableTimer(limitOf(ready), ports.questionOpen$).pipe(map(() => overdue))
    const context = createToolContext(ready, ports, { signal, redaction })
    const tool$ = toolOutput({ ready, ports, stop, redaction }, context)
    return merge(overdue$, tool$, abortAtStop(signal, ports, stop)).pipe(
      takeThrough<ToolUpdate | ToolResult>(isResult),
      concatMap((value) => {
        if (!isResult(value)) return of(value)
        if (value === overdue) signal.abort('TimeoutError', overdueText(ready))
        signal.settle()
        return value === abortedResult ? of(value) : afterCall(ready, limitResult(value, ready.tool), ports, stop)
      }),
      finalize(() => {
        signal.abort('AbortError', 'The call was aborted')
      }),
    )
  })
}

/** Aborts the signal at the stop; emits the result of a tool that does not end by itself within the grace time. */
function abortAtStop(signal: LazySignal, { graceMs }: CallPorts, stop: StopSwitch): Observable<ToolResult> {
  return stop.stop$.pipe(
    switchMap(() => {
      signal.abort('AbortError', 'The call was aborted')
      if (!signal.taken) return of(abortedResult)
      return timer(stop.reason === 'server_shutdown' ? Math.min(graceMs, shutdownGraceMs) : graceMs)
    }),
    map(() => abortedResult),
  )
}

/** Milliseconds; 0 = none. */
function limitOf({ tool }: ReadyCall): number {
  return tool.timeoutMs ?? defaultToolLimitMs
}

function overdueText(ready: ReadyCall): string {
  return `${ready.call.name} took longer than its limit of ${limitOf(ready) / 1000} s and was ended.`
}

function createToolContext(
  { call }: ReadyCall,
  ports: CallPorts,
  { signal, redaction }: Pick<Execution, 'redaction'> & { readonly signal: LazySignal },
): ToolContext {
  return {
    ...ports.tools,
    ...(redaction === undefined ? {} : { redaction }),
    toolCallId: call.id,
    ...(ports.plan && { plan: ports.plan }),
    ...(ports.proposePlan && { proposePlan: (plan: string) => ports.proposePlan?.(plan, call) ?? EMPTY }),
    ask: (question) => ports.ask?.(question, call) ?? of({ outcome: defaultOutcome(question), by: 'default' }),
    get signal() {
      return signal.signal
    },
  }
}

/**
 * The tool's updates and its result; a failure, or an end without a result, is its last value. That is emitted when the
 * tool was unsubscribed, so that a call which waits for the same lock starts after its teardown.
 */
function toolOutput({ ready, ports, stop }: Execution, context: ToolContext): Observable<ToolUpdate | ToolResult> {
  const progress = createProgressEvents(ready.call.id)
  const result = (text: string): ToolResult => errorResult(stop.reason === undefined ? text : 'Aborted')
  return concat(
    aroundTool(runTool(ready, context), ready, ports).pipe(
      map((value) => progress(value) ?? (isResult(value) ? value : errorResult(noOutput(ready)))),
      catchError((error: unknown) => of(result(describeThrown(error)))),
    ),
    defer(() => of(result(`${ready.call.name} ended without a result.`))),
  )
}

/** The hook's stream in place of the tool's; a throw of the hook fails it. */
function aroundTool(
  output$: Observable<ToolProgress | ToolResult>,
  { call, tool, args }: ReadyCall,
  { hooks }: CallPorts,
): Observable<ToolProgress | ToolResult> {
  return hooks.aroundTool === undefined
    ? output$
    : defer(() => hooks.aroundTool?.(output$, { call, tool, args }) ?? output$)
}

function runTool(ready: ReadyCall, context: ToolContext): Observable<ToolProgress | ToolResult> {
  return defer(() => {
    const refusal = findLimitProblem(ready)
    if (refusal !== undefined) return throwError(() => refusal)
    return cancellable(ready.tool).execute(ready.args as never, context) // its own schema has validated the arguments
  })
}

/** A longer limit would be over at once, and the call might have had its effect by then (docs/design/rxjs.md#20). */
function findLimitProblem({ call, tool: { timeoutMs = 0 } }: ReadyCall): Failure | undefined {
  if (timeoutMs >= 0 && timeoutMs <= longestDelay) return undefined
  const message = `${call.name} was not run: its timeoutMs, ${timeoutMs}, is not between 0 and ${longestDelay}.`
  return new Failure('bad_request', message)
}

/**
 * The hook may replace the result; its failure becomes the result. A stop does not wait for it, and the result is
 * dropped: the hook may exist to withhold it.
 */
function afterCall(
  { call, tool, args }: ReadyCall,
  result: ToolResult,
  { hooks, questionOpen$ }: CallPorts,
  stop: StopSwitch,
): Observable<ToolResult> {
  const { afterToolCall, limitMs } = hooks
  if (afterToolCall === undefined) return of(result)
  const answer$ = runHook('afterToolCall', () => afterToolCall({ call, tool, args, result }), {
    limitMs,
    questionOpen$,
  }).pipe(
    map((replacement) => applyReplacement(result, replacement ?? undefined)),
    catchError((error: unknown) => of(errorResult(describeThrown(error)))),
  )
  return merge(answer$, stop.stop$.pipe(map(() => errorResult(unfinishedHookText)))).pipe(take(1))
}

function noOutput({ call }: ReadyCall): string {
  return `${call.name} returned a value that is neither progress nor a result.`
}

/** From untyped code `null` counts as undefined. */
function applyReplacement(result: ToolResult, replacement: ToolResult | undefined): ToolResult {
  if (replacement === undefined) return result
  return isResult(replacement) ? replacement : errorResult('afterToolCall returned a value that is not a result.')
}

/** A tool may be untyped. */
function isResult(value: unknown): value is ToolResult {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'result'
}

const unfinishedHookText = 'Aborted: the tool had ended, but afterToolCall had not answered yet.'
