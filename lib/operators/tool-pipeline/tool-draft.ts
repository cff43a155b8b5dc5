// Declares the draft that the layers of the tool pipeline pass on, and makes layers from functions.
import { defer, map } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { Model } from '../../streams/models/model.ts'
import type { SessionSandbox } from '../../streams/ports/sandbox.ts'
import type { AnyTool, Capability, ToolDefinition } from '../../streams/ports/tool.ts'

/** Which tools a session may use, and which of them are active. */
export interface ToolPolicy {
  /** The active tools, in the order of the request. Default: every tool that the session may use. */
  readonly names?: readonly string[] | undefined
  /** The granted scopes: a tool whose `requiredScope` is another one is left out. Default: every scope. */
  readonly scopes?: readonly string[] | undefined
  /** The granted capabilities: a tool with another one is left out. Default: every capability. */
  readonly capabilities?: readonly Capability[] | undefined
}

type Schema = ToolDefinition['parameters']

/**
 * Converts a tool's schema to the form that the API of a model takes. Returns the schema itself if it has that form.
 */
export type SchemasFor = (model: Model) => (schema: Schema) => Schema

/**
 * The inputs of the pipeline: one for each layer but the last. A change is a new object; equal parts keep their
 * identity.
 */
export interface ToolInputs {
  /** The tools for files, commands and search, and those of the program. */
  readonly base: readonly AnyTool[]
  /** Where tools run. Default: nothing is confined. */
  readonly sandbox?: SessionSandbox | undefined
  /** The tools that work on the session itself: its plan, its jobs, questions to the person. */
  readonly runtime: readonly AnyTool[]
  /** The tools of attached clients. */
  readonly channel: readonly AnyTool[]
  readonly policy: ToolPolicy
  /** Default: a schema is sent as it is. */
  readonly schemas?: SchemasFor | undefined
}

/** The tools after some of the layers. */
export interface ToolDraft {
  readonly inputs: ToolInputs
  readonly tools: readonly AnyTool[]
  /** The tools that can become active; set by the policy layer. */
  readonly registered?: readonly AnyTool[]
}

/** A layer emits one draft for each draft of its source, synchronously; it may emit further drafts later. */
export type ToolLayer = MonoTypeOperatorFunction<ToolDraft>

/**
 * A layer that changes the list of tools. It calls `change` only if the tools of the layer before it, or the parts that
 * `inputsOf` names, are other objects than at the last draft. Ends and fails with its source; holds the last draft.
 */
export function layerOf(
  inputsOf: (inputs: ToolInputs) => readonly unknown[],
  change: (draft: ToolDraft) => Omit<ToolDraft, 'inputs'>,
): ToolLayer {
  return (draft$) =>
    defer(() => {
      let last: { readonly from: readonly unknown[]; readonly to: Omit<ToolDraft, 'inputs'> } | undefined
      return draft$.pipe(
        map((draft) => {
          const from = [draft.tools, draft.registered, ...inputsOf(draft.inputs)]
          if (last === undefined || from.some((part, index) => part !== last?.from[index])) {
            last = { from, to: change(draft) }
          }
          return { inputs: draft.inputs, ...last.to }
        }),
      )
    })
}

/**
 * A layer that replaces each tool by `change(tool, inputs)`, for instance one tool by name. It calls `change` once for
 * each tool, and again if the parts that `inputsOf` names are other objects. Ends and fails with its source; holds the
 * last tools.
 */
export function mapTools(
  change: (tool: AnyTool, inputs: ToolInputs) => AnyTool,
  inputsOf: (inputs: ToolInputs) => readonly unknown[] = () => [],
): ToolLayer {
  return (draft$) =>
    defer(() => {
      let parts: readonly unknown[] = []
      let known = new WeakMap<AnyTool, AnyTool>()
      const changeOnce = (tool: AnyTool, inputs: ToolInputs): AnyTool => {
        const made = known.get(tool) ?? change(tool, inputs)
        known.set(tool, made)
        return made
      }
      return draft$.pipe(
        layerOf(inputsOf, ({ tools, registered, inputs }) => {
          const next = inputsOf(inputs)
          if (next.some((part, index) => part !== parts[index])) known = new WeakMap()
          parts = next
          return {
            tools: tools.map((tool) => changeOnce(tool, inputs)),
            ...(registered === undefined ? {} : { registered }),
          }
        }),
      )
    })
}
