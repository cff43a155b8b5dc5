// Runs `rxpi serve`: the server in the foreground or background; a signal closes it in order.
import {
  EMPTY,
  NEVER,
  concat,
  defer,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  race,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { createMachineServer, endLeftProcesses, startKeys, watchProcess } from '../../lib/server/machine-server.ts'
import type { Server } from '../../lib/server/create-server.ts'
import { systemdSocket } from '../../lib/server/socket/systemd-socket.ts'
import { serve as serveAt } from '../../lib/server/serve.ts'
import type { ServerPlace } from '../../lib/server/connection/server-status.ts'
import { socketPath } from '../../lib/server/socket/socket-path.ts'
import { collectEarly } from '../process/collect-early.ts'
import { compileEarly } from '../process/compile-early.ts'
import { build } from '../process/build.ts'
import type { ServeInvocation } from '../cli/server-invocation.ts'
import { keepBuild } from '../process/keep-build.ts'
import { report } from '../process/progress.ts'
import { version } from '../process/version.ts'
import { takeStartEnvironment } from '../process/start-environment.ts'
import type { ProcessWorld } from '../process/world.ts'
import { runGateway, runProxy } from './serve-http.ts'

/**
 * Milliseconds after a signal until the process ends anyway; closing takes at most 5 s unless the machine is
 * overloaded.
 */
const closeLimit = 10_000

/** Emits the exit code when every session is closed, 0 also after a signal. Fails if it cannot listen. */
export function serve(
  { socket, extensions, idleExitMs, restAfterMs, proxy, http }: ServeInvocation,
  world: ProcessWorld,
): Observable<number> {
  return defer(() => {
    const { env, stderr } = world
    const startEnv = { ...env, ...takeStartEnvironment(env) }
    keepBuild(import.meta.filename)
    collectEarly()
    compileEarly()
    const path = socketPath({ env, requested: socket })
    const descriptor = systemdSocket(env)
    const starter = startedBy(env, descriptor)
    const server = createMachineServer({
      env,
      startEnv,
      version,
      build,
      coalesceReads: true,
      extensions,
      socket: path,
      startedBy: starter,
      idleExitMs,
      restAfterMs,
    })
    const startWorld = { ...world, env: startEnv }
    const proxy$ = proxy === undefined ? EMPTY : runProxy(proxy, startWorld).pipe(takeUntil(server.ended$))
    const gateway$ = http === undefined ? EMPTY : runGateway(server, http, startWorld)
    const serving$ = serveAt(server, { path, descriptor }).pipe(
      tap(() => {
        report(stderr, `listening at ${path} (process ${process.pid}); Ctrl-C or rxpi stop ends it`)
        reportKeys(startKeys(startEnv), starter, stderr)
        if (startEnv['NODE_OPTIONS']) report(stderr, unusedNodeOptions)
      }),
      mergeMap(() => merge(proxy$, gateway$)), // not before the socket is this server's
    )
    const orphans$ = reportOrphans(stderr).pipe(takeUntil(server.ended$))
    const served$ = concat(merge(serving$, orphans$, waitForEnd(server, world, idleExitMs)), of(0))
    return merge(served$, watchProcess()).pipe(take(1))
  })
}

const unusedNodeOptions =
  'NODE_OPTIONS does not reach a server; pass its options to Node: node OPTIONS bin/start.js serve'

/** Prints the providers whose keys the server took from the environment that it was started in; never a key. */
function reportKeys(
  providers: readonly string[],
  starter: ServerPlace['startedBy'],
  stderr: ProcessWorld['stderr'],
): void {
  if (providers.length === 0) return
  report(stderr, `keys: ${providers.join(', ')}, from this ${starter === 'socket' ? 'service' : 'shell'}`)
}

/** Milliseconds until the leftovers of killed servers are looked for: the first client comes first. */
const orphansAfterMs = 200

function reportOrphans(stderr: ProcessWorld['stderr']): Observable<never> {
  return timer(orphansAfterMs).pipe(
    map(endLeftProcesses),
    tap((names) => {
      if (names.length > 0) report(stderr, `ended what a killed server had left running: ${names.join(', ')}`)
    }),
    ignoreElements(),
  )
}

function startedBy(env: ProcessWorld['env'], descriptor: number | undefined): ServerPlace['startedBy'] {
  if (descriptor !== undefined) return 'socket'
  return env['RXPI_STARTED_BY'] === 'client' ? 'client' : 'person'
}

/** Completes when the server has ended, after a signal or an idle time. Fails if a session could not be closed. */
function waitForEnd(
  server: Server,
  { signals$, stderr }: ProcessWorld,
  idleExitMs: number | undefined,
): Observable<never> {
  const signalled$ = signals$.pipe(
    map((signal) => `${signal}: closing every session; a second signal ends the server at once`),
  )
  const quiet$ = idleExitMs === undefined ? NEVER : server.quiet(idleExitMs)
  const idle$ = quiet$.pipe(map(() => `the server was idle for ${(idleExitMs ?? 0) / 1_000} s`))
  const late$ = timer(closeLimit).pipe(
    tap(() => {
      report(stderr, `not every session could be closed within ${closeLimit / 1_000} s`)
      process.exit(1) // a resource keeps the process alive
    }),
    ignoreElements(),
  )
  return merge(signalled$, idle$).pipe(
    take(1),
    tap((reason) => {
      report(stderr, reason)
    }),
    mergeMap(() => race(server.close(), late$)),
    takeUntil(server.ended$),
  )
}
