// Holds one connection to a server and reconnects when it is lost.
// It ends when it is closed or fails for good.
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

export interface ReconnectOptions extends BackOffOptions {
  /** Opens one connection for each call; the first value counts. The client closes it. */
  open(): ObservableInput<Transport>
  /** Failed attempts in a row after which it gives up. Default: no limit. */
  readonly attempts?: number
  /** Milliseconds within which the server must send `hello`. Default 10,000. */
  readonly greetsWithinMs?: number
  /**
   * Milliseconds between two `ping`s. If nothing at all is heard for as long after a ping, it reconnects. 0: none.
   * Default 30,000.
   */
  readonly heartbeatMs?: number
}

export interface Reconnection {
  readonly connection$: Behavior<ConnectionState>
  /** The client of the current connection and of each later one; completes with `close`, fails if it gives up. */
  readonly client$: Observable<Client>
  close(): void
}

/** Milliseconds after which a connection counts as stable and the attempts count from 1 again. */
const stableMs = 5_000

/**
 * @param onHello called for each connection before any other use; `restarted`: the server has another epoch than before
 */
export function reconnect(
  options: ReconnectOptions,
  onHello: (client: Client, restarted: boolean) => void,
): Reconnection {
  const { attempts = Infinity } = options
  const client$ = new BehaviorSubject<Client | undefined>(undefined)
  const state = behavior<ConnectionState>({ status: 'connecting' })
  let epoch: string | undefined
  let attempt = 0
  let connectedAt = Infinity

  const onConnected = ({ client, hello: { server } }: Connected): void => {
    const restarted = epoch !== undefined && epoch !== server.epoch
    epoch = server.epoch
    connectedAt = asyncScheduler.now()
    onHello(client, restarted)
    state.set({ status: 'connected', server, restarted })
    client$.next(client)
  }
  const retryDelay$ = (error: unknown): Observable<unknown> => {
    const failure = Failure.from(error, 'disconnected')
    if (asyncScheduler.now() - connectedAt >= stableMs) attempt = 0
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
  const subscription = connectWithHello(options)
    .pipe(retry({ delay: retryDelay$ }))
    .subscribe({ next: onConnected, error: end })
  return {
    connection$: state.behavior$,
    client$: client$.pipe(filter((client) => client !== undefined)),
    close: () => {
      if (state.behavior$.value.status === 'closed') return
      subscription.unsubscribe()
      end()
    },
  }
}

interface Connected {
  readonly client: Client
  readonly hello: HelloFrame
}

/** Opens one connection: emits when the server has sent `hello`, fails when the connection has ended. */
function connectWithHello({ open, greetsWithinMs, heartbeatMs = 30_000 }: ReconnectOptions): Observable<Connected> {
  return openTransport(open).pipe(
    take(1),
    throwIfEmpty(() => new Failure('disconnected', 'open() ended without a connection')),
    switchMap((transport) => {
      const client = connectOnce(transport, greetsWithinMs === undefined ? {} : { greetsWithinMs })
      const hello$ = client.hello$.pipe(map((hello) => ({ client, hello })))
      const ended$ = client.ended$.pipe(mergeMap((failure) => throwError(() => failure)))
      return merge(ended$, hello$, heartbeat(client, transport, heartbeatMs)).pipe(finalize(client.close))
    }),
  )
}

/** A promise cannot be cancelled: the transport of one that nothing waits for any more is closed when it comes. */
function openTransport(open: ReconnectOptions['open']): Observable<Transport> {
  return new Observable((subscriber) => {
    const opening$ = open()
    if (!isPromise(opening$)) return from(opening$).subscribe(subscriber)
    opening$.then(
      (transport) => {
        if (subscriber.closed) transport.close()
        subscriber.next(transport)
        subscriber.complete()
      },
      (error: unknown) => subscriber.error(error),
    )
    return undefined
  })
}

function isPromise(opening: ObservableInput<Transport>): opening is PromiseLike<Transport> {
  return 'then' in opening
}

/** The state of a client's connection. */
export type ConnectionState =
  | { readonly status: 'connecting' }
  | {
      readonly status: 'connected'
      readonly server: HelloFrame['server']
      /** Whether the server was restarted since this client's last connection: it has another `epoch`. */
      readonly restarted: boolean
    }
  | {
      readonly status: 'reconnecting'
      /** 1 after a stable connection; plus 1 for each attempt that fails or is lost soon. */
      readonly attempt: number
      /** Milliseconds until the attempt. */
      readonly delayMs: number
      readonly failure: Failure
    }
  | {
      readonly status: 'closed'
      /** Absent after `close()`. */
      readonly failure?: Failure
    }

export interface BackOffOptions {
  /** Milliseconds before the first attempt; doubles with each. Default 100. */
  readonly baseDelayMs?: number
  /** The longest delay, in milliseconds. Default 10,000. */
  readonly maxDelayMs?: number
  /** Returns 0 to 1: the part of the second half of the delay to wait. Default: random. */
  readonly jitter?: () => number
}

/** Returns the milliseconds before an attempt (from 1): exponential back-off, of which the second half is random. */
export function backOff(
  attempt: number,
  { baseDelayMs = 100, maxDelayMs = 10_000, jitter = Math.random }: BackOffOptions = {},
): number {
  const grown = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1))
  return Math.round(grown * (0.5 + 0.5 * jitter()))
}

/**
 * Detects a dead connection: sends a `ping` every `ms` milliseconds (below 2³¹; 0: never, and it completes), one at a
 * time. Never emits. Fails with `disconnected` if nothing at all is heard for as long after a ping: its answer can
 * follow a long line. Buffers nothing.
 */
function heartbeat(
  client: Pick<Client, 'request'>,
  { heard = () => 0 }: Pick<Transport, 'heard'>,
  ms: number,
): Observable<never> {
  if (ms === 0) return EMPTY
  const answered$ = client.request({ type: 'ping' }).pipe(
    catchError(() => of(undefined)), // a refusal is a sign of life too; `ended$` reports the end of the connection
  )
  return interval(ms).pipe(exhaustMap(() => failAfterSilence(heard, ms).pipe(takeUntil(answered$))))
}

/** Never emits; fails if nothing was heard for `ms` milliseconds. */
function failAfterSilence(heard: () => number, ms: number): Observable<never> {
  return defer(() => {
    let before = heard()
    return interval(ms).pipe(
      tap(() => {
        const now = heard()
        if (now === before) throw new Failure('disconnected', `The server sent nothing for ${ms} ms after a ping`)
        before = now
      }),
      ignoreElements(),
    )
  })
}
