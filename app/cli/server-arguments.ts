// Parses the arguments of `rxpi serve`, `stop`, `status`, `rpc`, `attach`, `abort` and `mcp serve`.
import {
  rejectEmpty,
  parseExtensionPaths,
  parseList,
  parsePositiveInteger,
  parseSessionId,
  badRequest,
  parseFolder,
} from './command-options.ts'
import { rejectOtherOptions } from './option-scope.ts'
import type { OptionName, OptionValues } from './command-options.ts'
import type { McpServeInvocation, ProxyChoice, ServerInvocation } from './server-invocation.ts'

/** Commands that run a server or connect to one. */
export const serverCommands = ['serve', 'stop', 'status', 'rpc', 'attach', 'abort'] as const
export type ServerCommand = (typeof serverCommands)[number]

export function isServerCommand(word: string): word is ServerCommand {
  return serverCommands.some((each) => each === word)
}

/** The options of each command. */
export const serverCommandOptions: Readonly<Record<ServerCommand, readonly OptionName[]>> = {
  serve: ['socket', 'extension', 'idle-exit', 'rest-after', 'proxy', 'proxy-host', 'proxy-model', 'proxy-origin'],
  stop: ['socket'],
  status: ['socket', 'json'],
  rpc: ['socket', 'extension'],
  attach: ['socket', 'json', 'tail', 'after'],
  abort: ['socket'],
}

/**
 * @param words arguments after the command
 * @throws Failure `bad_request`
 */
export function parseServerCommand(
  command: ServerCommand,
  values: OptionValues,
  words: readonly string[],
): ServerInvocation {
  rejectOtherOptions(command, values, serverCommandOptions[command])
  const [word, more] = words
  const tooMuch = command === 'attach' || command === 'abort' ? more : word
  if (tooMuch !== undefined) throw badRequest(`unexpected argument "${tooMuch}"; see rxpi ${command} --help`)
  const socket = rejectEmpty('socket', values.socket)
  const socketPart = socket === undefined ? {} : { socket }
  const json = values.json === true
  const extensions = parseExtensionPaths(values.extension)
  const extensionPart = extensions === undefined ? {} : { extensions }
  switch (command) {
    case 'serve': {
      const idleExitMs = parseDuration('idle-exit', values['idle-exit'])
      const restAfterMs = values['rest-after'] === 'never' ? 0 : parseDuration('rest-after', values['rest-after'])
      const times = {
        ...(idleExitMs === undefined ? {} : { idleExitMs }),
        ...(restAfterMs === undefined ? {} : { restAfterMs }),
      }
      const proxy = parseProxy(values)
      if (proxy !== undefined && idleExitMs !== undefined) {
        throw badRequest(
          '--idle-exit and --proxy cannot be used together: a request to the proxy does not count as a client',
        )
      }
      return { mode: 'serve', ...socketPart, ...extensionPart, ...times, ...(proxy === undefined ? {} : { proxy }) }
    }
    case 'stop':
      return { mode: 'stop', ...socketPart }
    case 'status':
      return { mode: 'status', ...socketPart, json }
    case 'rpc':
      if (socket !== undefined && extensions !== undefined)
        throw badRequest('--extension and --socket cannot be used together: that server has its own extensions')
      return { mode: 'rpc', ...socketPart, ...extensionPart }
    case 'attach':
      return {
        mode: 'attach',
        ...socketPart,
        json,
        session: parseNamedSession(command, word),
        from: parseAttachStart(values),
      }
    case 'abort':
      return { mode: 'abort', ...socketPart, session: parseNamedSession(command, word) }
  }
}

function parseNamedSession(command: 'attach' | 'abort', word: string | undefined): string {
  const session = parseSessionId(word, `the argument of ${command}`)
  if (session === undefined)
    throw badRequest(`${command} needs a session: rxpi ${command} <id>; rxpi sessions list prints the ids`)
  return session
}

/** The default shows enough events to recognise the session. */
function parseAttachStart({ tail, after }: OptionValues): { readonly tail: number } | { readonly after: number } {
  if (tail !== undefined && after !== undefined) throw badRequest('--tail and --after cannot be used together')
  if (after !== undefined) return { after: after === '0' ? 0 : (parsePositiveInteger('after', after) ?? 0) }
  return { tail: tail === '0' ? 0 : (parsePositiveInteger('tail', tail) ?? 100) }
}

/** Parses `PORT`, `HOST:PORT` or `[ADDRESS]:PORT` and the other proxy options. */
function parseProxy(values: OptionValues): ProxyChoice | undefined {
  const value = rejectEmpty('proxy', values.proxy)
  const lone = (['proxy-host', 'proxy-model', 'proxy-origin'] as const).find((name) => values[name] !== undefined)
  if (value === undefined) {
    if (lone !== undefined) throw badRequest(`--${lone} needs --proxy [HOST:]PORT`)
    return undefined
  }
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]+)\]:|([^:]+):)?(\d{1,5})$/.exec(value) ?? []
  const port = digits === '' ? NaN : Number(digits)
  if (!(port <= 65_535)) throw badRequest(`--proxy must be a port, or a host and a port, not "${value}"`)
  const host = bracketed ?? plain
  const origins = parseList(values['proxy-origin']) ?? []
  const odd = origins.find((origin) => URL.parse(origin)?.origin !== origin)
  if (odd !== undefined) throw badRequest(`--proxy-origin must be an origin like https://app.example, not "${odd}"`)
  const [hosts, models] = [parseList(values['proxy-host']) ?? [], parseList(values['proxy-model']) ?? []]
  return { port, ...(host === undefined ? {} : { host }), hosts, models, origins }
}

export const mcpServeOptions = ['http', 'cwd'] as const

const loopback = ['127.0.0.1', 'localhost', '::1']

/**
 * @param words arguments after `mcp serve`
 * @throws Failure `bad_request`
 */
export function parseMcpServe(values: OptionValues, [unexpected]: readonly string[]): McpServeInvocation {
  rejectOtherOptions('mcp', values, mcpServeOptions, 'serve')
  if (unexpected !== undefined) throw badRequest(`mcp serve takes options only; unexpected argument "${unexpected}"`)
  const http = parseAddress(rejectEmpty('http', values.http))
  return { mode: 'mcp-serve', cwd: parseFolder(values.cwd), ...(http && { http }) }
}

/** `PORT`, `HOST:PORT` or `[::1]:PORT`; the host is a name of loopback. */
function parseAddress(value: string | undefined): McpServeInvocation['http'] {
  if (value === undefined) return undefined
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]+)\]:|([^:]+):)?(\d{1,5})$/.exec(value) ?? []
  const port = digits === '' ? NaN : Number(digits)
  if (!(port <= 65_535)) throw badRequest(`--http must be a port, or 127.0.0.1 and a port, not "${value}"`)
  const host = bracketed ?? plain ?? '127.0.0.1'
  if (!loopback.includes(host))
    throw badRequest(`--http listens on this machine only: 127.0.0.1, localhost or [::1], not "${host}"`)
  return { host, port }
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** Parses a number with a unit into milliseconds; the maximum of a timer is 2³¹−1. */
function parseDuration(name: OptionName, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(value) ?? []
  const ms = Math.round(Number(number) * (units[unit] ?? 0))
  if (ms < 1) throw badRequest(`--${name} must be a time above 0 with its unit, as in 90s, 10m or 2h, not "${value}"`)
  if (ms > 2 ** 31 - 1) throw badRequest(`--${name} must be at most 596h`)
  return ms
}
