// Declares the options of a gateway, and what is known of one that listens.

export interface GatewayOptions {
  /** 0 = any that is free. */
  readonly port: number
  /** A name or address of this machine. @default 127.0.0.1 */
  readonly host?: string
  /** Must be true for a `host` that other machines reach: the gateway speaks plain HTTP. @default false */
  readonly unsafeHost?: boolean
  /** Allowed values of `Host` besides loopback names and `host`. @default none */
  readonly hosts?: readonly string[]
  /** Origins whose pages may use the gateway, such as `https://example.org`. @default none */
  readonly origins?: readonly string[]
  /** The folder of sessions that AG-UI front ends begin. @default the folder of the process */
  readonly cwd?: string
  /** The environment of the serving process: `RXPI_HTTP_TOKEN`, or the folder of the token's file. */
  readonly env: Readonly<Record<string, string>>
}

export interface Gateway {
  /** `http://127.0.0.1:8788`. */
  readonly url: string
  /** The variable or file with the token. */
  readonly tokenFrom: string
}
