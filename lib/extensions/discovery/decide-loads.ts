// Decides which extensions a session loads: by their trust, or by asking a person.
// Guarantees: nothing is loaded that is not trusted or acknowledged; each answer is stored and audited first.
import { catchError, concatMap, defer, from, map, of, reduce } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ExtensionTrustState } from '../../streams/config/extension-trust-schema.ts'
import type { Ask, Question } from '../../streams/ports/ask.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import type { ExtensionTrust } from '../trust/extension-trust.ts'
import type { ExtensionSource } from './extension-source.ts'

/** A line for people. */
export interface LoadNotice {
  readonly code: 'extension_untrusted'
  readonly message: string
}

export type LoadDecision =
  /** `isMonitored`: each use of a capability is audited. */
  | { readonly action: 'load'; readonly isMonitored: boolean }
  | { readonly action: 'ask'; readonly question: Question }
  /** Without a notice if a person decided so. */
  | { readonly action: 'refuse'; readonly notice?: LoadNotice }

/** @param canAsk true if a client can answer a question */
export function decideLoad(source: ExtensionSource, canAsk: boolean): LoadDecision {
  switch (source.state) {
    case 'trusted':
      return { action: 'load', isMonitored: false }
    case 'acknowledged':
      return { action: 'load', isMonitored: true }
    case 'killed':
      return { action: 'refuse' }
    case 'pending':
      return canAsk ? { action: 'ask', question: loadQuestion(source) } : { action: 'refuse', notice: refusal(source) }
  }
}

const answers = {
  'Not now': 'pending',
  'Trust this content': 'trusted',
  'Run it, and write down each use of a capability': 'acknowledged',
  'Never: kill it': 'killed',
} as const satisfies Readonly<Record<string, ExtensionTrustState>>

function loadQuestion({ name, origin, root, digest, isPi }: ExtensionSource): Question {
  const kind = isPi ? 'extension of pi' : 'extension'
  const text = `May the ${kind} "${name}" run, with your rights?\n${root} (${origin})\nSHA-256 ${digest}`
  return { kind: 'select', text, options: Object.keys(answers) }
}

function refusal({ name, root }: ExtensionSource): LoadNotice {
  const message = `The extension ${name} was not loaded: nobody decided about its content. rxpi extensions trust ${name} lets it run; ${root}`
  return { code: 'extension_untrusted', message: message.replaceAll(/[\r\n]+/g, ' ') }
}

/** The state that an answer to the question means; `pending` for no answer. */
export function answeredState(outcome: unknown): ExtensionTrustState {
  return typeof outcome === 'string' && isAnswer(outcome) ? answers[outcome] : 'pending'
}

function isAnswer(text: string): text is keyof typeof answers {
  return Object.hasOwn(answers, text)
}

export interface DecideLoadsOptions {
  readonly trust: ExtensionTrust
  /** Asks a person; absent if no client can answer. */
  readonly ask?: Ask | undefined
  /** For the audit. */
  readonly sessionId: string
}

export interface Loads {
  readonly sources: readonly (ExtensionSource & { readonly isMonitored: boolean })[]
  readonly notices: readonly LoadNotice[]
}

/**
 * Asks about one after another, stores the answers, and emits once what may be loaded. Never fails: if a decision
 * cannot be stored, or a load cannot be audited, the extension is not loaded, and a notice says why. Unsubscribing ends
 * the questions.
 */
export function decideLoads(sources: readonly ExtensionSource[], options: DecideLoadsOptions): Observable<Loads> {
  return from(sources).pipe(
    concatMap((source) =>
      defer(() => decideOne(source, options)).pipe(
        catchError((error: unknown) => of({ sources: [], notices: [failedLoad(source, error)] })),
      ),
    ),
    reduce(
      (all: Loads, { sources: more, notices }) => ({
        sources: [...all.sources, ...more],
        notices: [...all.notices, ...notices],
      }),
      nothing,
    ),
  )
}

const nothing: Loads = { sources: [], notices: [] }

function decideOne(source: ExtensionSource, options: DecideLoadsOptions): Observable<Loads> {
  const { ask, trust } = options
  const decision = decideLoad(source, ask !== undefined)
  if (decision.action === 'load') return of(load(source, decision.isMonitored, options))
  if (decision.action === 'refuse' || ask === undefined)
    return of('notice' in decision ? { ...nothing, notices: [decision.notice] } : nothing)
  return ask(decision.question).pipe(
    concatMap(({ outcome, by }) => {
      const next = answeredState(outcome)
      if (next === 'pending') return of({ ...nothing, notices: by === 'client' ? [] : [refusal(source)] })
      const { id, name, digest } = source
      const reason = 'the question before its first load'
      return trust
        .set({ id, name, digest, next, reason, operator: by })
        .pipe(map(() => decideAgain({ ...source, state: next }, options)))
    }),
  )
}

function decideAgain(source: ExtensionSource, options: DecideLoadsOptions): Loads {
  const decision = decideLoad(source, false)
  return decision.action === 'load' ? load(source, decision.isMonitored, options) : nothing
}

function load(source: ExtensionSource, isMonitored: boolean, { trust, sessionId }: DecideLoadsOptions): Loads {
  const { id, name, digest } = source
  if (isMonitored) trust.audit({ id, name, digest, capability: 'load', session: sessionId })
  return { sources: [{ ...source, isMonitored }], notices: [] }
}

function failedLoad({ name }: ExtensionSource, error: unknown): LoadNotice {
  return { code: 'extension_untrusted', message: `The extension ${name} was not loaded: ${describeThrown(error)}` }
}
