// Places the tools of extensions before the other tools of a session.
import type { ExtensionSet } from '../../extensions/lifecycle/set-contract.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'

/**
 * The tools that extensions have registered now. They stand before the base tools of a session, so that one may replace another:
 * registering has checked who may.
 */
export function extensionTools({ contributions: { tools } }: ExtensionSet): readonly AnyTool[] {
  return tools.entries.map(({ value }) => value)
}

/** The tools of a session before extensions. */
export interface LayeredTools {
  readonly base: readonly AnyTool[]
  readonly runtime: readonly AnyTool[]
}

/** The tools with those of the extensions, which are active by default. */
export function withExtensionTools(
  { base, runtime }: LayeredTools,
  extensions: ExtensionSet | undefined,
): LayeredTools & { readonly further: readonly string[] } {
  const added = extensions === undefined ? [] : extensionTools(extensions)
  return { base: [...added, ...base], runtime, further: added.map(({ name }) => name) }
}
