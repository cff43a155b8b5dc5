// Holds the sessions that one editor drives.
import { RequestError } from '@agentclientprotocol/sdk'
import type { AvailableCommand, NewSessionResponse } from '@agentclientprotocol/sdk'
import {
  AsyncSubject,
  EMPTY,
  Subscription,
  catchError,
  concat,
  defer,
  finalize,
  ignoreElements,
  map,
  mergeMap,
  of,
  tap,
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { askTrust } from '../questions/trust-question.ts'
import type { TrustOptions } from '../questions/trust-question.ts'
import type { DrivenSession } from './driven-session.ts'

/** Sessions of one editor, and commands of one session. */
const limits = { sessions: 100, commands: 500 } as const

/** Opens a session again after an answer about trust. */
export interface TrustContext extends Omit<TrustOptions, 'client' | 'sessionId' | 'cwd'> {
  reopen(session: string): Observable<DrivenSession>
}

export class OpenSessions {
  readonly #client: Pick<ReconnectingClient, 'request'>
  readonly #driven = new Map<string, DrivenSession>()
  readonly #listing = new Subscription()
  readonly #reopening = new Map<string, AsyncSubject<never>>()
  /** Folders whose question about trust was shown. */
  readonly #trustShown = new Set<string>()

  constructor(client: Pick<ReconnectingClient, 'request'>) {
    this.#client = client
  }

  /** @throws Failure `unknown_session` */
  find(session: string): DrivenSession {
    const driven = this.#driven.get(session)
    if (driven !== undefined) return driven
    if (this.#reopening.has(session)) throw new Failure('busy', `The session ${session} opens again; try again`)
    const message = `The session ${JSON.stringify(session.slice(0, 80))} is not open here; load or resume it first`
    throw new Failure('unknown_session', message, { data: { sessionId: session } })
  }

  /** Emits a session that is open here, at once or when it is open again. Fails with `unknown_session`. */
  whenOpen(session: string): Observable<DrivenSession> {
    const open$ = defer(() => of(this.find(session)))
    return concat(this.#reopening.get(session) ?? EMPTY, open$)
  }

  /** Emits the response to the opening; the first updates follow it. Fails with `overloaded`. */
  add(opening$: Observable<DrivenSession>, trust: TrustContext): Observable<NewSessionResponse> {
    if (this.#driven.size >= limits.sessions)
      throw new Failure('overloaded', `${limits.sessions} sessions are open here; close one`)
    return opening$.pipe(
      tap((driven) => {
        this.#driven.set(driven.id, driven)
        this.#greet(driven, trust)
      }),
      map(({ id, settings }) => ({ sessionId: id, modes: settings.modes(), configOptions: settings.options() })),
    )
  }

  /** As `add`, for a session that may be open here: a client attaches to a session once. */
  reopen(session: string, opening$: Observable<DrivenSession>, trust: TrustContext): Observable<NewSessionResponse> {
    this.leave(session)
    return this.add(opening$, trust)
  }

  /** Sends no more updates of a session; it goes on in the server. */
  leave(session: string): void {
    this.#driven.get(session)?.close()
    this.#driven.delete(session)
  }

  close(): void {
    this.#listing.unsubscribe()
    for (const session of [...this.#driven.keys()]) this.leave(session)
  }

  /** In a later task, so that the editor has the response. */
  #greet(driven: DrivenSession, trust: TrustContext): void {
    const listing = timer(0)
      .pipe(
        mergeMap(() => this.#client.request({ type: 'list_commands', session: driven.id })),
        catchError(() => EMPTY), // the session has ended
      )
      .subscribe(({ commands }) => {
        const availableCommands = commands
          .slice(0, limits.commands)
          .map(({ name, description, argument }): AvailableCommand => ({
            ...{ name, description },
            ...(argument === undefined ? {} : { input: { hint: argument } }),
          }))
        driven.greet(availableCommands)
        if (driven.isUntrusted) this.#askTrust(driven, trust)
      })
    this.#listing.add(listing)
  }

  /** Once for each folder. After a yes, a session that does nothing opens again, so that the files count in it. */
  #askTrust(driven: DrivenSession, { reopen, ...trust }: TrustContext): void {
    const { id: sessionId, cwd } = driven
    if (this.#trustShown.has(cwd)) return
    this.#trustShown.add(cwd)
    const answering$ = askTrust({ ...trust, client: this.#client, sessionId, cwd }).pipe(
      mergeMap(() => {
        if (driven.isBusy || this.#driven.get(sessionId) !== driven) {
          driven.say('The files of the folder count when the session is opened again, and in new sessions.\n')
          return EMPTY
        }
        return this.#openAgain(sessionId, reopen)
      }),
      catchError((error: unknown) => {
        // an editor that shows no question has no answer
        if (!(error instanceof RequestError)) driven.say(`The folder is not trusted: ${Failure.from(error).message}\n`)
        return EMPTY
      }),
    )
    this.#listing.add(answering$.subscribe())
  }

  #openAgain(session: string, reopen: TrustContext['reopen']): Observable<unknown> {
    this.leave(session)
    const reopened$ = new AsyncSubject<never>()
    this.#reopening.set(session, reopened$)
    const closed$ = this.#client.request({ type: 'close_session', session }).pipe(
      ignoreElements(),
      catchError(() => EMPTY), // it is in use elsewhere, and stays as it is
    )
    return concat(closed$, reopen(session)).pipe(
      tap((again) => {
        this.#driven.set(session, again)
        again.send([{ sessionUpdate: 'config_option_update', configOptions: again.settings.options() }])
        const words = again.isUntrusted ? 'count when the session is opened again' : 'count in this session'
        again.say(`The files of the folder ${words}.\n`)
      }),
      finalize(() => {
        this.#reopening.delete(session)
        reopened$.complete()
      }),
    )
  }
}
