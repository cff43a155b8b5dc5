// One request over node:http or node:https, on a connection that is kept; one that the server had closed meanwhile is replaced once.
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'

/** Milliseconds that a connection which nobody uses is kept; less where the server says so. */
const keptMs = 30_000
/** Milliseconds in which a connection must be there. */
const connectMs = 10_000

/** Where a request goes and what stands above its body: the same for many. */
export interface RequestHead {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}

export interface RequestListener {
  /** The head of the answer is there; from here on its errors are the message's own. */
  answered(message: IncomingMessage): void
  /** With the system's error (`code`); not after `answered`. */
  failed(error: Error): void
}

export interface SentRequest {
  /** Closes its connection, also while the answer is read; nothing more is told. */
  giveUp(reason?: Error): void
}

/** Pieces are sent one behind the other, with their length in front; what is none has no body. */
export type RequestBody = string | Uint8Array | readonly Uint8Array[] | undefined

/** No time limit but 10 s for a new connection. Proxies: as Node's own, where `NODE_USE_ENV_PROXY` is 1. */
export function sendRequest(head: RequestHead, body: RequestBody, { answered, failed }: RequestListener): SentRequest {
  let isOver = false // answered, failed or given up: an error then is the body's, and asked again it would be paid twice
  const attempt = (isAgain: boolean): ClientRequest => {
    const sent = begun(head, isAgain)
    sent.once('response', (message: IncomingMessage) => {
      isOver = true
      answered(message)
    })
    sent.on('error', (error) => {
      if (isOver) return
      if (sent.reusedSocket && !isAgain && wasCut(error)) {
        current = attempt(true)
        return
      }
      isOver = true
      failed(error)
    })
    limitConnecting(sent, head.url)
    finish(sent, body)
    return sent
  }
  let current = attempt(false)
  return {
    giveUp: (reason) => {
      isOver = true
      current.destroy(reason)
    },
  }
}

function finish(sent: ClientRequest, body: RequestBody): void {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    sent.end(body)
    return
  }
  sent.setHeader(
    'content-length',
    body.reduce((sum, { length }) => sum + length, 0),
  )
  for (const piece of body) sent.write(piece) // all in one go: a request holds back what it is given until the end of the step
  sent.end()
}

/** @param isAgain on a connection of its own */
function begun({ url, method, headers }: RequestHead, isAgain: boolean): ClientRequest {
  // 0: the agent's limit is for connections that nobody uses; on one that is, it would be set anew with each piece
  const options: RequestOptions = { method, headers, timeout: 0 }
  if (url.protocol === 'https:') {
    const { request } = process.getBuiltinModule('node:https') // loaded with the first request
    return request(url, { ...options, agent: isAgain ? agents.secureOnce() : agents.secure() })
  }
  const { request } = process.getBuiltinModule('node:http')
  return request(url, { ...options, agent: isAgain ? agents.plainOnce() : agents.plain() })
}

const agents = {
  plain: once(() => new (process.getBuiltinModule('node:http').Agent)(agentOptions())),
  secure: once(() => new (process.getBuiltinModule('node:https').Agent)(agentOptions())),
  /** Each request on a connection of its own, by the same proxy. */
  plainOnce: once(() => new (process.getBuiltinModule('node:http').Agent)({ ...agentOptions(), keepAlive: false })),
  secureOnce: once(() => new (process.getBuiltinModule('node:https').Agent)({ ...agentOptions(), keepAlive: false })),
}

function agentOptions() {
  const usesProxy = process.env['NODE_USE_ENV_PROXY'] === '1'
  return { keepAlive: true, timeout: keptMs, ...(usesProxy ? { proxyEnv: process.env } : {}) }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

function wasCut(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

function limitConnecting(sent: ClientRequest, { protocol }: URL): void {
  sent.once('socket', (socket) => {
    if (!socket.connecting) return
    const late = setTimeout(() => {
      sent.destroy(Object.assign(new Error('the connection timed out'), { code: 'ETIMEDOUT' }))
    }, connectMs)
    const settle = (): void => {
      clearTimeout(late)
    }
    // who takes a connection and then says nothing of TLS is not there either
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', settle).once('close', settle)
  })
}
