// What the command line says of the LLM proxy.

/** Where the proxy listens, and who and what it serves beside the usual. */
export interface ProxyChoice {
  /** 0 = any that is free. */
  readonly port: number
  readonly host?: string
  readonly hosts: readonly string[]
  readonly models: readonly string[]
  readonly origins: readonly string[]
}
