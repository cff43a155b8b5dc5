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
  EMPTY,
  catchError,
  exhaustMap,
  ignoreElements,
  interval,
  of,
  takeUntil,
  tap,
} from 'rxjs'
import type { ObservableInput } from 'rxjs'
import { behavior } from '../../streams/rx/behavior.ts'
import type { Behavior } from '../../streams/rx/behavior.ts'
import { Failure } from '../../streams/values/failure.ts'
import { connect as connectOnce } from './client.ts'
import type { Client } from './client.ts'
import type { HelloFrame } from '../protocol/frame.ts'
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

// How a client stands with its server, at any time.

export type ConnectionState =
  | { readonly status: 'connecting' }
  | {
      readonly status: 'connected'
      readonly server: HelloFrame['server']
      /** This client was connected before, and the server has been started anew since: another `epoch`. */
      readonly restarted: boolean
    }
  | {
      readonly status: 'reconnecting'
      /** 1 at the first try after a connection that held, counted up by each that fails or is cut soon. */
      readonly attempt: number
      /** Milliseconds from the failure to the attempt. */
      readonly delayMs: number
      readonly failure: Failure
    }
  | {
      readonly status: 'closed'
      /** Why, where it was not closed by `close()`. */
      readonly failure?: Failure
    }

// Who is cut off comes back soon, then less and less often, and never all at the same moment.

export interface BackOffOptions {
  /** Milliseconds before the first attempt; doubled with each. Default 100. */
  readonly baseDelayMs?: number
  /** The most that it grows to, in milliseconds. Default 10,000. */
  readonly maxDelayMs?: number
  /** 0 to 1: which part of the second half of the delay is waited. Default: random. */
  readonly jitter?: () => number
}

/** The whole milliseconds before an attempt (from 1): between half of what it has grown to and all of it. */
export function backOff(
  attempt: number,
  { baseDelayMs = 100, maxDelayMs = 10_000, jitter = Math.random }: BackOffOptions = {},
): number {
  const grown = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1))
  return Math.round(grown * (0.5 + 0.5 * jitter()))
}

// A connection whose other end says nothing any more is noticed: it is asked for a sign of life now and then.

/**
 * Sends a `ping` every `ms` milliseconds (below 2³¹; 0: never, and it completes), one at a time. Never emits; fails with
 * `disconnected` where one is not answered and nothing at all has been heard for as many: an answer may stand behind a line
 * that takes long. Buffers nothing.
 */
function heartbeat(
  client: Pick<Client, 'request'>,
  { heard = () => 0 }: Pick<Transport, 'heard'>,
  ms: number,
): Observable<never> {
  if (ms === 0) return EMPTY
  const answered$ = client.request({ type: 'ping' }).pipe(
    catchError(() => of(undefined)), // also a refusal is a sign of life; why the connection ended is told elsewhere
  )
  return interval(ms).pipe(exhaustMap(() => silence(heard, ms).pipe(takeUntil(answered$))))
}

/** Never emits; fails where as much has been heard as `ms` ago. */
function silence(heard: () => number, ms: number): Observable<never> {
  return defer(() => {
    let before = heard()
    return interval(ms).pipe(
      tap(() => {
        const now = heard()
        if (now === before) throw new Failure('disconnected', `The server said nothing for ${ms} ms, asked for a ping`)
        before = now
      }),
      ignoreElements(),
    )
  })
}
