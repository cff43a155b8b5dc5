// Finds the path of the server's socket, by the same rule in clients and server.
// Guarantees: the kernel does not truncate the path.
import { isAbsolute, join, resolve } from 'node:path'
import { Failure } from '../../streams/values/failure.ts'

export interface SocketPathOptions {
  /** Reads `XDG_RUNTIME_DIR` and `RXPI_SOCKET`; an empty one counts as unset. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The path of the command line, which goes before the environment; relative to the working directory. */
  readonly requested?: string | undefined
  /** Default: this system and user. */
  readonly platform?: NodeJS.Platform
  /** Names the folder in `/tmp`. Default: this user. */
  readonly uid?: number
}

/**
 * `requested`, else `RXPI_SOCKET`, else `$XDG_RUNTIME_DIR/rxpi/rxpi.sock`, else `/tmp/rxpi-$UID/rxpi.sock`; always
 * absolute.
 * @throws Failure `bad_request` or `bad_config` for a path that no socket can have; the message proposes one
 */
export function socketPath(options: SocketPathOptions): string {
  const { env, requested, platform = process.platform, uid = process.geteuid?.() ?? 0 } = options
  const limit = platform === 'linux' ? 107 : 103
  const defaultPath = `/tmp/rxpi-${uid}/rxpi.sock`
  const { path, source, code } = findNamed(env, requested) ?? {
    path: defaultPath,
    source: 'The socket',
    code: 'bad_config',
  }
  if (path.includes('\0')) throw new Failure(code, `${source} has a NUL in its path; try ${defaultPath}`)
  const bytes = Buffer.byteLength(path)
  if (bytes <= limit) return path
  const problem = `its path has ${bytes} bytes, and a socket's may have ${limit} here: ${path}`
  throw new Failure(code, `${source} cannot be used: ${problem}; a shorter one: --socket ${defaultPath}`)
}

/**
 * The absolute path of a socket that the caller names. There is no default: it would be the socket of the machine's own
 * server.
 * @throws Failure `bad_request` without a path, or for one that no socket can have
 */
export function namedSocketPath(requested: string | undefined): string {
  if (typeof requested !== 'string') throw new Failure('bad_request', 'Name the path of the socket')
  return socketPath({ env: {}, requested })
}

interface Named {
  readonly path: string
  readonly source: string
  readonly code: 'bad_request' | 'bad_config'
}

function findNamed(env: SocketPathOptions['env'], requested: string | undefined): Named | undefined {
  if (requested !== undefined) {
    if (requested === '') throw new Failure('bad_request', '--socket must not be empty')
    return { path: resolve(requested), source: '--socket', code: 'bad_request' }
  }
  const own = env['RXPI_SOCKET']
  if (own !== undefined && own !== '') {
    if (isAbsolute(own)) return { path: resolve(own), source: 'RXPI_SOCKET', code: 'bad_config' }
    throw new Failure('bad_config', `RXPI_SOCKET is "${own}", which is not an absolute path; set it to one or unset it`)
  }
  const runtime = env['XDG_RUNTIME_DIR']
  if (runtime === undefined || !isAbsolute(runtime)) return undefined
  return { path: join(runtime, 'rxpi/rxpi.sock'), source: 'The socket in XDG_RUNTIME_DIR', code: 'bad_config' }
}
