// A listening socket is private from its first moment on, and gone, with its lock, when nobody is subscribed to it any more.
import { chmodSync, lstatSync, renameSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { Observable, Subject, defer, mergeMap } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import { checkSocketFolder } from './check-socket.ts'
import { checkSocket } from './check-socket.ts'
import { claimSocket } from './claim-socket.ts'
import { socketPath } from './socket-path.ts'
import { isHandedElsewhere } from './systemd-socket.ts'

export interface ListenOptions {
  /** As `socketPath` finds it. */
  readonly path: string
  /** Of a socket that is bound to `path` and listens already, given to this process by who started it. Default: none. */
  readonly descriptor?: number | undefined
}

export interface Listener {
  /** Where it can be reached. */
  readonly path: string
  /** Hot; a connection that comes while nobody is subscribed is ended. Half open: who has ended his own side still gets answers. */
  readonly connections$: Observable<Socket>
}

/**
 * Emits once, synchronously with the beginning of listening, and goes on until unsubscribed: then it listens no more, and
 * socket and lock are gone (of a given descriptor the socket stays); connections stay. Fails with `server_running`,
 * `unsafe_socket`, `storage`, or `bad_request` for a path that no socket may have.
 */
export function listen({ path: given, descriptor }: ListenOptions): Observable<Listener> {
  return defer(() => {
    const path = socketPath({ env: {}, asked: given })
    if (descriptor !== undefined) return given$(path, descriptor)
    return claimSocket(path).pipe(
      mergeMap(({ release }) => {
        const bound = boundAt(path)
        return listening({ path, ...bound, release })
      }),
    )
  })
}

/** What others made is held to the same rules. */
function given$(path: string, descriptor: number): Observable<Listener> {
  if (!checkSocketFolder(path) || !checkSocket(path) || isHandedElsewhere(descriptor, path)) throw handedElsewhere(path)
  return listening({
    path,
    begin: (server) => server.listen({ fd: descriptor }),
    end: (server) => server.close(),
    release: () => undefined,
  })
}

function handedElsewhere(path: string): Failure {
  const message = `The socket that was handed over is not the one at ${path}; let both name the same path`
  return new Failure('unsafe_socket', message, { data: { path } })
}

interface Listening {
  readonly path: string
  begin(server: Server): void
  end(server: Server): void
  release(): void
}

function listening({ path, begin, end, release }: Listening): Observable<Listener> {
  return new Observable((subscriber) => {
    const connections$ = new Subject<Socket>()
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      if (connections$.observed) connections$.next(socket)
      else socket.destroy()
    })
    server.on('error', (cause) => {
      subscriber.error(new Failure('storage', `Cannot listen at ${path}: ${cause.message}`, { cause }))
    })
    server.on('listening', () => {
      if (typeof server.address() === 'object' && server.address() !== null)
        subscriber.error(handedElsewhere(path)) // a port
      else subscriber.next({ path, connections$: connections$.asObservable() })
    })
    subscriber.add(() => {
      end(server) // connections are ended by those who serve them
      release()
    })
    begin(server)
  })
}

/** Begins and ends listening at a path; the socket is removed where it is still the one that was made. */
function boundAt(path: string): Pick<Listening, 'begin' | 'end'> {
  let own: string | undefined
  return {
    begin: (server) => {
      bind(server, path)
      own = identityOf(path)
    },
    end: (server) => {
      const found = identityOf(path)
      if (found === undefined || found === own) server.close()
      else closeBeside(server, path)
    },
  }
}

/** Bound within this call, and 0600 from then on: the mask is the whole process's, but nothing else runs meanwhile. */
function bind(server: Server, path: string): void {
  const before = process.umask(0o177)
  try {
    server.listen(path)
    if (server.listening) chmodSync(path, 0o600) // what a file system makes of the mask is its own
  } finally {
    process.umask(before)
  }
}

function identityOf(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  return found && `${found.dev} ${found.ino}`
}

/** Closing removes whatever has the name: where ours was removed, that is the socket of who listens there now. */
function closeBeside(server: Server, path: string): void {
  const aside = `${path}.${process.pid}`
  renameSync(path, aside)
  server.close()
  renameSync(aside, path)
}
