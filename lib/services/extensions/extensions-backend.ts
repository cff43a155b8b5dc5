// Answers the commands about extensions: lists them, and stores what a person decides.
// Guarantees: runs no extension; a decision is about the content that the person saw.
import { concatMap, defer, from, ignoreElements, map, mergeMap, concat } from 'rxjs'
import type { Observable } from 'rxjs'
import { findExtensions } from '../../extensions/index.ts'
import type { ExtensionSource, ExtensionTrust, FoundExtensions, PackagesOptions } from '../../extensions/index.ts'
import { personName } from '../../host/process/person-name.ts'
import { realTarget, isInside } from '../../host/files/resolve-path.ts'
import type { ExtensionRow } from '../../streams/commands/extension-commands.ts'
import type { ExtensionTrustState } from '../../streams/config/extension-trust-schema.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ExtensionsBackend, Fields } from '../contract/server-backend.ts'
import { checkFolder } from '../stored/check-path.ts'
import { projectTrust } from '../../session/create/project-trust.ts'
import { createPackagesPart } from './packages-backend.ts'
import { findTargets } from './extension-targets.ts'
import { existsSync } from 'node:fs'
import path from 'node:path'

export interface ExtensionsBackendOptions extends PackagesOptions {
  /** The folder of `settings.json`. */
  readonly config: string
  readonly trust: ExtensionTrust
}

const defaultLimit = 200

export function createExtensionsBackend(options: ExtensionsBackendOptions): ExtensionsBackend {
  const { trust } = options
  return {
    list: (command) =>
      defer(() =>
        search(command, options).pipe(
          map(({ sources, problems }) => ({ extensions: rowsOf(sources, trust), problems: [...problems] })),
        ),
      ),
    trust: (command, operator) => decide(command, options, personName(operator)),
    kill: (command, operator) => kill(command, options, personName(operator)),
    ...createPackagesPart(options),
    audit: ({ extension, limit = defaultLimit }) => defer(() => from([trust.readAudit({ extension, limit })])),
  }
}

/** Emits once what a session would find. @throws Failure `bad_config`, with `trust` `bad_request` */
function search(
  { cwd, trust: forThisRun, extensions = [] }: Fields<'extension_list'>,
  { home, config, trust }: ExtensionsBackendOptions,
): Observable<FoundExtensions> {
  checkFolder(cwd)
  const folder = projectTrust({ cwd, trust: forThisRun }, home)
  const own = path.join(folder.folder, '.rxpi/extensions')
  const isLeftOut = !folder.trusted && existsSync(own)
  const project = folder.trusted ? folder.folder : undefined
  return findExtensions({ home, config, project, paths: extensions, records: trust.records() }).pipe(
    map((found) =>
      isLeftOut
        ? {
            ...found,
            problems: [
              ...found.problems,
              { path: own, message: 'the folder is not trusted; rxpi asks when it opens a session there' },
            ],
          }
        : found,
    ),
  )
}

const states = { trust: 'trusted', acknowledge: 'acknowledged', pending: 'pending' } as const

function decide(
  command: Fields<'extension_trust'>,
  options: ExtensionsBackendOptions,
  operator: string,
): Observable<{ extensions: ExtensionRow[] }> {
  const { extension, answer, digest, dev = false, isolate = false, mayReplace = [], reason = '' } = command
  return defer(() => search(command, options)).pipe(
    mergeMap(({ sources }) => {
      const targets = findTargets(sources, extension)
      for (const target of targets) checkDecision(command, target, options)
      const change = { next: states[answer], isDev: dev, isIsolated: isolate, mayReplace, reason, operator }
      return apply(targets, options, (target) => ({ ...change, digest: digest ?? target.digest }), command)
    }),
  )
}

/** @throws Failure `bad_request` */
function checkDecision(
  { answer, digest, dev = false, isolate = false, mayReplace = [] }: Fields<'extension_trust'>,
  target: ExtensionSource,
  { home }: ExtensionsBackendOptions,
): void {
  const { name, root, origin, isPi } = target
  if (answer === 'pending') return
  if (digest === undefined) throw badRequest(`To trust ${name}, name the digest of its content: digest`)
  if (digest !== target.digest)
    throw badRequest(`The content of ${name} is not that which was shown; look at it again: ${root}`)
  if (dev && (origin === 'project' || isInside(root, realTarget(home))))
    throw badRequest(
      `${name} cannot have the mark dev: ${origin === 'project' ? 'each change of the project would decide what runs' : 'it is an installed package'}`,
    )
  if (isolate && isPi) throw badRequest(`${name} is written for pi, and such modules cannot be isolated`)
  if (mayReplace.length > 0 && !isPi)
    throw badRequest(`${name} is not written for pi: its manifest names the tools that it replaces`)
}

/** An extension that is gone from the disk has its id alone. */
function kill(
  command: Fields<'extension_kill'>,
  options: ExtensionsBackendOptions,
  operator: string,
): Observable<{ extensions: ExtensionRow[] }> {
  const { extension, reason = '' } = command
  const change = { next: 'killed' as const, reason, operator }
  return defer(() => search(command, options)).pipe(
    mergeMap(({ sources }) => {
      const record = options.trust.records().get(extension)
      if (record !== undefined && !sources.some(({ id }) => id === extension))
        return concat(
          options.trust
            .set({ ...change, id: extension, name: extension, digest: record.digest })
            .pipe(ignoreElements()),
          from([{ extensions: [] }]),
        )
      return apply(findTargets(sources, extension), options, ({ digest }) => ({ ...change, digest }), command)
    }),
  )
}

interface Change {
  readonly next: ExtensionTrustState
  readonly digest: string
  readonly reason: string
  readonly operator: string
}

/** Stores a decision about each target, one after another, and emits how they are now. */
function apply(
  targets: readonly ExtensionSource[],
  options: ExtensionsBackendOptions,
  changeOf: (target: ExtensionSource) => Change,
  command: Fields<'extension_list'>,
): Observable<{ extensions: ExtensionRow[] }> {
  const stored$ = from(targets).pipe(
    concatMap((target) => options.trust.set({ id: target.id, name: target.name, ...changeOf(target) })),
    ignoreElements(),
  )
  const now$ = defer(() => search(command, options)).pipe(
    map(({ sources }) => {
      const ids = new Set(targets.map(({ id }) => id))
      return {
        extensions: rowsOf(
          sources.filter(({ id }) => ids.has(id)),
          options.trust,
        ),
      }
    }),
  )
  return concat(stored$, now$)
}

function rowsOf(sources: readonly ExtensionSource[], trust: ExtensionTrust): ExtensionRow[] {
  const records = trust.records()
  return sources.map(({ isDev, isIsolated, isPi, mayReplace, files: _, ...source }) => {
    const record = records.get(source.id)
    const isChanged = record !== undefined && record.digest !== source.digest
    return {
      ...source,
      ...(isChanged ? { changed: true } : {}),
      ...(isDev ? { dev: true } : {}),
      ...(isIsolated ? { isolate: true } : {}),
      ...(isPi ? { pi: true } : {}),
      ...(mayReplace.length > 0 ? { mayReplace: [...mayReplace] } : {}),
    }
  })
}

function badRequest(message: string): Failure {
  return new Failure('bad_request', message)
}
