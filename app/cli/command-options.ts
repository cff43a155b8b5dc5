// Defines the options of the command line: syntax, commands that accept them, checks of values.
import { isAbsolute, resolve } from 'node:path'
import type { ParseArgsOptionsConfig } from 'node:util'
import { Failure } from '../../lib/streams/values/failure.ts'
import { sandboxModes } from '../../lib/streams/ports/sandbox.ts'
import type { SandboxMode } from '../../lib/streams/ports/sandbox.ts'
import { thinkingLevels } from '../../lib/streams/models/model.ts'
import type { ThinkingLevel } from '../../lib/streams/models/model.ts'
import { approvalModes } from '../../lib/streams/ports/policy.ts'
import type { ApprovalMode } from '../../lib/streams/ports/policy.ts'
import { currentFolder } from '../process/current-folder.ts'

/** In the format of `parseArgs`. */
export const commandOptions = {
  print: { type: 'boolean', short: 'p' },
  mode: { type: 'string' },
  model: { type: 'string' },
  thinking: { type: 'string' },
  tools: { type: 'string' },
  session: { type: 'string' },
  continue: { type: 'boolean', short: 'c' },
  'no-session': { type: 'boolean' },
  'no-stdin': { type: 'boolean' },
  system: { type: 'string' },
  'append-system': { type: 'string' },
  'no-instructions': { type: 'boolean' },
  'max-turns': { type: 'string' },
  'max-usd': { type: 'string' },
  timeout: { type: 'string' },
  cwd: { type: 'string' },
  json: { type: 'boolean' },
  all: { type: 'boolean' },
  entry: { type: 'string' },
  'new-file': { type: 'boolean' },
  summarise: { type: 'boolean' },
  'restore-files': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  force: { type: 'boolean' },
  format: { type: 'string' },
  output: { type: 'string', short: 'o' },
  speed: { type: 'string' },
  'max-pause': { type: 'string' },
  version: { type: 'boolean', short: 'v' },
  help: { type: 'boolean', short: 'h' },
  resume: { type: 'boolean', short: 'r' },
  'output-schema': { type: 'string' },
  sandbox: { type: 'string' },
  approve: { type: 'string' },
  trust: { type: 'boolean' },
  scenario: { type: 'string' },
  socket: { type: 'string' },
  'idle-exit': { type: 'string' },
  'rest-after': { type: 'string' },
  proxy: { type: 'string' },
  'proxy-host': { type: 'string' },
  'proxy-model': { type: 'string' },
  'proxy-origin': { type: 'string' },
  tail: { type: 'string' },
  after: { type: 'string' },
  'json-schema': { type: 'boolean' },
  add: { type: 'boolean' },
  domain: { type: 'string' },
  write: { type: 'boolean' },
  from: { type: 'string' },
  keys: { type: 'string' },
  'with-sessions': { type: 'boolean' },
  dev: { type: 'boolean' },
  isolate: { type: 'boolean' },
  reason: { type: 'string' },
  'may-replace': { type: 'string' },
  limit: { type: 'string' },
  check: { type: 'boolean' },
  reset: { type: 'boolean' },
  http: { type: 'string' },
  'http-host': { type: 'string' },
  'http-origin': { type: 'string' },
  'http-unsafe': { type: 'boolean' },
  web: { type: 'boolean' },
  extension: { type: 'string', short: 'e', multiple: true },
  env: { type: 'string', multiple: true },
  header: { type: 'string', multiple: true },
  transport: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig

export type OptionName = keyof typeof commandOptions
export const optionNames = Object.keys(commandOptions) as OptionName[] // the table has exactly these keys
/** Options of one command line; an absent option is undefined. */
export type OptionValues = {
  readonly [Name in OptionName]?: ValueOf<(typeof commandOptions)[Name]> | undefined
}
type ValueOf<Option> = Option extends { readonly multiple: true }
  ? string[]
  : Option extends { readonly type: 'boolean' }
    ? boolean
    : string

export function badRequest(message: string): Failure {
  return new Failure('bad_request', message)
}

/** Failure for an option of a run on a command line without a run. */
export function promptRequired(option: string): Failure {
  return badRequest(`--${option} needs -p and a prompt: the terminal UI needs a terminal`)
}

/** Parses seconds into milliseconds; the maximum of a timer is 2³¹−1. */
export function parseTimeout(value: string | undefined): number | undefined {
  const seconds = parsePositive('timeout', value)
  if (seconds !== undefined && seconds * 1_000 > 2 ** 31 - 1)
    throw badRequest('--timeout must be at most 2147483 seconds')
  return seconds === undefined ? undefined : Math.max(1, Math.round(seconds * 1_000))
}

export function parsePositive(name: OptionName, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : 0
  if (number > 0) return number
  throw badRequest(`--${name} must be a number above 0, not "${value}"`)
}

export function parsePositiveInteger(name: OptionName, value: string | undefined): number | undefined {
  const number = parsePositive(name, value)
  if (number === undefined || Number.isSafeInteger(number)) return number
  throw badRequest(`--${name} must be a whole number, not "${value}"`)
}

export function rejectEmpty(name: OptionName, value: string | undefined): string | undefined {
  if (value === '') throw badRequest(`--${name} must not be empty`)
  return value
}

export function parseFormat(value: string | undefined): 'text' | 'json' {
  if (value === undefined || value === 'text' || value === 'json') return value ?? 'text'
  throw badRequest(`--mode must be text or json, not "${value}"`)
}

export function parseThinking(value: string | undefined): ThinkingLevel | undefined {
  const level = thinkingLevels.find((name) => name === value)
  if (value === undefined || level !== undefined) return level
  throw badRequest(`--thinking must be one of ${thinkingLevels.join(', ')}, not "${value}"`)
}

export function parseApprove(value: string | undefined): ApprovalMode | undefined {
  const mode = approvalModes.find((name) => name === value)
  if (value === undefined || mode !== undefined) return mode
  throw badRequest(`--approve must be ask, writes or auto, not "${value}"`)
}

export function parseScenario(
  value: string | undefined,
): { readonly name: string; readonly phase?: string } | undefined {
  if (value === undefined) return undefined
  const [name = '', phase, ...more] = value.split(':')
  if (name === '' || phase === '' || more.length > 0)
    throw badRequest(`--scenario must be NAME or NAME:PHASE, not "${value}"`)
  return { name, ...(phase === undefined ? {} : { phase }) }
}

export function parseSandbox(value: string | undefined): SandboxMode | undefined {
  const mode = sandboxModes.find((name) => name === value)
  if (value === undefined || mode !== undefined) return mode
  throw badRequest(
    `--sandbox must be ${sandboxModes.slice(0, -1).join(', ')} or ${sandboxModes.at(-1) ?? ''}, not "${value}"`,
  )
}

/** Parses a list separated by commas; an empty text is an empty list. */
export function parseList(value: string | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined
  const names = value.split(',').map((name) => name.trim())
  return names.filter((name) => name !== '')
}

/** Most paths of one command, as in the protocol. */
const maxExtensions = 100

/** Parses the paths of `--extension` into absolute ones; they are those of the place of the command, not of `--cwd`. */
export function parseExtensionPaths(values: readonly string[] | undefined): readonly string[] | undefined {
  if (values === undefined) return undefined
  for (const value of values) rejectEmpty('extension', value)
  if (values.length > maxExtensions) throw badRequest(`--extension can be there ${maxExtensions} times at most`)
  return values.map((value) =>
    isAbsolute(value) ? value : resolve(currentFolder(', or name the extension by its absolute path'), value),
  )
}

/** @param name name in the error message */
export function parseSessionId(value: string | undefined, name = '--session'): string | undefined {
  if (value === undefined || /^[a-z2-7]{12}$/.test(value)) return value
  throw notSessionId(value, `${name} must be the id of a session (12 characters of a–z and 2–7), not "${value}"`)
}

/** Failure for a word that is not an id: the command adds the session with the nearest id or title, if there is one. */
export function notSessionId(word: string, message: string): Failure {
  return new Failure('bad_request', message, { data: { word } })
}

export function parseFolder(value: string | undefined): string {
  const name = rejectEmpty('cwd', value) ?? '.'
  return isAbsolute(name) ? name : resolve(currentFolder(', or name one with --cwd'), name)
}

/** Reads the session id that an action of `rxpi sessions` needs. */
export function parseSession(action: string, words: readonly string[], count = 1): string {
  const [session] = words
  if (session === undefined || session === '') {
    throw badRequest(
      `sessions ${action} needs a session's id: rxpi sessions ${action} abcdefghij23; rxpi sessions list prints the ids`,
    )
  }
  if (!/^[a-z2-7]{12}$/.test(session)) {
    throw notSessionId(session, `"${session}" is not the id of a session (12 characters of a–z and 2–7)`)
  }
  rejectMore(action, words, count)
  return session
}

export function parseEntryId(entryId: string): string {
  if (/^[a-z2-7]{8}$/.test(entryId)) return entryId
  if (entryId === '') throw badRequest('the id of an entry is missing; rxpi sessions tree prints the ids')
  throw badRequest(
    `"${entryId}" is not the id of an entry (8 characters of a–z and 2–7); rxpi sessions tree prints the ids`,
  )
}

/** Rejects superfluous words. */
export function rejectMore(action: string, words: readonly string[], count: number): void {
  const more = words[count]
  if (more === undefined) return
  const what = count === 0 ? 'takes options only' : 'takes no more arguments'
  throw badRequest(`sessions ${action} ${what}; unexpected argument "${more}"`)
}
