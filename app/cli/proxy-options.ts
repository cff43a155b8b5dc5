// Options of the LLM proxy from the command line.

/** Address of the proxy, and the hosts, models and origins that it accepts besides the defaults. */
export interface ProxyChoice {
  /** 0 = any free port. */
  readonly port: number
  readonly host?: string
  readonly hosts: readonly string[]
  readonly models: readonly string[]
  readonly origins: readonly string[]
}
