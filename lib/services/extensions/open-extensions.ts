// Opens the extensions of a session: finds them, and loads those that a person trusts.
// Guarantees: no code of an extension runs before a person trusted its content; a killed one ends in open sessions.
import { EMPTY, concat, concatMap, defer, finalize, from, map, merge, mergeMap, of, reduce, take, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import { extensionSet } from '../../extensions/index.ts'
import type { ExtensionSet, ExtensionSource } from '../../extensions/index.ts'
import { onAbandon } from '../../streams/rx/on-abandon.ts'
import { behavior } from '../../streams/rx/behavior.ts'
import type { Notice } from '../contract/server-backend.ts'
import { followExtensions, followKills, reloadExtensions } from './follow-extensions.ts'
import { auditOf, extensionNotice, findSources, mayRun, pendingOf, startExtension, whyNot } from './run-extension.ts'
import type { OpenExtensionsOptions, Running } from './run-extension.ts'

/** Extensions that are set up; whoever gets them closes `set`. */
export interface OpenedExtensions {
  readonly set: ExtensionSet
  readonly notices: readonly Notice[]
  /** Follows kills, new decisions and the files of `--dev` extensions; never emits, and never ends by itself. */
  readonly follow$: Observable<never>
}

/** Emits once and completes; undefined if there are none. Never fails for an extension: what cannot be loaded is a notice. */
function openExtensions(options: OpenExtensionsOptions): Observable<OpenedExtensions | undefined> {
  const { own = [], trust, folders } = options
  return findSources(options).pipe(
    mergeMap(({ sources, problems }) => {
      const notices = problems.map(({ path, message }) =>
        extensionNotice(
          `${path} is no extension: ${message}`,
          folders.paths?.includes(path) === true ? 'path' : undefined,
        ),
      )
      if (sources.length + own.length === 0)
        return of(notices.length === 0 ? undefined : { ...nothing(options), notices })
      const running = new Map<string, Running>()
      const reload$ = (): Observable<never> => reloadExtensions({ set, running, options })
      const set = extensionSet({ ...options, onUse: auditOf(trust, running), reload: reload$ })
      const start$ = (source: ExtensionSource) => startExtension(source, { set, running, options })
      const opened$ = concat(
        ...own.map((definition) => set.load(definition)),
        from(sources).pipe(
          concatMap((source) => (mayRun(source) ? start$(source) : of(whyNot(source)))),
          reduce((all: readonly Notice[], each) => [...all, each], notices),
          map((all) => {
            const pending = behavior(pendingOf(sources))
            return { set, notices: all, follow$: followExtensions({ set, running, pending, options }) }
          }),
        ),
      )
      return merge(followKills({ set, running, options }), opened$).pipe(
        take(1),
        onAbandon(() => {
          closeNow(set)
        }),
      )
    }),
  )
}

/** `use$` gets the extensions of the session that it opens; if it fails, or is unsubscribed before that, they are closed. */
export function withExtensions<Value>(
  options: OpenExtensionsOptions,
  use$: (extensions: OpenedExtensions | undefined) => Observable<Value>,
): Observable<Value> {
  return openExtensions(options).pipe(
    mergeMap((extensions) =>
      closeUnlessUsed(
        extensions,
        defer(() => use$(extensions)),
      ),
    ),
  )
}

function closeUnlessUsed<Value>(extensions: OpenedExtensions | undefined, used$: Observable<Value>): Observable<Value> {
  let isUsed = false
  const close = (): void => {
    if (!isUsed && extensions !== undefined) closeNow(extensions.set)
  }
  return used$.pipe(
    tap(() => {
      isUsed = true
    }),
    finalize(close),
  )
}

function nothing(options: OpenExtensionsOptions): Omit<OpenedExtensions, 'notices'> {
  return { set: extensionSet(options), follow$: EMPTY }
}

function closeNow(set: ExtensionSet): void {
  set.close().subscribe()
}
