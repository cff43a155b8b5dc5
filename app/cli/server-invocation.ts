// Types of a parsed command line that runs a server or connects to one.

/** Socket path from the command line; absent: the default. */
interface AtSocket {
  readonly socket?: string
}

export interface ServeInvocation extends AtSocket {
  readonly mode: 'serve'
  /** Absent: the server never ends by itself. */
  readonly idleExitMs?: number
  /** 0: sessions stay in memory. Absent: the server's default. */
  readonly restAfterMs?: number
  /** Files and folders of extensions for each session, absolute. */
  readonly extensions?: readonly string[]
  /** The LLM proxy; absent: off. */
  readonly proxy?: ProxyChoice
  /** The gateway; absent: off. */
  readonly http?: GatewayChoice
}

export interface StopInvocation extends AtSocket {
  readonly mode: 'stop'
}

export interface StatusInvocation extends AtSocket {
  readonly mode: 'status'
  readonly json: boolean
}

/** With a socket: through the server at this socket; else with an embedded server. */
export interface RpcInvocation extends AtSocket {
  readonly mode: 'rpc'
  /** Files and folders of extensions for each session, absolute; not with a socket. */
  readonly extensions?: readonly string[]
}

export interface AttachInvocation extends AtSocket {
  readonly mode: 'attach'
  readonly session: string
  readonly json: boolean
  /** Events to print first: the last N, or those after a seq. */
  readonly from: { readonly tail: number } | { readonly after: number }
}

/** Stops the active run of a session. */
export interface AbortInvocation extends AtSocket {
  readonly mode: 'abort'
  readonly session: string
}

export type ServerInvocation =
  | ServeInvocation
  | StopInvocation
  | StatusInvocation
  | RpcInvocation
  | AttachInvocation
  | AbortInvocation

/** rxpi as an MCP server. */
export interface McpServeInvocation {
  readonly mode: 'mcp-serve'
  /** The folder of sessions whose call names none; absolute. */
  readonly cwd: string
  /** The address for HTTP. Absent: standard input and output. */
  readonly http?: { readonly host: string; readonly port: number }
}

/** Address of the proxy, and the hosts, models and origins that it accepts besides the defaults. */
export interface ProxyChoice {
  /** 0 = any free port. */
  readonly port: number
  readonly host?: string
  readonly hosts: readonly string[]
  readonly models: readonly string[]
  readonly origins: readonly string[]
}

/** Address of the gateway, and the hosts and origins that it accepts besides the defaults. */
export interface GatewayChoice {
  /** 0 = any free port. */
  readonly port: number
  readonly host: string
  /** True if the host may be one that other machines reach. */
  readonly unsafeHost: boolean
  /** True if it serves the web page too. */
  readonly web: boolean
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
}
