// Sets the extensions of a program up for a session that is being created.
import { concat } from 'rxjs'
import { extensionSet } from '../../extensions/lifecycle/extension-set.ts'
import type { ExtensionDefinition, ExtensionSet, ExtensionSetOptions } from '../../extensions/index.ts'

/**
 * Sets them up in the call itself; what `setup` does after an `await` comes to the open session. Undefined without extensions.
 */
export function programExtensions(
  definitions: readonly ExtensionDefinition[] = [],
  options: ExtensionSetOptions,
): ExtensionSet | undefined {
  if (definitions.length === 0) return undefined
  const set = extensionSet(options)
  concat(...definitions.map((definition) => set.load(definition))).subscribe()
  return set
}
