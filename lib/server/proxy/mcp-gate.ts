// Admits requests to the HTTP address of `rxpi mcp serve`: a name of loopback, no page, the token.
// Guarantees: a request that no rule admits is refused before a byte of its body is read.
import type { IncomingHttpHeaders } from 'node:http'
import { mcpToken } from '../../services/index.ts'
import { Failure } from '../../streams/values/failure.ts'
import { bearerOf, isListed, isToken } from '../http/admit-head.ts'
import type { Refusal } from '../http/admit-head.ts'

export interface McpGate {
  /** The variable or file with the token. */
  readonly tokenFrom: string
  /** The refusal of a request to a listener with these values of `Host`; undefined if it may go on. */
  refusalOf(headers: IncomingHttpHeaders, hosts: readonly string[]): Refusal | undefined
}

/** @throws Failure as `proxyToken`, for `RXPI_MCP_TOKEN` and `mcp-token` */
export function mcpGate(env: Readonly<Record<string, string>>): McpGate {
  const { token, from } = mcpToken(env)
  return {
    tokenFrom: from,
    refusalOf: ({ host = '', origin, authorization }, hosts) => {
      const refuse = (status: number, message: string): Refusal => ({
        status,
        failure: new Failure('not_allowed', message),
      })
      if (!isListed(host, hosts)) return refuse(403, 'The host of the request is not a name of this machine.')
      if (origin !== undefined) return refuse(403, 'Pages of browsers may not use this address.')
      if (!isToken(bearerOf(authorization), token))
        return refuse(401, 'The request lacks the token: send it as `Authorization: Bearer <token>`.')
      return undefined
    },
  }
}
