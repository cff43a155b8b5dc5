// Declares an extension that was found on the disk, with its trust, before any of its code runs.
import type { ContentFiles } from './content-digest.ts'
import type { ExtensionTrustState } from '../../streams/config/extension-trust-schema.ts'

/** Where an extension was found. `path`: named by `--extension`, for one session. */
export type ExtensionOrigin = 'user' | 'project' | 'package' | 'path'

/** An extension that was found on the disk, not loaded. */
export interface ExtensionSource {
  /** Stable: `ORIGIN:real path of root`, then `#entry` if the package has several; the key of the trust record. */
  readonly id: string
  /**
   * `rxpi.name` or `name` of its package.json, or its file name without extension; of several in a package each has
   * `/entry` too. A manifest in the module must have this name (without `/entry`).
   */
  readonly name: string
  readonly origin: ExtensionOrigin
  /** Real path of the folder, or of the single file. */
  readonly root: string
  /** Real path of the module to load; inside `root`. */
  readonly entry: string
  /** SHA-256 over every file of `root`, hexadecimal (docs/design/security.md#S23). */
  readonly digest: string
  /** The digests of its files, of which `digest` is made. */
  readonly files: ContentFiles
  readonly state: ExtensionTrustState
  /** A person marked the folder `--dev`: changed content needs no new trust. */
  readonly isDev: boolean
  /** A person wants it in a worker thread (`--isolate`). */
  readonly isIsolated: boolean
  /**
   * Written for pi: a `pi` key of package.json, an import of `@earendil-works/pi-*`, or a bare `export default
   * function`.
   */
  readonly isPi: boolean
  /** Names of built-in tools that it may replace by the trust record; for extensions of pi alone. */
  readonly mayReplace: readonly string[]
}

/** Why a file or folder is no usable extension. */
export interface ExtensionProblem {
  /** Absolute. */
  readonly path: string
  readonly message: string
}
