// Describes a configured MCP server, the state of its connection and the report of a test.

/** Where the configuration of a server comes from; `client`: a client passed it on the wire. */
export type McpOrigin = 'user' | 'project' | 'option' | 'client'

/** A program that speaks MCP on standard input and output. */
export interface McpStdio {
  readonly kind: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  /** Beside the environment that commands of tools get. */
  readonly env: Readonly<Record<string, string>>
  /** Absolute. Default: the folder of the session. */
  readonly cwd?: string
}

/** A server at a URL. `http` is streamable HTTP, which falls back to SSE as the specification says. */
export interface McpRemote {
  readonly kind: 'http' | 'sse'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export interface McpOAuth {
  readonly clientId?: string
  readonly clientSecret?: string
  readonly scopes?: readonly string[]
  /** The port of the redirect on 127.0.0.1. Default: a free one. */
  readonly callbackPort?: number
}

/** One server of the configuration, decoded: variables are expanded and paths are absolute. */
export interface McpServer {
  /** `[A-Za-z0-9_-]{1,64}`. */
  readonly name: string
  readonly origin: McpOrigin
  readonly transport: McpStdio | McpRemote
  /** False: one connection serves all sessions with the same folder and environment. */
  readonly perSession: boolean
  /** Milliseconds until the server must have answered `initialize` and listed its tools. */
  readonly startTimeoutMs: number
  /** Milliseconds that a call may be silent; progress begins them anew. */
  readonly callTimeoutMs: number
  /** Names of tools, as the server writes them; `*` stands for any characters. */
  readonly tools?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] }
  /** True: the server may ask for answers of the session's model; a person is asked each time. */
  readonly sampling: boolean
  /** False: a demand for a sign-in is an error. Absent: the defaults. */
  readonly oauth?: McpOAuth | false
}

/** `waiting`: the server ended and is started again after a pause; `failed`: it is not started again by itself. */
export type McpState = 'starting' | 'ready' | 'waiting' | 'needs_login' | 'failed' | 'stopped'

export interface McpStatus {
  readonly server: string
  readonly state: McpState
  /** Of `waiting`, `needs_login` and `failed`. It never has a value of a header or of the environment. */
  readonly error?: string
  /** The revision of the protocol, such as `2025-11-25`. */
  readonly protocol?: string
  /** The count of the tools that the server lists. */
  readonly tools?: number
  readonly pid?: number
  /** Starts after the first. */
  readonly restarts: number
}

/** The result of a test: the server is started, its lists are read, it is ended. */
export interface McpTestReport {
  readonly server: string
  readonly state: 'ready' | 'needs_login' | 'failed'
  readonly error?: string
  readonly protocol?: string
  /** The server's own name and version. */
  readonly title?: string
  readonly tools: readonly { readonly name: string; readonly description: string }[]
  readonly resources: number
  readonly prompts: number
  /** Milliseconds from the start until the lists were read. */
  readonly durationMs: number
  /** Parts left out, and why. */
  readonly notices: readonly string[]
  /** The last 12 lines that a program wrote to standard error before it failed; absent for one line, which `error` has. */
  readonly log?: readonly string[]
}
