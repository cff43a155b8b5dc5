// Asks a person whether the session may enter a phase, by the form that its clients can show.
import { defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { UiRequests } from '../questions/ui-requests.ts'

export interface PhaseQuestion {
  /** Names who asks, and the effect of a yes. */
  readonly text: string
  readonly reason: string
}

/** Emits once: false after a refusal, undefined if no client can answer or the last one leaves. Unsubscribing withdraws it. */
export function askAboutPhase(
  question: PhaseQuestion,
  requests: Pick<UiRequests, 'ask' | 'askQuestion' | 'form'>,
): Observable<boolean | undefined> {
  return defer((): Observable<boolean | undefined> => {
    const form = requests.form()
    if (form === undefined) return of(undefined)
    const shown = { source: 'core', ...question }
    if (form === 'ui_request')
      return requests.ask({ kind: 'confirm', ...shown }).pipe(map(({ outcome, by }) => answerOf(by, outcome === true)))
    return requests
      .askQuestion({ kind: 'phase', ...shown, choices: ['stay', 'enter'], default: { choice: 'stay' } })
      .pipe(map(({ outcome, by }) => answerOf(by, outcome.choice === 'enter')))
  })
}

function answerOf(by: string, isYes: boolean): boolean | undefined {
  return by === 'client' ? isYes : undefined
}
