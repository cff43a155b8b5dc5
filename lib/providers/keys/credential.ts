// Reads a key from a literal, an environment variable or the output of a command.
//
// Guarantees: the key stays in memory; errors name its source, never its value.
import { createHash } from 'node:crypto'
import { ReplaySubject, defer, map, of, reduce, share, throwError, timeout } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ProcessEvent } from '../../host/process/process-event.ts'
import { searchFolders } from '../../host/process/find-program.ts'
import { spawnProcess } from '../../host/process/spawn-process.ts'
import { Failure } from '../../streams/values/failure.ts'
import { createKeyMemory } from './key-memory.ts'
import type { KeyMemory } from './key-memory.ts'

export interface CredentialOptions {
  /** A literal, `$VARIABLE`, or `!command`, whose output is the key. */
  readonly spec: string
  /** The client's environment. */
  readonly env: Readonly<Record<string, string>>
  /** The provider of the key, for errors. */
  readonly provider: string
  /** The source of the key in errors. @default The apiKey command of the provider in models.json */
  readonly called?: string
  /** A command finds no program in this folder. @default /, which excludes only relative entries of PATH */
  readonly workspace?: string
  /** The memory for the output of commands. @default an own memory */
  readonly memory?: Pick<KeyMemory, 'commands'>
}

const commandLimitMs = 10_000
const longestOutput = 64 * 1024

/**
 * Emits the key and completes. The first subscription runs a command once in a process, by /bin/sh in the home folder,
 * for at most 10 s. Later subscriptions get its trimmed output until `forgetCommand`. After a failure the next
 * subscription runs the command again. Its stderr is ignored. Fails with kind `auth` if there is no key; the message
 * names the variable or the failed command.
 */
export function credential(options: CredentialOptions): Observable<string> {
  const { spec, env, provider } = options
  if (spec.startsWith('!')) return keyOfCommand(spec.slice(1), options)
  if (!spec.startsWith('$')) return of(spec)
  return defer(() => {
    const key = env[spec.slice(1)]?.trim()
    return key ? of(key) : throwError(() => missingKey(provider, spec.slice(1)))
  })
}

/** The failure for a missing key; it names the variable. @param help further sentences */
export function missingKey(provider: string, variable: string | undefined, help = ''): Failure {
  const set = variable === undefined ? '' : `set ${variable}, or `
  const message = `There is no key for ${provider}: ${set}store one with rxpi auth set ${provider}, or give models.json an apiKey for it.${help && ` ${help}`}`
  return new Failure('provider_error', message, { data: { kind: 'auth' } })
}

/** The failure for a provider that only an account opens. */
export function missingAccount(provider: string): Failure {
  const message = `rxpi is not signed in to ${provider}: sign in with /login, or rxpi auth login ${provider}.`
  return new Failure('provider_error', message, { data: { kind: 'auth' } })
}

/** True if the command has run and its key is in memory. */
export function knowsCommand({ spec, env, memory }: CredentialOptions): boolean {
  return spec.startsWith('!') && memory?.commands.has(commandKey(spec.slice(1), env)) === true
}

/** Makes the next subscription run the command again. */
export function forgetCommand({ spec, env, memory }: CredentialOptions): void {
  memory?.commands.delete(commandKey(spec.slice(1), env))
}

function keyOfCommand(command: string, options: CredentialOptions): Observable<string> {
  const {
    env,
    provider,
    memory = createKeyMemory(),
    called = `The apiKey command of ${provider} in models.json`,
  } = options
  const failed = (why: string): Failure =>
    new Failure('provider_error', `${called} ${why}.`, { data: { kind: 'auth' } })
  const name = commandKey(command, env)
  const run$ = defer(() =>
    spawnProcess({
      program: '/bin/sh',
      args: ['-c', command],
      cwd: env['HOME'] ?? '/',
      env: { ...env, PATH: pathFor(options) },
    }),
  ).pipe(
    reduce(addEvent, noOutput),
    timeout({ first: commandLimitMs, with: () => throwError(() => failed('took longer than 10 s')) }),
    map(({ output, exitCode }) => {
      if (exitCode !== 0) throw failed(`ended with ${exitCode === null ? 'a signal' : `exit code ${exitCode}`}`)
      if (output.trim() === '') throw failed('printed nothing')
      if (output.length > longestOutput) throw failed('printed more than 64 KiB, which cannot be a key')
      memory.commands.set(name, output.trim())
      return output.trim()
    }),
    share({ connector: () => new ReplaySubject(1) }), // subscribers share a running command; later ones find its output in memory
  )
  return defer(() => {
    const known = memory.commands.get(name)
    return known === undefined ? run$ : of(known)
  })
}

/** A command does not use programs of the workspace (docs/design/security.md#S16). */
function pathFor({ env, workspace }: CredentialOptions): string {
  const searchPath = env['PATH']
  if (workspace !== undefined) return searchFolders({ searchPath, workspace }).join(':')
  return (searchPath ?? '')
    .split(':')
    .filter((folder) => folder.startsWith('/'))
    .join(':')
}

/** Variables that change with every shell and folder; a change does not run a command again. */
const volatileVariables = new Set(['_', 'PWD', 'OLDPWD', 'SHLVL', 'COLUMNS', 'LINES'])

/** Identifies a command in an environment. It is a digest, so that no value of the environment stays in memory. */
function commandKey(command: string, env: CredentialOptions['env']): string {
  const counted = Object.entries(env).filter(([name]) => !volatileVariables.has(name))
  const sorted = counted.sort(([left], [right]) => (left < right ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([command, sorted]))
    .digest('base64')
}

interface CommandOutcome {
  readonly output: string
  readonly exitCode: number | null
}

const noOutput: CommandOutcome = { output: '', exitCode: null }

/** Collects at most one chunk more than a key can have. It ignores stderr, which may contain secrets. */
function addEvent(known: CommandOutcome, event: ProcessEvent): CommandOutcome {
  if (event.type === 'end') return { ...known, exitCode: event.exitCode }
  const counts = event.stream === 'stdout' && known.output.length <= longestOutput
  return counts ? { ...known, output: known.output + event.text } : known
}
