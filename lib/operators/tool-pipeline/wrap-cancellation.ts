// The layer that lets every tool be cancelled in one way: by unsubscribing its output.
import { defer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AnyTool, ToolProgress, ToolResult } from '../../streams/ports/tool.ts'
import { overrideTool } from '../../streams/tool-definition/override-tool.ts'
import { outputOf } from '../../streams/tool-definition/tool-output.ts'
import { mapTools } from './tool-draft.ts'
import type { ToolLayer } from './tool-draft.ts'

/** A tool whose output is an Observable. */
export interface CancellableTool extends AnyTool {
  execute(args: never, context: Parameters<AnyTool['execute']>[1]): Observable<ToolProgress | ToolResult>
}

/** Layer 7: makes each tool cancellable. Ends and fails with its source; holds the last tools. */
export function wrapCancellation(): ToolLayer {
  return mapTools(cancellable)
}

const wrapped = new WeakMap<AnyTool, CancellableTool>()

/**
 * The tool with an `execute` that starts on subscription and is cancelled by unsubscribing; a throw becomes an error of
 * the Observable. A promise and a generator cannot be cancelled: their tool counts as one that took `context.signal`,
 * so it gets the grace time after an abort. Returns the same object for the same tool, and a cancellable tool itself.
 */
export function cancellable(tool: AnyTool): CancellableTool {
  const known = wrapped.get(tool)
  if (known !== undefined) return known
  const made: CancellableTool = {
    ...overrideTool(tool, {}),
    execute: (args, context) => defer(() => outputOf(tool.execute(args, context), context)),
  }
  wrapped.set(tool, made)
  wrapped.set(made, made)
  return made
}
