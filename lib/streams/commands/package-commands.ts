// Schemas of the commands about packages: install, list, update and remove them.
// No model is offered these commands (docs/design/security.md#S1).
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { surroundings } from './surroundings.ts'

const wanted = Type.String({ minLength: 1, maxLength: 8_192 })

export const packageParameters = {
  /**
   * Installs a package: `npm:NAME[@VERSION]`, `git:URL[@REF]`, or the path of a tarball or a folder. No script of it runs. Its
   * extensions wait for trust.
   */
  package_install: { ...surroundings, source: wanted },
  package_list: {},
  /** `package`: its name or its source. */
  package_remove: { package: wanted },
  /** Installs anew the packages without a version or ref, or the named one. */
  package_update: { ...surroundings, package: Type.Optional(wanted) },
}

const files = Type.Array(Type.String())

/** An installed package with what it brings: absolute paths of modules, folders and files. */
export const PackageRow = Type.Object({
  name: Type.String(),
  source: Type.String(),
  version: Type.Optional(Type.String()),
  /** Of the tarball (`sha512-…`), or the commit of a git repository. */
  integrity: Type.Optional(Type.String()),
  /** True: `package_update` leaves it, as a version or ref was named. */
  pinned: Type.Boolean(),
  /** The folder of the package, absolute. */
  path: Type.String(),
  extensions: files,
  skills: files,
  prompts: files,
  themes: files,
  scenarios: files,
  /** Why something of it cannot be used. */
  problems: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
})
export type PackageRow = Static<typeof PackageRow>

export const packageResults = {
  package_install: { package: PackageRow },
  package_list: { packages: Type.Array(PackageRow) },
  package_remove: { name: Type.String(), source: Type.String() },
  /** Those that were installed anew. */
  package_update: { packages: Type.Array(PackageRow) },
}
