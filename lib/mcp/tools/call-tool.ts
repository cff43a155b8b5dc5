// Calls a tool of a server: progress becomes updates, a result or a failure the result of the call.
import { asyncScheduler, catchError, map, Observable, of } from 'rxjs'
import type { MonoTypeOperatorFunction, Subscription } from 'rxjs'
import type { McpCallEvent, McpJson, McpPeer } from '../contract/mcp-peer.ts'
import { errorResult, progress } from '../../streams/ports/tool.ts'
import type { ToolContext, ToolProgress, ToolResult } from '../../streams/ports/tool.ts'
import { Failure } from '../../streams/values/failure.ts'
import { describingLine } from '../content/foreign-text.ts'
import type { OutputCheck } from './output-check.ts'
import { toolResult } from './tool-result.ts'

/** Where a tool comes from. */
export interface ToolSource {
  readonly server: string
  readonly peer: Pick<McpPeer, 'callTool'>
  /** Absolute: long results go to `<folder>/<session id>`. Absent: they are cut. */
  readonly spillFolder?: string
}

export interface CalledTool extends ToolSource {
  /** The server's own name of it. */
  readonly tool: string
  /** Absent: the tool has no output schema. */
  readonly checkOutput?: OutputCheck | undefined
}

/** Milliseconds between two updates of one call. */
const updateMs = 100
/** Updates of one call: a server may send progress for hours. */
const maxUpdates = 2_000
const maxMessageBytes = 1_024

/**
 * Emits progress, at most every 100 ms and the latest, and one result; then it completes. A failure of the request is an error result;
 * it never fails. Unsubscribing cancels the request.
 */
export function callTool(
  { server, peer, tool, spillFolder, checkOutput }: CalledTool,
  args: McpJson,
  context: ToolContext,
): Observable<ToolProgress | ToolResult> {
  const { sessionId, toolCallId, redaction } = context // not its signal: unsubscribing cancels
  const source = { server, tool, sessionId, spillFolder, redaction, checkOutput }
  return peer.callTool(tool, args, { sessionId, toolCallId }).pipe(
    paceProgress(),
    map((event) => (event.type === 'result' ? toolResult(event.result, source) : toProgress(event))),
    catchError((thrown: unknown) => of(errorResult(Failure.from(thrown, 'mcp_error').message))),
  )
}

/**
 * Passes results at once, and progress every 100 ms at most: the first, then the latest, which a result drops. Ends and fails with its
 * source, buffers one event, and releases its timer on unsubscribe. Most calls have no progress, and cost no timer.
 */
function paceProgress(): MonoTypeOperatorFunction<McpCallEvent> {
  return (source$) =>
    new Observable((subscriber) => {
      let latest: McpCallEvent | undefined
      let pause: Subscription | undefined
      let left = maxUpdates
      const emit = (event: McpCallEvent): void => {
        latest = undefined
        left -= 1
        pause = asyncScheduler.schedule(() => {
          pause = undefined
          if (latest !== undefined) emit(latest)
        }, updateMs)
        subscriber.next(event)
      }
      const source = source$.subscribe({
        next: (event) => {
          if (event.type === 'result') subscriber.next(event)
          else if (left > 0 && pause === undefined) emit(event)
          else latest = left > 0 ? event : undefined
        },
        error: (thrown: unknown) => subscriber.error(thrown),
        complete: () => subscriber.complete(),
      })
      return () => {
        pause?.unsubscribe()
        source.unsubscribe()
      }
    })
}

function toProgress(event: Extract<McpCallEvent, { type: 'progress' }>): ToolProgress {
  const { progress: done, total, message } = event
  const text = describingLine(message ?? (total === undefined ? `${done}` : `${done} of ${total}`), maxMessageBytes)
  const percent = total === undefined || !(total > 0) ? undefined : Math.min(100, Math.max(0, (done / total) * 100))
  return progress(`${text}\n`, percent === undefined ? {} : { percent })
}
