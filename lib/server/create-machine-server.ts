// A server for the sessions of this machine, whose locks name the socket where it can be reached.
import { createServerBackend } from '../services/index.ts'
import { createServer } from './create-server.ts'
import type { Server } from './create-server.ts'
import type { ServerPlace } from './connection/server-status.ts'

export interface MachineServerOptions extends ServerPlace {
  /** Where the server keeps and finds its files; sessions get the environment that their client sends. */
  readonly env: Readonly<Record<string, string>>
  readonly version: string
  /** As `createServer`'s. */
  readonly build?: string | undefined
  /** As `createServer`'s. */
  readonly restAfterMs?: number | undefined
  /** Reads fast responses of models in batches; see docs/decisions/0151. Default: false. */
  readonly coalesceReads?: boolean
}

/** @throws Failure `bad_config` where the environment names no usable home */
export function createMachineServer({
  env,
  version,
  build,
  restAfterMs,
  coalesceReads = false,
  ...place
}: MachineServerOptions): Server {
  const { socket } = place
  const host = createServerBackend({ env, version, coalesceReads, ...(socket === undefined ? {} : { socket }) })
  return createServer({ host, version, build, restAfterMs, ...place })
}
