// Asks a person about the pending extensions of an open session, and stores the answers.
// Guarantees: one question at a time; only the answer of a client decides, about the content that the question names.
import {
  EMPTY,
  catchError,
  concat,
  concatMap,
  defaultIfEmpty,
  defer,
  delay,
  exhaustMap,
  filter,
  ignoreElements,
  map,
  merge,
  of,
  skip,
  take,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { declaredCapabilities, trustState } from '../../extensions/index.ts'
import type { ExtensionSource } from '../../extensions/index.ts'
import { personName } from '../../host/process/person-name.ts'
import type { ExtensionTrustState } from '../../streams/config/extension-trust-schema.ts'
import type { Question } from '../../streams/ports/ask.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { RunningParts } from './run-extension.ts'

const answers = {
  'Not now': 'pending',
  'Trust this content': 'trusted',
  'Run it, and write down what it uses': 'acknowledged',
  'Never: kill it': 'killed',
} as const satisfies Readonly<Record<string, ExtensionTrustState>>

/**
 * Asks while a client can answer, and again for each client that comes until a person answers; 'Not now' holds for this
 * session and this content. Never emits and never fails: what goes wrong is a warning of the session.
 */
export function askAboutPending(parts: RunningParts): Observable<never> {
  const { set, pending } = parts
  const settled = new Set<string>()
  const next = (): ExtensionSource | undefined => pending.behavior$.value.find((each) => !settled.has(keyOf(each)))
  const askAll$: Observable<never> = defer(() => {
    const source = next()
    if (source === undefined) return EMPTY
    return askAbout(source, parts).pipe(
      concatMap(() => {
        settled.add(keyOf(source))
        return askAll$
      }),
    )
  })
  const changed$ = pending.behavior$.pipe(
    skip(1),
    filter(() => set.people?.isAttended() === true),
  )
  return defer(() => merge(set.people?.attended$ ?? EMPTY, changed$)).pipe(
    delay(0), // the client reads the session's events by then
    exhaustMap(() => askAll$),
  )
}

function keyOf({ id, digest }: ExtensionSource): string {
  return `${id} ${digest}`
}

/** Emits once a person has answered, here or elsewhere, and the answer is stored; completes without, if no client can. */
function askAbout(source: ExtensionSource, { set, options: { trust } }: RunningParts): Observable<boolean> {
  const { id, name, digest } = source
  const elsewhere$ = trust.changes$.pipe(
    filter((records) => trustState(records.get(id), digest) !== 'pending'),
    map(() => true),
  )
  const stored$ = (next: ExtensionTrustState, client: string | undefined): Observable<boolean> => {
    const change = { id, name, digest, next, reason: 'the question of a session', operator: personName(client) }
    return concat(trust.set(change).pipe(ignoreElements()), of(true))
  }
  const answered$ = defer(() => set.people?.ask(questionAbout(source, trust.records().has(id))) ?? EMPTY).pipe(
    concatMap(({ outcome, by, client }) => {
      if (by !== 'client') return EMPTY
      const next = stateOf(outcome)
      return next === 'pending' ? of(true) : stored$(next, client)
    }),
    catchError((thrown: unknown) => {
      set.warn(`The extension ${name} was not decided about: ${Failure.from(thrown).message}`)
      return of(true)
    }),
    defaultIfEmpty(false),
  )
  return merge(elsewhere$, answered$).pipe(
    take(1),
    filter((isSettled) => isSettled),
  )
}

function stateOf(outcome: unknown): ExtensionTrustState {
  const known: Readonly<Record<string, ExtensionTrustState>> = answers
  return typeof outcome === 'string' && Object.hasOwn(known, outcome) ? (known[outcome] ?? 'pending') : 'pending'
}

/** @throws Error of the system */
function questionAbout({ name, root, entry, origin, digest, isPi }: ExtensionSource, isKnown: boolean): Question {
  const lines = [
    `May the extension ${JSON.stringify(name)} run? It runs inside rxpi, with your rights: read it first.`,
    `${JSON.stringify(root)} (${origin}; ${isKnown ? 'changed since you decided about it' : 'you have not decided about it'})`,
    isPi ? 'It is written for pi, and may use every capability.' : usesLine(declaredCapabilities(entry)),
    `SHA-256 ${digest}`,
  ]
  return { kind: 'select', text: lines.join('\n'), options: Object.keys(answers) }
}

function usesLine(named: readonly string[] | undefined): string {
  if (named === undefined || named.length === 0) return 'It names no capability.'
  return `Capabilities that it names: ${named.join(', ')}.`
}
