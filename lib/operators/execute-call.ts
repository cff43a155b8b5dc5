// A call that runs ends exactly once: by its result, its failure, its time limit or the stop — whichever comes first.
import {
  Observable,
  asyncScheduler,
  catchError,
  defaultIfEmpty,
  defer,
  from,
  isObservable,
  map,
  of,
  take,
  takeUntil,
  timeout,
  timer,
} from 'rxjs'
import type { ObservableInput } from 'rxjs'
import type { AgentEvent, EventNamed } from '../streams/event.ts'
import type { StopSwitch } from '../streams/stop-switch.ts'
import { errorResult } from '../streams/tool.ts'
import type { AnyTool, ToolContext, ToolProgress, ToolResult } from '../streams/tool.ts'
import { hookLimitMs, thrownText } from './prepare-call.ts'
import type { ReadyCall } from './prepare-call.ts'
import type { RunPorts } from './run-ports.ts'
import { untilClosed } from './until-closed.ts'

/** Milliseconds that a tool may take where it says nothing else. */
export const defaultToolLimitMs = 120_000

/**
 * Runs the call and emits its `tool_execution_update`s and one `tool_execution_end`, then completes; never fails.
 *
 * After a stop the tool is unsubscribed at once — or, where it took `context.signal` or is a promise, when the grace time
 * is over; a result that it gives in that time counts. Progress after the end is dropped. On unsubscribe the tool is
 * unsubscribed and its signal aborts. Buffers nothing.
 */
export function executeCall(ready: ReadyCall, ports: RunPorts, stop: StopSwitch): Observable<AgentEvent> {
  return new Observable((subscriber) => {
    const startedAt = asyncScheduler.now()
    const progress = progressEvents(ready.call.id)
    const controller = new AbortController()
    const signal = lazySignal(controller)
    const bounded = untilClosed<ToolProgress | ToolResult>(subscriber)
    let settled = false

    const settle = (result: ToolResult): void => {
      if (settled) return
      settled = true
      const final$ = afterCall(ready, result, ports).pipe(takeUntil(stop.stop$), defaultIfEmpty(result))
      final$.subscribe((final) => {
        subscriber.next(toolEnd(ready.call, final, asyncScheduler.now() - startedAt))
        subscriber.complete()
      })
    }
    const limitMs = ready.tool.timeoutMs ?? defaultToolLimitMs
    if (limitMs > 0) {
      subscriber.add(
        timer(limitMs).subscribe(() => {
          settle(errorResult(`${ready.call.name} took longer than its limit of ${limitMs / 1000} s and was ended.`))
        }),
      )
    }
    subscriber.add(() => {
      controller.abort()
    })
    run(ready, contextOf(ready, ports, signal), signal)
      .pipe(bounded)
      .subscribe({
        next: (value) => {
          if (settled || subscriber.closed) return
          if (value.type === 'result') settle(value)
          else subscriber.next(progress(value))
        },
        error: (error: unknown) => {
          settle(errorResult(thrownText(error)))
        },
        complete: () => {
          settle(errorResult(`${ready.call.name} ended without a result.`))
        },
      })
    subscriber.add(
      stop.stop$.subscribe(() => {
        controller.abort()
        const end = (): void => {
          settle(errorResult('Aborted'))
        }
        if (signal.taken) subscriber.add(timer(ports.graceMs).subscribe(end))
        else end()
      }),
    )
  })
}

interface LazySignal {
  readonly signal: AbortSignal
  /** True once somebody read it. */
  taken: boolean
}

function lazySignal(controller: AbortController): LazySignal {
  const self = {
    taken: false,
    get signal() {
      self.taken = true
      return controller.signal
    },
  }
  return self
}

function contextOf({ call }: ReadyCall, ports: RunPorts, signal: LazySignal): ToolContext {
  return {
    ...ports.tools,
    toolCallId: call.id,
    get signal() {
      return signal.signal
    },
  }
}

function run(
  { tool, args }: ReadyCall,
  context: ToolContext,
  signal: LazySignal,
): Observable<ToolProgress | ToolResult> {
  return defer(() => {
    const output: ObservableInput<ToolProgress | ToolResult> = execute(tool, args, context)
    if (!isObservable(output)) signal.taken = true // a promise cannot be unsubscribed: it gets the grace time
    return from(output)
  })
}

/** Its arguments were validated by its own schema, which is what `never` stands for in AnyTool. */
function execute(tool: AnyTool, args: ReadyCall['args'], context: ToolContext): ReturnType<AnyTool['execute']> {
  return tool.execute(args as never, context)
}

function progressEvents(toolCallId: string): (progress: ToolProgress) => EventNamed<'tool_execution_update'> {
  const lengths = new Map<string, number>()
  return ({ updateType, content, offset = lengths.get(updateType) ?? 0, progressPercent }) => {
    lengths.set(updateType, offset + content.length)
    return {
      type: 'tool_execution_update',
      toolCallId,
      updateType,
      content,
      offset,
      ...(progressPercent === undefined ? {} : { progressPercent }),
    }
  }
}

/** The hook may replace the result; its failure becomes the result. */
function afterCall({ call, tool, args }: ReadyCall, result: ToolResult, { hooks }: RunPorts): Observable<ToolResult> {
  const { afterToolCall } = hooks
  if (afterToolCall === undefined) return of(result)
  return defer(() => from(afterToolCall({ call, tool, args, result }))).pipe(
    timeout({ first: hookLimitMs }),
    take(1),
    defaultIfEmpty(undefined),
    map((replacement) => replacement ?? result),
    catchError((error: unknown) => of(errorResult(thrownText(error)))),
  )
}

/** The event that ends a call, run or not. */
export function toolEnd(
  call: { readonly id: string; readonly name: string },
  result: ToolResult,
  durationMs: number,
): EventNamed<'tool_execution_end'> {
  return {
    type: 'tool_execution_end',
    toolCallId: call.id,
    toolName: call.name,
    isError: result.isError ?? false,
    content: resultContent(result),
    ...(result.details === undefined ? {} : { details: result.details }),
    ...(result.terminate === true ? { terminate: true } : {}),
    durationMs,
  }
}

/** A result from untyped code may lack its content: it counts as empty (LOOP 9). */
function resultContent(result: Partial<ToolResult>): ToolResult['content'] {
  return result.content ?? []
}
