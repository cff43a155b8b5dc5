// Runs the tool calls of one answer: prepares all, then executes them as their locks allow.
// Guarantees: each call gets exactly one start, one end and one result message; results are in call order.
import {
  EMPTY,
  ReplaySubject,
  Subscription,
  asyncScheduler,
  concat,
  defer,
  finalize,
  from,
  ignoreElements,
  mergeMap,
  of,
  tap,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { InnerCall } from '../../streams/messages/inner-call.ts'
import type { ToolCall, ToolResultMessage } from '../../streams/messages/message.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import { errorResult } from '../../streams/ports/tool.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'
import { loopWhile } from '../core/loop-while.ts'
import { approveCall, finishCall, prepareCall, refuse, refuseAborted } from './prepare-call.ts'
import type { RefusedCall } from './prepare-call.ts'
import type { ReadyCall } from '../ports/call-scheduler.ts'
import type { RunPorts } from '../ports/run-ports.ts'
import { isInterrupted, runBatch, skippedText } from './run-batch.ts'
import type { Ends } from './run-batch.ts'
import { createToolEnd } from './tool-events.ts'

/** A call's result in the transcript. */
export interface CalledTool {
  readonly entryId: string
  readonly message: ToolResultMessage
  readonly terminate: boolean
}

export interface CallToolsOptions {
  readonly calls: readonly InnerCall[]
  /** Of the assistant message. */
  readonly entryId: string
  readonly ports: RunPorts
  readonly stop: StopSwitch
  /** If set, no call is run, and each gets this as its error result. */
  readonly refuseAll?: string
  /** The error result of a call that may not run, before `refuseAll`. */
  refusalOf?(call: ToolCall): string | undefined
  /** Called with each result, in call order, before its `message_start`. */
  onResult(result: CalledTool): void
}

/**
 * Runs a batch. In parallel: every `tool_execution_start` in call order, each `tool_execution_end` as it comes, then
 * the result messages in call order. In sequence, or if all are refused: start, end and result message call by call. A
 * call that fails in preparation ends before the next one is prepared. After a stop no further call runs, and each
 * still gets its result; with `ports.steering: 'interrupt'` none runs while a steer waits either. Completes after the
 * last result message; never fails. On unsubscribe running tools are unsubscribed.
 */
export function callTools(options: CallToolsOptions): Observable<AgentEvent> {
  const oneByOne = options.ports.toolExecution === 'sequential' || options.refuseAll !== undefined
  return oneByOne ? inSequence(options) : inParallel(options)
}

function inParallel(options: CallToolsOptions): Observable<AgentEvent> {
  return defer(() => {
    const ends: Ends = new Map()
    const ready: ReadyCall[] = []
    const prepared = options.ports.hasPolicy === true ? approvedTogether(options) : undefined
    return concat(
      prepared?.begin$ ?? EMPTY,
      eachCall(options.calls, (call) =>
        prepare(call, options, ends, prepared?.step$(call)).pipe(
          mergeMap((step) => {
            if ('ready' in step) ready.push(step.ready)
            return from(step.events)
          }),
        ),
      ),
      defer(() => runBatch(ready, options, ends)),
      eachCall(options.calls, (call) => resultMessage(call, options, ends)),
    ).pipe(finalize(() => prepared?.end()))
  })
}

interface ApprovedTogether {
  /** Prepares the calls one after another, and begins to ask about each; completes without waiting for the answers. */
  readonly begin$: Observable<never>
  /** The decision about the call; replays. */
  step$(call: ToolCall): Observable<ReadyCall | RefusedCall>
  /** Ends open questions. */
  end(): void
}

/** The calls of a batch wait for their approvals side by side: a person can answer them in any order. */
function approvedTogether(options: CallToolsOptions): ApprovedTogether {
  const { calls, ports, stop } = options
  const waiting = new Subscription()
  const steps = new Map<ToolCall, Observable<ReadyCall | RefusedCall>>()
  const begin$ = (step: ReadyCall | RefusedCall): Observable<ReadyCall | RefusedCall> => {
    if ('refusal' in step) return of(step)
    const step$ = new ReplaySubject<ReadyCall | RefusedCall>(1)
    waiting.add(approveCall(step, ports, stop).subscribe(step$))
    return step$
  }
  return {
    begin$: eachCall(calls, (call) =>
      preparedUntil(finishCall, call, options).pipe(
        tap((step) => steps.set(call, begin$(step))),
        ignoreElements(),
      ),
    ) as Observable<never>, // its values are ignored
    step$: (call) => steps.get(call) ?? of(refuseAborted(call)),
    end: () => waiting.unsubscribe(),
  }
}

function inSequence(options: CallToolsOptions): Observable<AgentEvent> {
  return defer(() => {
    const ends: Ends = new Map()
    return eachCall(options.calls, (call) =>
      concat(
        prepare(call, options, ends).pipe(
          mergeMap((step) =>
            concat(from(step.events), 'ready' in step ? runBatch([step.ready], options, ends) : EMPTY),
          ),
        ),
        resultMessage(call, options, ends),
      ),
    )
  })
}

function eachCall(
  calls: readonly InnerCall[],
  project: (call: InnerCall) => Observable<AgentEvent>,
): Observable<AgentEvent> {
  let index = 0
  return loopWhile(() => {
    const call = calls[index++]
    return call === undefined ? undefined : project(call)
  })
}

type PreparedStep =
  | { readonly events: readonly AgentEvent[] }
  | { readonly events: readonly AgentEvent[]; readonly ready: ReadyCall }

/** The call after this preparation, or the refusal that comes before any. */
function preparedUntil(
  preparation: typeof prepareCall,
  call: ToolCall,
  { ports, stop, refusalOf, refuseAll }: CallToolsOptions,
): Observable<ReadyCall | RefusedCall> {
  const skipped = stop.reason === undefined && isInterrupted(ports) ? skippedText : undefined
  const refusal = refusalOf?.(call) ?? refuseAll ?? skipped
  return refusal === undefined ? preparation(call, ports, stop) : of(refuse(call, refusal))
}

/** @param prepared$ the prepared call, if that began before; default: it is prepared now */
function prepare(
  call: InnerCall,
  options: CallToolsOptions,
  ends: Ends,
  prepared$?: Observable<ReadyCall | RefusedCall>,
): Observable<PreparedStep> {
  const { entryId } = options
  return (prepared$ ?? preparedUntil(prepareCall, call, options)).pipe(
    mergeMap((step): Observable<PreparedStep> => {
      if (!('refusal' in step)) return of({ ready: step, events: [startEvent(call, entryId, step)] })
      const end = createToolEnd(call, step.refusal, 0)
      ends.set(call, end)
      return of({ events: [startEvent(call, entryId), end] })
    }),
  )
}

/** Carries the arguments of the model, or those that a hook returned. */
function startEvent(call: InnerCall, entryId: string, ready?: ReadyCall): AgentEvent {
  const args = ready?.argsChanged === true ? { args: ready.args, argsChanged: true } : { args: call.arguments }
  const { id, name, via } = call
  return { type: 'tool_execution_start', toolCallId: id, toolName: name, entryId, ...args, ...(via && { via }) }
}

function resultMessage(call: ToolCall, { ports, onResult }: CallToolsOptions, ends: Ends): Observable<AgentEvent> {
  return defer(() => {
    const { conversation } = ports
    const end = ends.get(call) ?? createToolEnd(call, lostResult(call), 0)
    const entryId = conversation.nextEntryId()
    const parentId = conversation.headEntryId
    const message: ToolResultMessage = {
      role: 'toolResult',
      toolCallId: call.id,
      toolName: call.name,
      content: end.content,
      ...(end.details === undefined ? {} : { details: end.details }),
      isError: end.isError,
      timestamp: asyncScheduler.now(),
      durationMs: end.durationMs,
    }
    conversation.append(entryId, message)
    onResult({ entryId, message, terminate: end.terminate === true })
    return of(
      { type: 'message_start', entryId, parentId, message: emptyResult(message) } satisfies AgentEvent,
      { type: 'message_end', entryId, parentId, message } satisfies AgentEvent,
    )
  })
}

function emptyResult({ details, ...message }: ToolResultMessage): ToolResultMessage {
  return { ...message, content: [] }
}

/** A call without an end would be a fault of rxpi; it still gets a result that says so. */
function lostResult(call: ToolCall): ToolResult {
  return errorResult(`${call.name} ended without a result: a fault of rxpi, please report it.`)
}
