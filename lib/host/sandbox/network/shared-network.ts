// Opens the network that sandboxed commands of a session share: a loopback, and no way out.
// Guarantees: two descriptors of this process hold it and no process does, so it ends with this process and its last
// command.
import { closeSync, openSync, readlinkSync } from 'node:fs'
import {
  catchError,
  concatMap,
  concatWith,
  defer,
  filter,
  finalize,
  map,
  NEVER,
  of,
  race,
  scan,
  Subject,
  takeLast,
  tap,
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../../streams/values/failure.ts'
import { findProgram } from '../../process/find-program.ts'
import type { ProcessEvent } from '../../process/process-event.ts'
import { spawnProcess } from '../../process/spawn-process.ts'

export interface SharedNetwork {
  /** A program and its arguments: they run the words after them in the network. */
  readonly enter: readonly [program: string, ...args: string[]]
}

const limitMs = 5_000
const env = { PATH: '/usr/bin:/bin:/run/current-system/sw/bin' }

/**
 * Emits the network and stays open; unsubscribing closes its descriptors, and commands that run in it keep it until
 * they end. Emits undefined if this machine cannot share one: nsenter is missing, or it may not enter. Never fails.
 */
export function openSharedNetwork(bubblewrap: string): Observable<SharedNetwork | undefined> {
  return defer(() => {
    const nsenter = findProgram('nsenter', { searchPath: undefined, workspace: '/nonexistent' })
    if (nsenter === undefined) return of(undefined)
    return openNamespaces(bubblewrap).pipe(
      concatMap(({ user, net }) => {
        const file = (descriptor: number): string => `/proc/${process.pid}/fd/${descriptor}`
        const options = ['--preserve-credentials', `--user=${file(user)}`, `--net=${file(net)}`, '--']
        const network: SharedNetwork = { enter: [nsenter, ...options] }
        return seesLoopbackAlone(network, bubblewrap).pipe(map((isSound) => (isSound ? network : undefined)))
      }),
    )
  }).pipe(
    catchError(() => of(undefined)), // the caller gives each command a network of its own
    concatWith(NEVER),
  )
}

interface Namespaces {
  readonly user: number
  readonly net: number
}

/** The user namespace owns the network, so that a command can be started in both without any right outside. */
function openNamespaces(bubblewrap: string): Observable<Namespaces> {
  return defer(() => {
    const opened$ = new Subject<void>()
    let opened: Namespaces | undefined
    const holder$ = spawnProcess({
      program: bubblewrap,
      args: [...holderOptions, '--', '/bin/sh', '-c', 'echo $$; exec sleep 10'],
      cwd: '/',
      env,
      isSupervisor: true,
      endWhen$: race(opened$, timer(limitMs)),
    })
    return holder$.pipe(
      tap((event) => {
        if (event.type !== 'output' || event.stream !== 'stdout' || opened !== undefined) return
        opened = openOf(event.text)
        opened$.next()
      }),
      takeLast(1), // it has ended
      map(() => {
        if (opened === undefined) throw new Failure('internal', `${bubblewrap} did not create a network`)
        return opened
      }),
      concatWith(NEVER),
      finalize(() => {
        if (opened === undefined) return
        closeSync(opened.user)
        closeSync(opened.net)
      }),
    )
  })
}

/** No new pid namespace: the shell prints the pid that it has here. */
const holderOptions: readonly string[] = [
  ...['--unshare-user', '--unshare-net', '--die-with-parent', '--cap-drop', 'ALL'],
  ...['--dev-bind', '/', '/'],
]

/** @throws Failure for a text that is not a pid; the system's error if the process has ended */
function openOf(text: string): Namespaces {
  const [, pid] = /^(\d+)\n$/.exec(text) ?? []
  if (pid === undefined) throw new Failure('internal', 'The process in the network printed no pid')
  const user = openSync(`/proc/${pid}/ns/user`, 'r')
  try {
    return { user, net: openSync(`/proc/${pid}/ns/net`, 'r') }
  } catch (thrown) {
    closeSync(user)
    throw thrown
  }
}

/** Starts a sandbox in the network, which finds there what a network without ways out has. */
function seesLoopbackAlone({ enter }: SharedNetwork, bubblewrap: string): Observable<boolean> {
  const [program, ...args] = enter
  const script = 'readlink /proc/self/ns/net; while read -r name _; do echo "net $name"; done < /proc/self/net/dev'
  const sandbox = [bubblewrap, '--unshare-user', '--die-with-parent', '--cap-drop', 'ALL', '--ro-bind', '/', '/', '--']
  const run = { program, args: [...args, ...sandbox, '/bin/sh', '-c', script], cwd: '/', env, isSupervisor: true }
  return spawnProcess({ ...run, endWhen$: timer(limitMs) }).pipe(
    scan(
      ({ stdout }, event: ProcessEvent) =>
        event.type === 'output'
          ? { stdout: event.stream === 'stdout' ? stdout + event.text : stdout, isEnd: false }
          : { stdout: event.exitCode === 0 ? stdout : '', isEnd: true },
      { stdout: '', isEnd: false },
    ),
    filter(({ isEnd }) => isEnd),
    map(({ stdout }) => {
      const cards = [...stdout.matchAll(/^net (\S+):/gm)].map(([, name]) => name)
      return !stdout.startsWith(`${readlinkSync('/proc/self/ns/net')}\n`) && cards.join(' ') === 'lo'
    }),
  )
}
