// Declares the tools of a session as the pipeline builds them.
import type { Observable } from 'rxjs'
import type { ToolInputs } from '../../operators/tool-pipeline/tool-draft.ts'
import type { BuiltTools } from '../../operators/tool-pipeline/tool-pipeline.ts'
import type { Failure } from '../../streams/values/failure.ts'

/** A layer's own change, between two changes of the inputs. */
export type UnpromptedChange =
  | { readonly before: BuiltTools; readonly after: BuiltTools }
  | { readonly failure: Failure }

export interface ToolList {
  /** The tools of the last build. */
  readonly built: BuiltTools
  readonly inputs: ToolInputs
  /**
   * Builds the tools of the changed inputs.
   * @throws Failure of the layer that failed, or `bad_config` for a layer that emits nothing at once: all stays as it
   * was
   */
  change(inputs: Partial<ToolInputs>): void
  /** A layer emitted other tools, or failed. Ends when the list is closed. */
  readonly unprompted$: Observable<UnpromptedChange>
  /** Unsubscribes the layers. The tools of the last build stay, and a change has no effect any more. */
  close(): void
}
