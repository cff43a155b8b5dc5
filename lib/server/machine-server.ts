// Creates servers for the sessions of this machine.
// One kind serves other processes, one has its client in the same process.
import type { Observable } from 'rxjs'
import { createServerBackend, endOrphans, keysOfStart, watchMainThread } from '../services/index.ts'
import { connect } from './client/client.ts'
import type { Client } from './client/client.ts'
import type { SessionOptionsOf } from '../services/index.ts'
import type { ServerPlace } from './connection/server-status.ts'
import { createServer, packageVersion } from './create-server.ts'
import type { Server, ServerOptions } from './create-server.ts'
import { linkedPair } from './protocol/linked-pair.ts'

export interface EmbeddedServerOptions {
  /** Locates the server's files, such as `process.env`; sessions get the environment that their client sends. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** In `hello`. Default: the version of rxpi. */
  readonly version?: string
  /** See `ServerBackendOptions`. */
  readonly startEnv?: Readonly<Record<string, string>> | undefined
  /** Reads fast responses of models in batches; see docs/decisions/0151. Default: false. */
  readonly coalesceReads?: boolean
  /**
   * Called for each session that is created or opened: returns options of `createSession` for it, such as a model,
   * tools, hooks or transforms. They go before those of the client and of the settings. The server decides folder,
   * environment, store, sandbox and keys; a throw refuses the command. Default: nothing.
   */
  readonly session?: SessionOptionsOf | undefined
}

export interface MachineServerOptions extends ServerPlace, Omit<EmbeddedServerOptions, 'session'> {
  /** See `ServerOptions`. */
  readonly build?: string | undefined
  /** See `ServerBackendOptions`. */
  readonly extensions?: readonly string[] | undefined
  /** See `ServerOptions`. */
  readonly restAfterMs?: number | undefined
}

/**
 * Creates a server for other processes; the locks of its sessions name its socket.
 * @throws Failure `bad_config` if the environment names no usable home
 */
export function createMachineServer({
  env,
  startEnv,
  version = packageVersion,
  build,
  restAfterMs,
  coalesceReads = false,
  extensions,
  ...address
}: MachineServerOptions): Server {
  const { socket } = address
  const host = createServerBackend({
    env: definedIn(env),
    startEnv,
    version,
    coalesceReads,
    extensions,
    ...(socket === undefined ? {} : { socket }),
  })
  return createServer({ host, version, build, restAfterMs, ...address })
}

/**
 * Creates a server of this process, with a linked client.
 * @throws Failure `bad_config` if the environment names no usable home
 */
export function createEmbeddedServer({
  env,
  version = packageVersion,
  coalesceReads = false,
  session,
}: EmbeddedServerOptions): EmbeddedServer {
  return embedServer({ host: createServerBackend({ env: definedIn(env), version, coalesceReads, session }), version })
}

function definedIn(env: EmbeddedServerOptions['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/**
 * Lets the guardian end this process if its main thread is stuck, while subscribed: for a process that is rxpi's own.
 * Never emits.
 */
export function watchProcess({ timeoutMs }: { readonly timeoutMs?: number | undefined } = {}): Observable<never> {
  return watchMainThread({ timeoutMs })
}

/** Ends the processes that killed servers left, and returns their program names: for a server that has started. */
export function endLeftProcesses(): readonly string[] {
  return endOrphans()
}

export interface EmbeddedServer {
  readonly server: Server
  /** Connected already. */
  readonly client: Client
}

/**
 * Creates a server in this process and a client linked to it. The caller sends `shutdown` through the client in the
 * end.
 */
export function embedServer(options: ServerOptions): EmbeddedServer {
  const server = createServer(options)
  const [clientEnd, serverEnd] = linkedPair()
  server.connect(serverEnd)
  return { server, client: connect(clientEnd) }
}

/** Names the providers whose key is in the environment with which a person started a server. */
export function startKeys(startEnv: Readonly<Record<string, string>>): readonly string[] {
  return keysOfStart(startEnv)
}
