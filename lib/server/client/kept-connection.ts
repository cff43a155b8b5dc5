// One connection at a time to one server, made again whenever it is lost, until it is closed or cannot be made for a reason that stays.
import {
  BehaviorSubject,
  Observable,
  asyncScheduler,
  defer,
  filter,
  finalize,
  from,
  map,
  merge,
  mergeMap,
  retry,
  switchMap,
  take,
  throwError,
  throwIfEmpty,
  timer,
} from 'rxjs'
import type { ObservableInput } from 'rxjs'
import { behavior } from '../../streams/rx/behavior.ts'
import type { Behavior } from '../../streams/rx/behavior.ts'
import { Failure } from '../../streams/values/failure.ts'
import { backOff } from './back-off.ts'
import type { BackOffOptions } from './back-off.ts'
import { connect as connectOnce } from './client.ts'
import type { Client } from './client.ts'
import type { ConnectionState } from './connection-state.ts'
import type { HelloFrame } from '../protocol/frame.ts'
import { heartbeat } from './heartbeat.ts'
import type { Transport } from '../protocol/transport.ts'

export interface KeptConnectionOptions extends BackOffOptions {
  /** Makes one connection, each time it is called; the first value counts. It is closed by the client. */
  open(): ObservableInput<Transport>
  /** Attempts in a row that may fail before it gives up. Default: without end. */
  readonly attempts?: number
  /** Milliseconds that a server has for its greeting. Default 10,000. */
  readonly greetsWithinMs?: number
  /** Milliseconds between two `ping`s; one without answer, while nothing else is heard for as many, ends the connection, and the next is made. 0: none. Default 30,000. */
  readonly heartbeatMs?: number
}

export interface KeptConnection {
  readonly connection$: Behavior<ConnectionState>
  /** The client of each connection, from now; completes with `close`, fails where it is given up. */
  readonly client$: Observable<Client>
  close(): void
}

/** A connection that was cut sooner does not count as one that held, in milliseconds. */
const heldMs = 5_000

/** @param greeted told of each connection before anybody else uses it; `restarted`: to another epoch than before */
export function keptConnection(
  options: KeptConnectionOptions,
  greeted: (client: Client, restarted: boolean) => void,
): KeptConnection {
  const { attempts = Infinity } = options
  const client$ = new BehaviorSubject<Client | undefined>(undefined)
  const state = behavior<ConnectionState>({ status: 'connecting' })
  let epoch: string | undefined
  let attempt = 0
  let connectedAt = Infinity

  const up = ({ client, hello: { server } }: Greeted): void => {
    const restarted = epoch !== undefined && epoch !== server.epoch
    epoch = server.epoch
    connectedAt = asyncScheduler.now()
    greeted(client, restarted)
    state.set({ status: 'connected', server, restarted })
    client$.next(client)
  }
  const wait = (error: unknown): Observable<unknown> => {
    const failure = Failure.from(error, 'disconnected')
    if (asyncScheduler.now() - connectedAt >= heldMs) attempt = 0
    connectedAt = Infinity
    attempt += 1
    client$.next(undefined)
    if (!failure.recoverable || attempt > attempts) return throwError(() => failure)
    const delayMs = backOff(attempt, options)
    state.set({ status: 'reconnecting', attempt, delayMs, failure })
    return timer(delayMs)
  }
  const end = (failure?: Failure): void => {
    state.set({ status: 'closed', ...(failure === undefined ? {} : { failure }) })
    state.complete()
    if (failure === undefined) client$.complete()
    else client$.error(failure)
  }
  const lives = connected(options)
    .pipe(retry({ delay: wait }))
    .subscribe({ next: up, error: end })
  return {
    connection$: state.behavior$,
    client$: client$.pipe(filter((client) => client !== undefined)),
    close: () => {
      if (state.behavior$.value.status === 'closed') return
      lives.unsubscribe()
      end()
    },
  }
}

interface Greeted {
  readonly client: Client
  readonly hello: HelloFrame
}

/** One connection: emits when it is greeted, fails when it has ended. */
function connected({ open, greetsWithinMs, heartbeatMs = 30_000 }: KeptConnectionOptions): Observable<Greeted> {
  return defer(() => from(open())).pipe(
    take(1),
    throwIfEmpty(() => new Failure('disconnected', 'No connection was made')),
    switchMap((transport) => {
      const client = connectOnce(transport, greetsWithinMs === undefined ? {} : { greetsWithinMs })
      const hello$ = client.hello$.pipe(map((hello) => ({ client, hello })))
      const ended$ = client.ended$.pipe(mergeMap((failure) => throwError(() => failure)))
      return merge(ended$, hello$, heartbeat(client, transport, heartbeatMs)).pipe(finalize(client.close))
    }),
  )
}
