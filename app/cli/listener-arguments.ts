// Parses the addresses at which `rxpi serve` and `rxpi mcp serve` listen for HTTP.
import { isLoopback } from '../../lib/server/http/loopback.ts'
import { badRequest, parseList, rejectEmpty } from './command-options.ts'
import type { OptionName, OptionValues } from './command-options.ts'
import type { GatewayChoice, McpServeInvocation, ProxyChoice } from './server-invocation.ts'

interface Address {
  readonly port: number
  readonly host?: string
}

/** Parses `--proxy` and the options that need it. @throws Failure `bad_request` */
export function parseProxy(values: OptionValues): ProxyChoice | undefined {
  const address = parseAddress('proxy', values.proxy, 'a host and a port')
  if (address === undefined) {
    rejectAlone('proxy', ['proxy-host', 'proxy-model', 'proxy-origin'], values)
    return undefined
  }
  const [hosts, models] = [parseList(values['proxy-host']) ?? [], parseList(values['proxy-model']) ?? []]
  return { ...address, hosts, models, origins: parseOrigins('proxy-origin', values) }
}

/** Parses `--http` of `rxpi serve` and the options that need it. @throws Failure `bad_request` */
export function parseGateway(values: OptionValues): GatewayChoice | undefined {
  const address = parseAddress('http', values.http, 'a host and a port')
  if (address === undefined) {
    rejectAlone('http', ['http-host', 'http-origin', 'http-unsafe', 'web'], values)
    return undefined
  }
  const { port, host = '127.0.0.1' } = address
  const unsafeHost = values['http-unsafe'] === true
  if (!unsafeHost && !isLoopback(host))
    throw badRequest(
      `--http listens on this machine only: 127.0.0.1, localhost or [::1], not "${host}"; behind a TLS proxy, --http-unsafe allows it`,
    )
  const hosts = parseList(values['http-host']) ?? []
  const web = values.web === true
  return { port, host, unsafeHost, web, hosts, origins: parseOrigins('http-origin', values) }
}

/** Parses `--http` of `rxpi mcp serve`. @throws Failure `bad_request` */
export function parseLoopback(values: OptionValues): McpServeInvocation['http'] {
  const address = parseAddress('http', values.http, '127.0.0.1 and a port')
  if (address === undefined) return undefined
  const { port, host = '127.0.0.1' } = address
  if (!isLoopback(host))
    throw badRequest(`--http listens on this machine only: 127.0.0.1, localhost or [::1], not "${host}"`)
  return { host, port }
}

/** Parses `PORT`, `HOST:PORT` or `[ADDRESS]:PORT`. */
function parseAddress(option: 'proxy' | 'http', text: string | undefined, form: string): Address | undefined {
  const value = rejectEmpty(option, text)
  if (value === undefined) return undefined
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]+)\]:|([^:]+):)?(\d{1,5})$/.exec(value) ?? []
  const port = digits === '' ? NaN : Number(digits)
  if (!(port <= 65_535)) throw badRequest(`--${option} must be a port, or ${form}, not "${value}"`)
  const host = bracketed ?? plain
  return { port, ...(host === undefined ? {} : { host }) }
}

/** @throws Failure `bad_request` if one of the options is there without the address that it is for */
function rejectAlone(option: 'proxy' | 'http', others: readonly OptionName[], values: OptionValues): void {
  const lone = others.find((name) => values[name] !== undefined)
  if (lone !== undefined) throw badRequest(`--${lone} needs --${option} [HOST:]PORT`)
}

function parseOrigins(option: 'proxy-origin' | 'http-origin', values: OptionValues): readonly string[] {
  const origins = parseList(values[option]) ?? []
  const odd = origins.find((origin) => URL.parse(origin)?.origin !== origin)
  if (odd !== undefined) throw badRequest(`--${option} must be an origin like https://app.example, not "${odd}"`)
  return origins
}
