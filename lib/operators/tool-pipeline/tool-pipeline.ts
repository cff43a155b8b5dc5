// Builds the tools of a session by seven layers in a fixed order (docs/loop.md#37).
import { map } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import { baseTools, channelTools, runtimeTools } from './add-tools.ts'
import { filterTools } from './filter-tools.ts'
import { normaliseSchemas } from './normalise-schemas.ts'
import { substituteSandbox } from './substitute-sandbox.ts'
import type { ToolDraft, ToolInputs, ToolLayer } from './tool-draft.ts'
import { wrapCancellation } from './wrap-cancellation.ts'

/** The layers by name, in their order. */
export interface ToolLayers {
  /** Default `baseTools()`. */
  readonly base: ToolLayer
  /** Default `substituteSandbox()`. */
  readonly sandbox: ToolLayer
  /** Default `runtimeTools()`. */
  readonly runtime: ToolLayer
  /** Default `channelTools()`. */
  readonly channel: ToolLayer
  /** Default `filterTools()`. */
  readonly policy: ToolLayer
  /** Default `normaliseSchemas()`. */
  readonly schemas: ToolLayer
  /** Default `wrapCancellation()`. */
  readonly cancellation: ToolLayer
}

/** The tools of a session. */
export interface BuiltTools {
  /** The tools that can become active. */
  readonly registered: readonly AnyTool[]
  /** The tools of the next request. */
  readonly active: readonly AnyTool[]
}

/**
 * Maps inputs to tools, once for each inputs; a layer works only if its own part or the layer before it changed.
 * `layers` replaces layers by name. Fails with a Failure `bad_config` if two active tools have one name, with a layer
 * that fails, and with its source; ends with its source. Holds the last draft of each layer.
 */
export function toolPipeline(layers: Partial<ToolLayers> = {}): OperatorFunction<ToolInputs, BuiltTools> {
  return (inputs$) =>
    inputs$.pipe(
      map((inputs): ToolDraft => ({ inputs, tools: noTools })),
      layers.base ?? baseTools(),
      layers.sandbox ?? substituteSandbox(),
      layers.runtime ?? runtimeTools(),
      layers.channel ?? channelTools(),
      layers.policy ?? filterTools(),
      layers.schemas ?? normaliseSchemas(),
      layers.cancellation ?? wrapCancellation(),
      map(({ tools, registered = tools }) => ({ registered, active: withUniqueNames(tools) })),
    )
}

/** One array, so that a draft of unchanged inputs is unchanged. */
const noTools: readonly AnyTool[] = []

/** @throws Failure `bad_config` */
function withUniqueNames(tools: readonly AnyTool[]): readonly AnyTool[] {
  const names = new Set<string>()
  for (const { name } of tools) {
    if (names.has(name)) throw new Failure('bad_config', `Two active tools have the name "${name}"; a layer added one`)
    names.add(name)
  }
  return tools
}
