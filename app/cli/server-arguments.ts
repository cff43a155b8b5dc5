// Parses the arguments of `rxpi serve`, `stop`, `status`, `rpc`, `attach`, `abort` and `mcp serve`.
import {
  rejectEmpty,
  parseExtensionPaths,
  parsePositiveInteger,
  parseSessionId,
  badRequest,
  parseFolder,
} from './command-options.ts'
import { rejectOtherOptions } from './option-scope.ts'
import type { OptionName, OptionValues } from './command-options.ts'
import { parseGateway, parseLoopback, parseProxy } from './listener-arguments.ts'
import type { McpServeInvocation, ServeInvocation, ServerInvocation } from './server-invocation.ts'

/** Commands that run a server or connect to one. */
export const serverCommands = ['serve', 'stop', 'status', 'rpc', 'attach', 'abort'] as const
export type ServerCommand = (typeof serverCommands)[number]

export function isServerCommand(word: string): word is ServerCommand {
  return serverCommands.some((each) => each === word)
}

/** The options of each command. */
export const serverCommandOptions: Readonly<Record<ServerCommand, readonly OptionName[]>> = {
  serve: [
    ...(['socket', 'extension', 'idle-exit', 'rest-after'] as const),
    ...(['proxy', 'proxy-host', 'proxy-model', 'proxy-origin'] as const),
    ...(['http', 'http-host', 'http-origin', 'http-unsafe', 'web'] as const),
  ],
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
    case 'serve':
      return { mode: 'serve', ...socketPart, ...extensionPart, ...parseServing(values) }
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

/** Parses the times of `rxpi serve` and where it listens for HTTP. */
function parseServing(values: OptionValues): Omit<ServeInvocation, 'mode'> {
  const idleExitMs = parseDuration('idle-exit', values['idle-exit'])
  const restAfterMs = values['rest-after'] === 'never' ? 0 : parseDuration('rest-after', values['rest-after'])
  const proxy = parseProxy(values)
  const http = parseGateway(values)
  if (proxy !== undefined && idleExitMs !== undefined) {
    throw badRequest(
      '--idle-exit and --proxy cannot be used together: a request to the proxy does not count as a client',
    )
  }
  return {
    ...(idleExitMs === undefined ? {} : { idleExitMs }),
    ...(restAfterMs === undefined ? {} : { restAfterMs }),
    ...(proxy === undefined ? {} : { proxy }),
    ...(http === undefined ? {} : { http }),
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

export const mcpServeOptions = ['http', 'cwd'] as const

/**
 * @param words arguments after `mcp serve`
 * @throws Failure `bad_request`
 */
export function parseMcpServe(values: OptionValues, [unexpected]: readonly string[]): McpServeInvocation {
  rejectOtherOptions('mcp', values, mcpServeOptions, 'serve')
  if (unexpected !== undefined) throw badRequest(`mcp serve takes options only; unexpected argument "${unexpected}"`)
  const http = parseLoopback(values)
  return { mode: 'mcp-serve', cwd: parseFolder(values.cwd), ...(http && { http }) }
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
