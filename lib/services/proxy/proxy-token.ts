// Reads the token of an HTTP listener from the environment or a private file, which it creates once.
import { closeSync, constants, fstatSync, openSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createPrivateFile, ensurePrivateFolder } from '../../host/files/private-files.ts'
import { rxpiPaths } from '../../host/files/paths.ts'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'

export interface ListenerToken {
  readonly token: string
  /** The source to show to the user: a variable or a file. */
  readonly from: string
}

const minLength = 16

/** Returns `RXPI_PROXY_TOKEN`, else the content of `<home>/proxy-token`; as `listenerToken`. */
export function proxyToken(env: Readonly<Record<string, string>>, home: string): ListenerToken {
  return listenerToken(env, { variable: 'RXPI_PROXY_TOKEN', file: path.join(home, 'proxy-token') })
}

/** Of `rxpi mcp serve --http`, whose clients run an agent: another one than that of the proxy, whose clients use models. */
export function mcpToken(env: Readonly<Record<string, string>>): ListenerToken {
  return listenerToken(env, { variable: 'RXPI_MCP_TOKEN', file: path.join(rxpiPaths(env).home, 'mcp-token') })
}

/**
 * Of `rxpi serve --http`, whose clients have the whole protocol.
 * @throws Failure as `listenerToken`, and `bad_config` for characters that no subprotocol of a WebSocket takes
 */
export function gatewayToken(env: Readonly<Record<string, string>>): ListenerToken {
  const found = listenerToken(env, { variable: 'RXPI_HTTP_TOKEN', file: path.join(rxpiPaths(env).home, 'http-token') })
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(found.token)) return found
  const message = `The token of ${found.from} must have letters, digits and !#$%&'*+.^_\`|~- alone: pages send it as a subprotocol.`
  throw new Failure('bad_config', message)
}

/**
 * Returns the variable, else the content of the file, which it creates with 256 random bits.
 * @throws Failure `bad_config` for a token under 16 characters or with characters that no header takes, and for a file
 *   that others may read; `storage` if the file cannot be created or read
 */
function listenerToken(
  env: Readonly<Record<string, string>>,
  { variable, file }: { readonly variable: string; readonly file: string },
): ListenerToken {
  const value = env[variable]
  if (value !== undefined && value !== '') return { token: validateToken(value, variable), from: variable }
  ensurePrivateFolder(path.dirname(file))
  return { token: validateToken(createToken(file) ?? readToken(file), file), from: file }
}

/** Undefined if the file exists. */
function createToken(file: string): string | undefined {
  let descriptor: number
  try {
    descriptor = createPrivateFile(file)
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.data['errno'] === 'EEXIST') return undefined
    throw thrown
  }
  try {
    const token = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
    writeFileSync(descriptor, `${token}\n`) // the whole token, or the file is removed
    return token
  } catch (thrown) {
    unlinkSync(file)
    throw storageFailure(`write ${file}`, thrown)
  } finally {
    closeSync(descriptor)
  }
}

function readToken(file: string): string {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
    const { mode, uid } = fstatSync(descriptor)
    if ((mode & 0o77) !== 0 || uid !== process.geteuid?.()) {
      const message = `${file} can be read by other users; remove it, and rxpi creates a new token.`
      throw new Failure('bad_config', message, { data: { file } })
    }
    return readFileSync(descriptor, 'utf8').trim()
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown
    const isLink = errnoOf(thrown) === 'ELOOP'
    if (isLink) throw new Failure('bad_config', `${file} is a symbolic link; replace it by the file itself.`)
    throw storageFailure(`read ${file}`, thrown)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function validateToken(token: string, from: string): string {
  if (token.length >= minLength && /^[\x21-\x7e]+$/.test(token)) return token
  const message = `The token of ${from} is too short or holds a space or a control character; use at least ${minLength} printable characters.`
  throw new Failure('bad_config', message)
}
