// Runs one extension in a session, if a person trusts it, and writes what it uses to the audit.
import { EMPTY, catchError, concat, defer, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { findExtensions } from '../../extensions/index.ts'
import type {
  ExtensionDefinition,
  ExtensionSet,
  ExtensionSetOptions,
  ExtensionSource,
  ExtensionTrust,
  FoundExtensions,
} from '../../extensions/index.ts'
import type { BehaviorHandle } from '../../streams/rx/behavior.ts'
import type { Settings } from '../../streams/config/settings.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Notice } from '../contract/server-backend.ts'
import { withExtension } from './load-extension.ts'

export interface ExtensionFolders {
  /** `$RXPI_HOME`. */
  readonly home: string
  /** The folder of `settings.json`. */
  readonly config: string
  /** A project that a person trusts, absolute. Default: none is read. */
  readonly project?: string | undefined
  /** Files and folders that the command of the session or of its server names, absolute. Default: none. */
  readonly paths?: readonly string[] | undefined
}

export interface OpenExtensionsOptions extends Omit<ExtensionSetOptions, 'onUse'> {
  readonly folders: ExtensionFolders
  readonly trust: ExtensionTrust
  readonly rxpiVersion: string
  /** `isolation` of the settings. Default: those that were trusted with `--isolate`, 256 MiB. */
  readonly isolation?: Settings['isolation'] | undefined
  /** Extensions of the program, loaded before the others without a question. Default: none. */
  readonly own?: readonly ExtensionDefinition[] | undefined
}

/** Emits once; what cannot be used is a problem. Fails with `bad_config` if the stored decisions are damaged. */
export function findSources({ folders, trust }: OpenExtensionsOptions): Observable<FoundExtensions> {
  return defer(() => findExtensions({ ...folders, records: trust.records() }))
}

/** A path that a command names needs a decision too: whoever calls the command may not be the person (docs/decisions/0583). */
export function mayRun({ state }: ExtensionSource): boolean {
  return state === 'trusted' || state === 'acknowledged'
}

/** A client that answers the question of the session need not show the notice `extension_pending`. */
export function whyNot({ name, state, root, origin }: ExtensionSource): Notice {
  const trust = `\`rxpi extensions trust ${origin === 'path' ? root : name}\``
  const message =
    state === 'killed'
      ? `The extension ${name} was killed; ${trust} allows it again`
      : `The extension ${name} (${root}) is not loaded, because its content is not trusted: look at it, then ${trust}`
  if (state === 'pending' && origin !== 'path') return { code: 'extension_pending', message }
  return extensionNotice(message, origin)
}

/** Those that wait for a decision. */
export function pendingOf(sources: readonly ExtensionSource[]): readonly ExtensionSource[] {
  return sources.filter(({ state }) => state === 'pending')
}

export interface Running {
  readonly source: ExtensionSource
  /** Of the manifest: the name in the session. */
  readonly name: string
}

export interface RunningParts {
  readonly set: ExtensionSet
  /** By the id of the source. */
  readonly running: Map<string, Running>
  /** Those that wait for a person. */
  readonly pending: BehaviorHandle<readonly ExtensionSource[]>
  readonly options: OpenExtensionsOptions
}

/**
 * Emits a notice if the extension cannot be loaded, nothing if it is. The decision is read again before the module is evaluated and
 * before `setup`: it may have changed since the extension was found.
 */
export function startExtension(
  found: ExtensionSource,
  { set, running, options }: Omit<RunningParts, 'pending'>,
): Observable<Notice> {
  const { trust } = options
  const ifTrusted$ = (start$: (source: ExtensionSource) => Observable<Notice>): Observable<Notice> =>
    defer(() => {
      const source = { ...found, state: trust.stateOf(found.id, found.digest) }
      return mayRun(source) ? start$(source) : of(whyNot(source))
    })
  const load$ = (definition: ExtensionDefinition): Observable<Notice> =>
    ifTrusted$((source) => {
      auditLoad(trust, source)
      running.set(source.id, { source, name: definition.name })
      const missing$ = ifTrusted$(() => (hasFault(set, definition) ? of(notSetUp(definition, source)) : EMPTY))
      return concat(
        set.load(definition),
        defer(() => (isLoaded(set, definition) ? EMPTY : missing$)),
      )
    })
  const replace$ = (definition: ExtensionDefinition): Observable<Notice> =>
    concat(
      set.unload(definition.name), // its `shutdown` hooks may take seconds
      defer(() => {
        running.delete(found.id)
        return load$(definition)
      }),
    )
  return ifTrusted$(() => withExtension(found, { ...options, set }, replace$)).pipe(
    catchError((thrown: unknown) => of(extensionNotice(Failure.from(thrown).message, found.origin))),
  )
}

function auditLoad(trust: ExtensionTrust, { id, name, digest, state }: ExtensionSource): void {
  if (state !== 'acknowledged') return
  trust.audit({ id, name, digest, activated: true, detail: 'loaded', operator: 'rxpi' })
}

/** An acknowledged extension runs monitored: each use of a capability is a line. */
export function auditOf(
  trust: ExtensionTrust,
  running: ReadonlyMap<string, Running>,
): NonNullable<ExtensionSetOptions['onUse']> {
  return (extension, capability, detail) => {
    for (const { source, name } of running.values()) {
      if (name !== extension || source.state !== 'acknowledged') continue
      const { id, digest } = source
      trust.audit({ id, name, digest, activated: true, capability, detail, operator: 'rxpi' })
    }
  }
}

function isLoaded({ loaded }: ExtensionSet, { name }: ExtensionDefinition): boolean {
  return loaded.some((manifest) => manifest.name === name)
}

/** One that a kill, a newer load or the end of the session ended during its setup has none. */
function hasFault({ faults }: ExtensionSet, { name }: ExtensionDefinition): boolean {
  return faults.count(name) > 0
}

/** The warning in the log of the session has the reason. */
function notSetUp({ name }: ExtensionDefinition, { origin, root }: ExtensionSource): Notice {
  return extensionNotice(`The extension ${name} (${root}) failed in setup, and is not loaded`, origin)
}

/** A line for people about extensions; its code is another one if a command named the extension, and it is not there. */
export function extensionNotice(message: string, origin?: ExtensionSource['origin']): Notice {
  return { code: origin === 'path' ? 'named_extension' : 'extension', message }
}
