// Runs the commands of a session in one network, which the first of them opens.
import {
  catchError,
  concatMap,
  defer,
  map,
  of,
  ReplaySubject,
  share,
  switchMap,
  take,
  takeUntil,
  tap,
  throwIfEmpty,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../../streams/values/failure.ts'
import { openSharedNetwork } from '../network/shared-network.ts'
import { openForwarder } from '../proxy-forwarder.ts'
import type { SandboxProfile, SandboxProgram, SessionNetwork } from '../sandbox-profile.ts'
import { spawnInside } from '../spawn-inside.ts'
import type { InsideOptions, SandboxedEvent } from '../spawn-inside.ts'

export interface SessionNetworkOptions {
  readonly profile: SandboxProfile
  readonly program: SandboxProgram
  /** Closes the network; emits at once if that has been. */
  readonly end$: Observable<unknown>
}

export interface NetworkedSpawn {
  /** As `spawnInside`. */
  spawn(options: InsideOptions): Observable<SandboxedEvent>
  /** True if the last command that started shares its network. */
  sharesNetwork(): boolean
}

export function spawnInNetwork(options: SessionNetworkOptions): NetworkedSpawn {
  const { profile, program } = options
  const network$ = sessionNetwork(options)
  let isShared = false
  return {
    sharesNetwork: () => isShared,
    spawn: (command) =>
      network$.pipe(
        tap((network) => (isShared = network !== undefined)),
        concatMap((network) => spawnInside({ ...profile, ...(network && { network }) }, command, program)),
      ),
  }
}

/**
 * Emits the network once for each subscription, and completes; the first subscription opens it. Undefined: the command
 * gets a network of its own, because the machine cannot share one or the forwarder did not start. A forwarder that has
 * ended is started again. Fails with a Failure after `end$`.
 */
function sessionNetwork({ profile, program, end$ }: SessionNetworkOptions): Observable<SessionNetwork | undefined> {
  if (program.kind !== 'bubblewrap') return of(undefined)
  const { proxySocket: socket } = profile
  const bubblewrap = program.program
  const sharing = { connector: () => new ReplaySubject<SessionNetwork | undefined>(1), resetOnRefCountZero: false }
  const shared$ = defer(() => openSharedNetwork(bubblewrap)).pipe(takeUntil(end$), share(sharing))
  const forwarded$ = shared$.pipe(
    take(1),
    switchMap((network) =>
      network === undefined || socket === undefined
        ? of(network)
        : openForwarder({ network, bubblewrap, socket }).pipe(
            map((proxyPort): SessionNetwork => ({ ...network, proxyPort })),
            throwIfEmpty(() => new Failure('internal', 'The forwarder to the proxy did not start')),
          ),
    ),
    catchError(() => of(undefined)), // tried again with the next command
    takeUntil(end$),
    share(sharing),
  )
  return forwarded$.pipe(
    take(1),
    throwIfEmpty(() => new Failure('internal', 'The session is closing')),
  )
}
