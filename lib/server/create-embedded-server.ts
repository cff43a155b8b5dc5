// The server of a command that embeds one: the sessions of this machine, served to a client in the same process.
import { createServerBackend } from '../services/index.ts'
import { embedServer } from './embed-server.ts'
import type { EmbeddedServer } from './embed-server.ts'

export interface EmbeddedServerOptions {
  /** Where the server keeps and finds its files; sessions get the environment that their client sends. */
  readonly env: Readonly<Record<string, string>>
  readonly version: string
  /** Reads fast responses of models in batches; see docs/decisions/0151. Default: false. */
  readonly coalesceReads?: boolean
}

/** @throws Failure `bad_config` where the environment names no usable home */
export function createEmbeddedServer({ env, version, coalesceReads = false }: EmbeddedServerOptions): EmbeddedServer {
  return embedServer({ host: createServerBackend({ env, version, coalesceReads }), version })
}
