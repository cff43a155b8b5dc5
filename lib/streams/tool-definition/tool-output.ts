// Turns whatever a tool's `execute` returns into an Observable of progress and one result.
import { from, isObservable, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ToolContext, ToolOutput, ToolProgress, ToolResult } from '../ports/tool.ts'
import { isRecord } from '../values/json.ts'
import { fromGenerator } from '../rx/from-abortable.ts'

/**
 * An Observable as it is; the value of a promise; what an async generator yields and, if it has one, returns; a value alone.
 * A promise and a generator cannot be cancelled while they wait, so they count as tools that took `context.signal`.
 */
export function outputOf(
  output: ToolOutput,
  context: Pick<ToolContext, 'signal'>,
): Observable<ToolProgress | ToolResult> {
  if (isObservable(output)) return output
  if (isAsync(output)) {
    void context.signal
    return Symbol.asyncIterator in output ? fromGenerator(() => output) : from(output)
  }
  return of(output)
}

type AsyncOutput = Extract<ToolOutput, PromiseLike<unknown> | AsyncIterable<unknown>>

function isAsync(output: ToolOutput): output is AsyncOutput {
  // from untyped code it may be null
  return isRecord(output) && (Symbol.asyncIterator in output || 'then' in output)
}
