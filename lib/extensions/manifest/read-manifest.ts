// Reads and checks what a module exports as its extension.
import semver from 'semver'
import * as compiled from '../generated/manifest-validators.js'
import { createCheck } from '../../streams/schema/compiled-validator.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'
import type { ExtensionDefinition, ExtensionManifest } from '../api/define-extension.ts'

const checkManifest = createCheck<ExtensionManifest>(compiled.ExtensionManifest)

export interface ManifestSurroundings {
  /** The module's path, for messages. */
  readonly path: string
  /** The version of rxpi. `development`: it fits every range. */
  readonly rxpiVersion: string
}

/** @throws Failure `bad_config` that names the module, the field and what it must be */
export function readDefinition(exported: unknown, { path, rxpiVersion }: ManifestSurroundings): ExtensionDefinition {
  const refuse = (why: string): never => {
    throw new Failure('bad_config', `The extension ${path} cannot be loaded: ${why}`, { data: { path } })
  }
  if (!isRecord(exported)) {
    return refuse(
      'its default export is no extension; write `export default defineExtension({ name, version, setup })`',
    )
  }
  const { setup, ...manifest } = exported
  const checked = checkManifest(manifest)
  if (!checked.ok) return refuse(`its manifest is not valid: ${checked.problem}`)
  const { version, rxpi, dependencies = {} } = checked.value
  if (semver.valid(version) === null) return refuse(`its version ${JSON.stringify(version)} is no semantic version`)
  for (const range of [rxpi ?? '*', ...Object.values(dependencies)]) {
    if (semver.validRange(range) === null) return refuse(`${JSON.stringify(range)} is no range of versions`)
  }
  if (typeof setup !== 'function') return refuse('it has no function `setup`')
  if (rxpi !== undefined && !fits(rxpiVersion, rxpi)) {
    return refuse(`it needs rxpi ${rxpi}, and this is ${rxpiVersion}; update one of them`)
  }
  return exported as unknown as ExtensionDefinition // its fields were just checked
}

/** Names the missing dependencies of an extension, in words; undefined if all are there. */
export function dependencyProblem(
  { dependencies = {} }: ExtensionManifest,
  others: readonly ExtensionManifest[],
): string | undefined {
  for (const [name, range] of Object.entries(dependencies)) {
    const other = others.find((each) => each.name === name)
    if (other === undefined) return `it needs the extension ${name} ${range}, which is not loaded`
    if (!semver.satisfies(other.version, range, { includePrerelease: true })) {
      return `it needs the extension ${name} ${range}, and ${other.version} is loaded`
    }
  }
  return undefined
}

function fits(version: string, range: string): boolean {
  return version === 'development' || semver.satisfies(version, range, { includePrerelease: true })
}
