// Defines an extension: its manifest, and the function that sets it up in a session.
import type { Static, TSchema } from '@sinclair/typebox'
import type { Capability } from '../../streams/ports/tool.ts'
import type { ExtensionApi } from './extension-api.ts'

/** The manifest of an extension. */
export interface ExtensionManifest {
  /** Lower case letters, digits, `-`, `_`, `.`, and `@scope/` before it; at most 100 characters. */
  readonly name: string
  /** Semantic version. */
  readonly version: string
  /** The versions of rxpi that it works with, such as `^0.2`. Default: any. */
  readonly rxpi?: string
  /** The rights of its tools and calls. Default: none, so that it can only watch, transform and refuse. */
  readonly capabilities?: readonly Capability[]
  /** JSON Schema or TypeBox of its settings, `extensions.NAME`. Default: it has none. */
  readonly config?: TSchema
  /** Other extensions that must be loaded, with the versions. Default: none. */
  readonly dependencies?: Readonly<Record<string, string>>
  /** Built-in tools that it replaces by tools of the same name. Default: none. */
  readonly replaces?: readonly string[]
}

export interface ExtensionDefinition<Config extends TSchema = TSchema> extends ExtensionManifest {
  readonly config?: Config
  /**
   * Called once for each session, before it opens. The session waits up to 30 s for a promise or an Observable to complete. A
   * throw unloads the extension from this session; the session opens without it.
   */
  setup(api: ExtensionApi<Static<Config>>): unknown
}

/** Gives `setup` the types of the manifest: `export default defineExtension({ name, version, setup(api) { … } })`. */
export function defineExtension<const Config extends TSchema = TSchema>(
  definition: ExtensionDefinition<Config>,
): ExtensionDefinition {
  return definition
}
