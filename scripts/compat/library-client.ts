// Loads the client library of a build and follows one session with it: events and commands.
import path from 'node:path'
import { Subject, filter, firstValueFrom, lastValueFrom, startWith, timeout } from 'rxjs'
import type { ClientEvent, ReconnectingClient } from '../../lib/client.ts'
import type * as ServerEntry from '../../lib/server/index.ts'

export interface Follower {
  readonly client: ReconnectingClient
  readonly session: string
  /** Everything that `events$` has emitted. */
  readonly events: readonly ClientEvent[]
  /** Sends a command in the session and resolves with its result. */
  ask(command: { readonly type: string } & Record<string, unknown>, opId?: string): Promise<Record<string, unknown>>
  /** Resolves when an event of this type has arrived, counted from the event at index `from`. Rejects after 10 s. */
  until(type: string, from?: number): Promise<void>
  close(): void
}

export interface FollowOptions {
  readonly socket: string
  /** Fields of `new_session`, or an existing session. */
  readonly create?: Readonly<Record<string, unknown>>
  readonly session?: string
}

export async function follow(build: string, { socket, create, session: existing }: FollowOptions): Promise<Follower> {
  const library = (await import(path.join(build, 'dist/lib/server.js'))) as typeof ServerEntry
  const client = library.connect({ open: () => library.connectSocket(socket), baseDelayMs: 20, maxDelayMs: 100 })
  const request = async (command: object, opId?: string): Promise<Record<string, unknown>> => {
    const options = opId === undefined ? {} : { opId }
    const result$ = client.request(command as { type: 'ping' }, options).pipe(timeout(10_000))
    return await lastValueFrom(result$, { defaultValue: {} })
  }
  const session = existing ?? String((await request({ type: 'new_session', ...create }))['session'])
  const events: ClientEvent[] = []
  const more$ = new Subject<void>()
  client.events$(session, { after: 0 }).subscribe({
    next: (event) => {
      events.push(event)
      more$.next()
    },
    error: (error: unknown) => more$.error(error instanceof Error ? error : new Error(String(error))),
  })
  return {
    client,
    session,
    events,
    ask: ({ type, ...fields }, opId) => request({ type, session, ...fields }, opId),
    until: async (type, from = 0) => {
      const has = (): boolean => typesOf(events.slice(from)).includes(type)
      const found$ = more$.pipe(startWith(undefined), filter(has), timeout(10_000))
      await firstValueFrom(found$, { defaultValue: undefined })
    },
    close: () => client.close(),
  }
}

/** Type of the event; of the frame if it carries no event. */
export const typesOf = (events: readonly ClientEvent[]): string[] =>
  events.map((event) => (event.type === 'event' ? event.event.type : event.type))
