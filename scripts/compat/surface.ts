// Collects the names that users depend on: exports, flags, settings, exit codes, schemas.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { exportedNames } from './exported-names.ts'
import type { Workspace } from './harness/place.ts'

export interface Surface {
  /** By entry of the package. */
  readonly exports: Readonly<Record<string, readonly string[]>>
  /** Flags and environment variables that the help of each command names; '' is `rxpi --help`. */
  readonly flags: Readonly<Record<string, readonly string[]>>
  /** Actions of commands with actions: `sessions list` … */
  readonly actions: Readonly<Record<string, readonly string[]>>
  readonly settings: readonly unknown[]
  /** Exit codes that the help names. */
  readonly exitCodes: readonly string[]
  /** The exit code of each error code. */
  readonly failures: Readonly<Record<string, string>>
  /** The protocol's schemas without their descriptions. */
  readonly protocol: unknown
}

const commands = [
  '',
  'tool',
  'sessions',
  'serve',
  'status',
  'stop',
  'attach',
  'rpc',
  'auth',
  'config',
  'models',
  'doctor',
  'protocol',
]

export async function surfaceOf(workspace: Workspace, build: string): Promise<Surface> {
  const run = async (...args: string[]): Promise<string> => (await workspace.run(build, args)).stdout
  const help = async (command: string): Promise<[string, string]> => [
    command,
    await run(...[command, '--help'].filter((word) => word !== '')),
  ]
  const helps = Object.fromEntries(await Promise.all(commands.map(help)))
  const [settings, schema] = await Promise.all([run('config', 'list', '--json'), run('protocol', '--json-schema')])
  const errors = readFileSync(path.join(build, 'docs/errors.md'), 'utf8')
  const each = (pick: (text: string) => string[]): Record<string, string[]> =>
    Object.fromEntries(Object.entries(helps).map(([command, text]) => [command, pick(text)]))
  return {
    exports: exportedNames(build),
    flags: each((text) =>
      unique(text.split(/^Examples?$/m)[0]?.match(/(?<![\w-])--?[a-z][a-z-]*(?![\w-])|\bRXPI_[A-Z_]+/gi) ?? []),
    ),
    actions: each((text) =>
      unique([...text.matchAll(/^([a-z]+)(?: [[<].*)?$|^([a-z]+) {2,}/gm)].map(([, one, two]) => one ?? two ?? '')),
    ),
    settings: (JSON.parse(settings) as { readonly settings: readonly unknown[] }).settings,
    exitCodes: unique((helps['']?.split('Exit codes')[1] ?? '').match(/\b\d+\b/g) ?? []),
    failures: Object.fromEntries(
      [...errors.matchAll(/^\| `(\w+)` \|.*\| (\d+)\s*\|$/gm)].map(([, code = '', exit = '']) => [code, exit]),
    ),
    protocol: JSON.parse(schema, (key, value: unknown) =>
      ['description', 'title', '$comment'].includes(key) && typeof value === 'string' ? undefined : value,
    ),
  }
}

const unique = (words: readonly string[]): string[] => [...new Set(words)].sort()

/** Lists that may gain members: unions of commands and frames, error codes. */
const open = /\/(?:anyOf|capabilities)$|^\/\$defs\/(?:ErrorCode\/enum|Request\/oneOf)$/

/**
 * Returns losses and changes of a newer schema, by path. A new property, definition or member of an open list is no
 * change; a new enum value or required field is one.
 */
export function schemaChanges(then: unknown, now: unknown, at = ''): string[] {
  if (Array.isArray(then) && Array.isArray(now)) {
    const has = new Set(now.map((each) => JSON.stringify(each)))
    const lost = then
      .filter((each) => !has.has(JSON.stringify(each)))
      .map((each) => `${at}: lost ${JSON.stringify(each)}`)
    return now.length > then.length && !open.test(at) ? [...lost, `${at}: gained members`] : lost
  }
  if (typeof then !== 'object' || then === null || typeof now !== 'object' || now === null) {
    return then === now ? [] : [`${at}: ${JSON.stringify(then)} became ${JSON.stringify(now)}`]
  }
  const fields = now as Readonly<Record<string, unknown>>
  return Object.entries(then).flatMap(([key, value]) =>
    key in fields ? schemaChanges(value, fields[key], `${at}/${key}`) : [`${at}/${key} is gone`],
  )
}
