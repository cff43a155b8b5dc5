// Listens at a Unix socket.
// Guarantees: only this user can connect, from the first moment on; socket and lock go when it is unsubscribed.
import { chmodSync, lstatSync, renameSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { Observable, Subject, defer, mergeMap } from 'rxjs'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { checkSocketFolder, checkSocket } from './check-socket.ts'
import { claimSocket } from './claim-socket.ts'
import { namedSocketPath } from './socket-path.ts'
import { isBoundElsewhere } from './systemd-socket.ts'

export interface ListenOptions {
  /** From `socketPath`. */
  readonly path: string
  /** The descriptor of a socket that listens at `path` already, passed to this process at its start. Default: none. */
  readonly descriptor?: number | undefined
}

export interface Listener {
  /** The path of the socket. */
  readonly path: string
  /**
   * Hot; without a subscriber, connections are ended. Half open: a client that has ended its side still gets answers.
   */
  readonly connections$: Observable<Socket>
}

/**
 * Emits once, synchronously with the start of listening, and goes on until unsubscribed: then it stops listening and
 * removes socket and lock (the socket of a passed descriptor stays); connections stay. Fails with `server_running`,
 * `unsafe_socket`, `storage`, or `bad_request` for a path that no socket can have.
 */
export function listen({ path: requested, descriptor }: ListenOptions): Observable<Listener> {
  return defer(() => {
    const path = namedSocketPath(requested)
    if (descriptor !== undefined) return listenAtDescriptor(path, descriptor)
    return claimSocket(path).pipe(
      mergeMap(({ release }) => {
        const bound = bindAt(path)
        return startListening({ path, ...bound, release })
      }),
    )
  })
}

/** Checks a socket that another process made by the same rules. */
function listenAtDescriptor(path: string, descriptor: number): Observable<Listener> {
  if (!checkSocketFolder(path) || !checkSocket(path) || isBoundElsewhere(descriptor, path)) throw wrongSocket(path)
  return startListening({
    path,
    begin: (server) => server.listen({ fd: descriptor }),
    end: (server) => server.close(),
    release: () => undefined,
  })
}

function wrongSocket(path: string): Failure {
  const message = `The passed socket is not the one at ${path}; configure both with the same path`
  return new Failure('unsafe_socket', message, { data: { path } })
}

interface ListeningSocket {
  readonly path: string
  begin(server: Server): void
  end(server: Server): void
  release(): void
}

function startListening({ path, begin, end, release }: ListeningSocket): Observable<Listener> {
  return new Observable((subscriber) => {
    const connections$ = new Subject<Socket>()
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      if (connections$.observed) connections$.next(socket)
      else socket.destroy()
    })
    server.on('error', (cause) => {
      subscriber.error(new Failure('storage', `Cannot listen at ${path}: ${describeThrown(cause)}`, { cause }))
    })
    server.on('listening', () => {
      const isTcp = typeof server.address() === 'object' && server.address() !== null
      if (isTcp) subscriber.error(wrongSocket(path))
      else subscriber.next({ path, connections$: connections$.asObservable() })
    })
    subscriber.add(() => {
      end(server) // the server ends its connections
      release()
    })
    begin(server)
  })
}

/** Begins and ends listening at a path; removes the socket if it is still the one that was made. */
function bindAt(path: string): Pick<ListeningSocket, 'begin' | 'end'> {
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

/** Binds within this call with mode 0600: the mask belongs to the whole process, but nothing else runs meanwhile. */
function bind(server: Server, path: string): void {
  const before = process.umask(0o177)
  try {
    server.listen(path)
    if (server.listening) chmodSync(path, 0o600) // some file systems ignore the mask
  } finally {
    process.umask(before)
  }
}

function identityOf(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  return found && `${found.dev} ${found.ino}`
}

/** Closing removes the file with this name, which can be another server's socket: it is moved aside for that moment. */
function closeBeside(server: Server, path: string): void {
  const aside = `${path}.${process.pid}`
  renameSync(path, aside)
  server.close()
  renameSync(aside, path)
}
