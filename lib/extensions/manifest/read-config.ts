// Checks the settings of an extension by its schema, and fills in the defaults.
import { compileWithDefaults } from '../../streams/schema/compile-schema.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ExtensionManifest } from '../api/define-extension.ts'

/**
 * `extensions.NAME` with the defaults of the schema; without a schema the settings as they are.
 * @param settings undefined: the person set nothing
 * @throws Failure `bad_config` that names the setting
 */
export function readExtensionConfig({ name, config }: ExtensionManifest, settings: unknown): unknown {
  const value: unknown = structuredClone(settings) ?? {}
  if (config === undefined) return value
  const [problem] = validateConfig(name, config, value)
  if (problem === undefined) return value
  const field = `extensions.${name}${problem.path.replaceAll('/', '.')}`
  throw new Failure('bad_config', `The setting ${field} is not valid: ${problem.reason}`, { data: { setting: field } })
}

function validateConfig(name: string, schema: NonNullable<ExtensionManifest['config']>, value: unknown) {
  try {
    return compileWithDefaults(schema)(value)
  } catch (thrown) {
    const { message } = Failure.from(thrown)
    throw new Failure('bad_config', `The schema of the settings of the extension ${name} cannot be used: ${message}`)
  }
}
