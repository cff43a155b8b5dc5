// Implements the Sandbox port of a session over `createSandbox`, from the first call to the close.
import {
  defer,
  EMPTY,
  from,
  map,
  of,
  ReplaySubject,
  share,
  Subject,
  Subscription,
  switchMap,
  takeUntil,
  tap,
  throwIfEmpty,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { ConfinedFailure, PathFence, RefusedConnection, SessionSandbox } from '../../../streams/ports/sandbox.ts'
import { resolvePath } from '../../files/resolve-path.ts'
import { shareOnce } from '../../../streams/rx/share-once.ts'
import { Failure } from '../../../streams/values/failure.ts'
import type { Sandbox, SandboxSettings, SandboxSurroundings } from './create-sandbox.ts'
import { exchangeGate } from './exchange-gate.ts'
import { explainFailure } from './explain-failure.ts'

export interface SessionSandboxOptions {
  readonly settings: SandboxSettings
  readonly surroundings: SandboxSurroundings
  /** Closes the sandbox: its proxy and its temporary folder. */
  readonly end$: Observable<unknown>
}

/** Of all sessions of the process: several have the same folder. */
const gate = exchangeGate()

/** Calls that run at the same time are far fewer. */
const maxPermissions = 1_000

/** Does nothing until `ready$` is subscribed. A failure to prepare it is tried again with the next subscription. */
export function createSessionSandbox({ settings, surroundings, end$ }: SessionSandboxOptions): SessionSandbox {
  const refused$ = new Subject<RefusedConnection>()
  const permissions = new Map<string, string>()
  const registries$ = registriesOf(surroundings)
  let open: Sandbox | undefined
  const remember = (sandbox: Sandbox): void => {
    open = sandbox
    sandbox.networkRefusals$.pipe(takeUntil(end$)).subscribe((refusal) => refused$.next(refusal))
  }
  const open$ = defer(() => from(import('./create-sandbox.ts'))).pipe(
    switchMap(({ createSandbox }) => createSandbox(settings, surroundings)),
    tap(remember),
    takeUntil(end$),
    share({ connector: () => new ReplaySubject(1), resetOnComplete: false, resetOnRefCountZero: false }),
  )
  const required = (): Sandbox => {
    if (open === undefined) throw new Failure('internal', 'The sandbox of the session is not ready')
    return open
  }
  return {
    get profile() {
      return open?.profile
    },
    get problem() {
      return open?.problem
    },
    ready$: defer(() => (open === undefined ? open$ : of(open))).pipe(
      map(() => undefined),
      throwIfEmpty(() => new Failure('internal', 'The session is closing')),
    ),
    confines: ({ sandboxed = false }, args) =>
      sandboxed && open?.profile !== undefined && args['escalate'] === undefined,
    get insideFolders() {
      return open?.insideFolders ?? []
    },
    get fence() {
      return required().fence
    },
    fenceOf: (toolCallId) => withPermission(required().fence, permissions.get(toolCallId)),
    outsideTarget: (file, cwd) => outsideTarget(required(), resolvePath(file, cwd)),
    permit: (toolCallId, real) => {
      if (permissions.size >= maxPermissions) permissions.clear() // of calls that ended long ago
      permissions.set(toolCallId, real)
    },
    forbid: (toolCallId) => void permissions.delete(toolCallId),
    ...gatedParts(required),
    refusedConnections$: refused$.asObservable(),
    explain: (failure) => defer(() => explain(required(), settings, { failure, registries$ })),
  }
}

/** Without a sandbox, programs and exchanges do not wait for each other. */
function gatedParts(required: () => Sandbox): Pick<SessionSandbox, 'spawn' | 'exchange'> {
  return {
    exchange: () => (required().profile === undefined ? Subscription.EMPTY : gate.begin()),
    spawn: (program) =>
      defer(() => {
        const sandbox = required()
        return sandbox.profile === undefined ? sandbox.spawn(program) : gate.program$(sandbox.spawn(program))
      }),
  }
}

/** The target outside that a decision can permit; undefined in `read-only`, which no decision opens. */
function outsideTarget({ profile, fence }: Sandbox, file: string): string | undefined {
  if (profile === 'read-only') return undefined
  const decision = fence.check(file, 'write')
  return !decision.allowed && decision.reason === 'outside' ? decision.path : undefined
}

/** A write to exactly this real path passes, if nothing but its place was against it. */
function withPermission(fence: PathFence, permitted: string | undefined): PathFence {
  if (permitted === undefined) return fence
  const widen = (decision: ReturnType<PathFence['check']>): ReturnType<PathFence['check']> =>
    !decision.allowed && decision.reason === 'outside' && decision.path === permitted
      ? { allowed: true, path: permitted, zone: 'outside', asks: false }
      : decision
  return {
    check: (file, access) => widen(fence.check(file, access)),
    checkReal: (real, access) => widen(fence.checkReal(real, access)),
  }
}

/** Asks the user's package managers with the first subscription, once. */
function registriesOf(surroundings: SandboxSurroundings): Observable<readonly string[]> {
  return defer(() => from(import('../network/package-registries.ts'))).pipe(
    switchMap(({ packageRegistries }) => packageRegistries(surroundings)),
    shareOnce(),
  )
}

interface Explained {
  readonly failure: ConfinedFailure
  readonly registries$: Observable<readonly string[]>
}

function explain(
  { profile, ...sandbox }: Sandbox,
  { network }: SandboxSettings,
  { failure, registries$ }: Explained,
): Observable<string> {
  return profile === undefined
    ? EMPTY
    : explainFailure(failure, {
        profile,
        sharesNetwork: sandbox.sharesNetwork(),
        allow: network?.allow ?? [],
        registries$,
      })
}
