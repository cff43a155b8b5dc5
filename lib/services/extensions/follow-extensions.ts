// Follows the extensions of an open session: kills, decisions of people, changes of files.
import {
  EMPTY,
  Subject,
  catchError,
  concat,
  concatMap,
  debounce,
  defer,
  distinctUntilChanged,
  finalize,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  startWith,
  switchMap,
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { trustState } from '../../extensions/index.ts'
import type { ExtensionSource } from '../../extensions/index.ts'
import { watchTree } from '../../host/files/watch-tree.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Notice } from '../contract/server-backend.ts'
import { askAboutPending } from './ask-pending.ts'
import { extensionNotice, findSources, mayRun, pendingOf, startExtension } from './run-extension.ts'
import type { Running, RunningParts } from './run-extension.ts'

/** Milliseconds without a change before the files are read. */
const settleMs = 200

/**
 * Ends killed extensions at once. Looks again after a decision about trust and after a change of files, 200 ms after the last one.
 * Never emits and never fails: what cannot be loaded is a warning of the session. One look at a time.
 */
export function followExtensions(parts: RunningParts): Observable<never> {
  const { trust } = parts.options
  const looked$ = new Subject<void>()
  const files$ = looked$.pipe(
    startWith(undefined),
    map(() => watchedRoots(parts)),
    distinctUntilChanged((before, now) => before.join('\n') === now.join('\n')),
    switchMap((roots) => merge(...roots.map(watchTree))),
  )
  const changed$ = merge(trust.changes$, files$, findMissed(parts)).pipe(debounce(() => timer(settleMs)))
  const look$ = changed$.pipe(
    concatMap(() => lookAgain(parts).pipe(finalize(() => looked$.next()))),
    ignoreElements(),
  )
  return merge(followKills(parts), look$, askAboutPending(parts))
}

/** Ends killed extensions while others are looked for or set up. Never emits, completes or fails. */
export function followKills({ set, running, options: { trust } }: Omit<RunningParts, 'pending'>): Observable<never> {
  return trust.changes$.pipe(
    mergeMap((records) => {
      const killed = [...running].filter(([id, { source }]) => trustState(records.get(id), source.digest) === 'killed')
      for (const [id] of killed) running.delete(id)
      return concat(...killed.map(([, { name }]) => set.unload(name, 'killed')))
    }),
  )
}

/** Emits if a decision changed since the extensions were found, and completes: nothing followed them until the session was open. */
function findMissed({ running, pending, options: { trust } }: RunningParts): Observable<void> {
  return defer(() => {
    const records = trust.records()
    const found = [...[...running.values()].map(({ source }) => source), ...pending.behavior$.value]
    const isAsFound = ({ id, digest, state }: ExtensionSource): boolean => trustState(records.get(id), digest) === state
    return found.every(isAsFound) ? EMPTY : of(undefined)
  }).pipe(catchError(() => of(undefined))) // the look fails for the same reason, and warns
}

/** Packages are changed by `rxpi install` and `update` alone. */
function watchedRoots({ running }: RunningParts): readonly string[] {
  const sources = [...running.values()].map(({ source }) => source)
  return [...new Set(sources.filter(({ origin }) => origin !== 'package').map(({ root }) => root))].sort()
}

function lookAgain(parts: RunningParts): Observable<never> {
  const { set, running, options } = parts
  const notice$ = findSources(options).pipe(
    mergeMap(({ sources }) => {
      parts.pending.set(pendingOf(sources))
      return concat(
        ...[...running].map(([id, each]) =>
          endIfGone(
            sources.find((source) => source.id === id),
            each,
            parts,
          ),
        ),
        ...sources.map((source) => startIfChanged(source, parts)),
      )
    }),
  )
  return warned(set, notice$, 'The extensions cannot be looked at again')
}

/** A killed one ends; one whose content changed goes on as it was loaded, until a person trusts the new content. */
function endIfGone(
  now: ExtensionSource | undefined,
  { source, name }: Running,
  { set, running }: RunningParts,
): Observable<Notice> {
  if (now === undefined)
    return of(extensionNotice(`The files of the extension ${name} are gone; it runs until the session is closed`))
  if (mayRun(now)) return EMPTY
  if (now.digest !== source.digest && now.state === 'pending') {
    return of(
      extensionNotice(
        `The files of the extension ${name} changed; what runs is what you trusted. \`rxpi extensions trust ${name}\` loads the new ones`,
      ),
    )
  }
  running.delete(source.id)
  return set.unload(name, now.state === 'killed' ? 'killed' : 'unloaded')
}

function startIfChanged(source: ExtensionSource, parts: RunningParts): Observable<Notice> {
  const known = parts.running.get(source.id)
  if (!mayRun(source) || isSame(known?.source, source)) return EMPTY
  return startExtension(source, parts)
}

function isSame(before: ExtensionSource | undefined, now: ExtensionSource): boolean {
  return before?.digest === now.digest && before.isIsolated === now.isIsolated
}

/** Loads what runs anew, from its files as they are now; what a person does not trust any more stays as it was. Never fails. */
export function reloadExtensions(parts: Omit<RunningParts, 'pending'>): Observable<never> {
  const { set, running, options } = parts
  const isOn = (source: ExtensionSource): boolean => running.has(source.id) && mayRun(source)
  const own$ = concat(...(options.own ?? []).map((definition) => set.load(definition)))
  const found$ = findSources(options).pipe(
    mergeMap(({ sources }) => concat(...sources.filter(isOn).map((source) => startExtension(source, parts)))),
  )
  return warned(set, concat(own$, found$), 'The extensions cannot be loaded anew')
}

/** Notices and a failure are warnings of the session. */
function warned({ warn }: RunningParts['set'], notice$: Observable<Notice>, what: string): Observable<never> {
  return notice$.pipe(
    map(({ message }) => {
      warn(message)
    }),
    ignoreElements(),
    catchError((thrown: unknown) => {
      warn(`${what}: ${Failure.from(thrown).message}`)
      return EMPTY
    }),
  )
}
