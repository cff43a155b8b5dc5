// Runs `rxpi status`: prints the running server as text or as one JSON document.
import { catchError, defer, map, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { findUnlinkedServer } from '../../lib/server/socket/probe-server.ts'
import { socketPath } from '../../lib/server/socket/socket-path.ts'
import type { ResultOf } from '../../lib/streams/commands/command.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import type { StatusInvocation } from '../cli/server-invocation.ts'
import { reachServer } from '../connect/reach-server.ts'
import type { ProcessWorld } from '../process/world.ts'

type Status = ResultOf<'server_status'>

/** Time limit of the server's response, in milliseconds. */
const responseTimeoutMs = 5_000

/** Emits the exit code: 1 if no server runs. */
export function status({ socket, json }: StatusInvocation, { env, stdout }: ProcessWorld): Observable<number> {
  return defer(() => {
    const path = socketPath({ env, requested: socket })
    return reachServer(path, (client) =>
      client.request({ type: 'server_status' }, { timeoutMs: responseTimeoutMs }),
    ).pipe(
      map((found) => {
        if (json) stdout.json(JSON.stringify({ running: true, socket: path, ...found }))
        else stdout.text(statusText({ socket: path, ...found })) // a server in a program may not know its socket
        return 0
      }),
      catchError((error: unknown) => {
        if (Failure.from(error).code !== 'no_server') return throwError(() => Failure.from(error))
        const hidden = findUnlinkedServer(path)
        if (json) stdout.json(JSON.stringify({ running: false, socket: path, ...hidden?.data }))
        else stdout.text(`${hidden?.message ?? `No server runs at ${path}`}\n`)
        return of(1)
      }),
    )
  })
}

function statusText(found: Status & { readonly socket: string }): string {
  const { pid, version, uptimeMs, socket, http, startedBy, idleExitMs, clients, sessions, memory } = found
  const idle = idleExitMs === undefined ? [] : [['ends', `after ${duration(idleExitMs)} without client and run`]]
  const rows = [
    [
      'process',
      `${pid}, version ${version}, for ${duration(uptimeMs)}${startedBy === undefined ? '' : startTexts[startedBy]}`,
    ],
    ['socket', socket],
    ...(http === undefined ? [] : [['gateway', http]]),
    ['sessions', `${sessions.open} open, ${sessions.running} running`],
    ['clients', `${clients - 1} besides this command`],
    [
      'memory',
      `${Math.round(memory.rssBytes / 1_048_576)} MiB, ${Math.round(memory.heapUsedBytes / 1_048_576)} of it used heap`,
    ],
    ...idle,
  ]
  return rows.map(([name = '', text = '']) => `${name.padEnd(9)} ${text}\n`).join('')
}

const startTexts: Readonly<Record<NonNullable<Status['startedBy']>, string>> = {
  person: '',
  client: ', started by a client',
  socket: ', started by its socket',
}

/** Formats a time in its largest unit. */
function duration(ms: number): string {
  const units = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
  ] as const
  const [size, name] = units.find(([each]) => ms >= each) ?? [1_000, 's']
  return `${Math.floor(ms / size)} ${name}`
}
