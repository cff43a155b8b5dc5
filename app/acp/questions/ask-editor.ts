// Asks the person at the editor a question of a session; emits the answer for the server.
import { RequestError } from '@agentclientprotocol/sdk'
import { EMPTY, catchError, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Peer } from '../wire/peer.ts'
import { elicitationFor } from './elicitation.ts'
import type { ElicitationFeatures } from './elicitation.ts'
import { permissionFor, refusalOf } from './permission.ts'
import type { Answer, Question } from './permission.ts'

export interface AskingOptions extends ElicitationFeatures {
  readonly peer: Pick<Peer, 'ask'>
  readonly sessionId: string
  /** Absolute folder of the session. */
  readonly cwd: string
}

/**
 * Emits one answer and completes: a refusal if the editor cannot show the question. Empty if the editor is gone: the
 * question stays open. Unsubscribing takes the question back.
 */
export function askEditor(question: Question, options: AskingOptions): Observable<Answer> {
  return answerOf(question, options).pipe(
    catchError((error: unknown) => (error instanceof RequestError ? of(cannotShow(question)) : EMPTY)),
  )
}

function answerOf(question: Question, { peer, sessionId, cwd, ...features }: AskingOptions): Observable<Answer> {
  const permission = permissionFor(question, sessionId, cwd)
  if (permission !== undefined)
    return peer
      .ask('session/request_permission', permission.request)
      .pipe(map(({ outcome }) => permission.answer(outcome.outcome === 'selected' ? outcome.optionId : undefined)))
  const elicitation = elicitationFor(question, sessionId, features)
  if (elicitation === undefined) return of(cannotShow(question))
  return peer.ask('elicitation/create', elicitation.request).pipe(map((response) => elicitation.answer(response)))
}

function cannotShow(question: Question): Answer {
  return refusalOf(question, 'The editor cannot show the question.')
}
