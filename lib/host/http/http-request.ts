// Sends a request over node:http(s) on a keep-alive connection, and replaces a stale connection once.
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Agent as SecureAgent } from 'node:https'

/** Milliseconds until an idle connection is closed; less if the server says so. */
const idleMs = 30_000
/** Milliseconds within which a new connection must be established. */
const connectMs = 10_000

/** Address, method and headers of a request. */
export interface RequestHead {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}

export interface RequestListener {
  /** The response's head arrived; later errors are emitted by the message. */
  onResponse(message: IncomingMessage): void
  /** Gets the system's error (`code`); never called after `onResponse`. */
  onError(error: Error): void
}

export interface SentRequest {
  /** Closes the connection, also while the response is read. No listener is called afterwards. */
  abort(reason?: Error): void
}

/** Sends it without a time limit, except 10 s for a new connection. */
export function sendRequest(
  head: RequestHead,
  body: string | Uint8Array | undefined,
  { onResponse, onError, agents = processAgents }: RequestListener & { readonly agents?: HttpAgents },
): SentRequest {
  let isSettled = false // a later error belongs to the body, and a second attempt would be billed twice
  let response: IncomingMessage | undefined
  const attempt = (isAgain: boolean): ClientRequest => {
    const sent = createRequest(head, isAgain ? agents.once : agents.shared)
    sent.once('response', (message: IncomingMessage) => {
      isSettled = true
      response = message
      onResponse(message)
    })
    sent.on('error', (error) => {
      if (isSettled) return
      if (sent.reusedSocket && !isAgain && isConnectionReset(error)) {
        current = attempt(true)
        return
      }
      isSettled = true
      onError(error)
    })
    limitConnecting(sent, head.url)
    sent.end(body)
    return sent
  }
  let current = attempt(false)
  return {
    abort: (reason) => {
      isSettled = true
      // of a whole response only its end is missing; the socket goes back to the agent then, and has no listener for the error
      current.destroy(response?.complete === true ? undefined : reason)
    },
  }
}

function createRequest({ url, method, headers }: RequestHead, agents: AgentPair): ClientRequest {
  // 0: the agent's limit is for idle connections; on an active one Node would reset the timer with each chunk
  const options: RequestOptions = { method, headers, timeout: 0 }
  if (url.protocol === 'https:') {
    const { request } = process.getBuiltinModule('node:https') // loads with the first request
    return request(url, { ...options, agent: agents.secure() })
  }
  const { request } = process.getBuiltinModule('node:http')
  return request(url, { ...options, agent: agents.plain() })
}

interface AgentPair {
  readonly plain: () => Agent
  readonly secure: () => SecureAgent
}

/** The connections of a transport. */
export interface HttpAgents {
  readonly shared: AgentPair
  /** One connection for each request, by the same proxy. */
  readonly once: AgentPair
}

/** Node's proxy variables. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>

/** Creates the agents at the first request. They use the environment's proxies if its `NODE_USE_ENV_PROXY` is 1. */
export function createAgents(env: ProxyEnvironment): HttpAgents {
  const pair = (keepAlive: boolean): AgentPair => ({
    plain: once(() => new (process.getBuiltinModule('node:http').Agent)({ ...agentOptions(env), keepAlive })),
    secure: once(() => new (process.getBuiltinModule('node:https').Agent)({ ...agentOptions(env), keepAlive })),
  })
  return { shared: pair(true), once: pair(false) }
}

const processAgents = createAgents(process.env)

function agentOptions(env: ProxyEnvironment) {
  const usesProxy = env['NODE_USE_ENV_PROXY'] === '1'
  return { timeout: idleMs, ...(usesProxy ? { proxyEnv: { ...env } } : {}) }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

function isConnectionReset(error: Error): boolean {
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
    // a peer that accepts the connection and never answers in TLS counts as unreachable
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', settle).once('close', settle)
  })
}
