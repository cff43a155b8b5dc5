// Holds the sessions that one editor drives.
import type { AvailableCommand, NewSessionResponse } from '@agentclientprotocol/sdk'
import { EMPTY, Subscription, catchError, map, mergeMap, tap, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { DrivenSession } from './driven-session.ts'

/** Sessions of one editor, and commands of one session. */
const limits = { sessions: 100, commands: 500 } as const

export class OpenSessions {
  readonly #client: Pick<ReconnectingClient, 'request'>
  readonly #driven = new Map<string, DrivenSession>()
  readonly #listing = new Subscription()

  constructor(client: Pick<ReconnectingClient, 'request'>) {
    this.#client = client
  }

  /** @throws Failure `unknown_session` */
  find(session: string): DrivenSession {
    const driven = this.#driven.get(session)
    if (driven !== undefined) return driven
    const message = `The session ${JSON.stringify(session.slice(0, 80))} is not open here; load or resume it first`
    throw new Failure('unknown_session', message, { data: { sessionId: session } })
  }

  /** Emits the response to the opening; the first updates follow it. Fails with `overloaded`. */
  add(opening$: Observable<DrivenSession>): Observable<NewSessionResponse> {
    if (this.#driven.size >= limits.sessions)
      throw new Failure('overloaded', `${limits.sessions} sessions are open here; close one`)
    return opening$.pipe(
      tap((driven) => {
        this.#driven.set(driven.id, driven)
        this.#greet(driven)
      }),
      map(({ id, settings }) => ({ sessionId: id, modes: settings.modes(), configOptions: settings.options() })),
    )
  }

  /** As `add`, for a session that may be open here: a client attaches to a session once. */
  reopen(session: string, opening$: Observable<DrivenSession>): Observable<NewSessionResponse> {
    this.leave(session)
    return this.add(opening$)
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
  #greet(driven: DrivenSession): void {
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
      })
    this.#listing.add(listing)
  }
}
