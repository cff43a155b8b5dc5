// Reads a key from a literal, an environment variable or the output of a command.
//
// Guarantees: the key stays in memory; errors name its source, never its value.
import { createHash } from 'node:crypto'
import { ReplaySubject, defer, finalize, map, of, reduce, share, tap, throwError, timeout } from 'rxjs'
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
 * for at most 10 s. Calls with the same memory share a running command. Later subscriptions get its trimmed output until
 * `forgetCommand`. After a failure the next subscription runs the command again. Its stderr is ignored. Fails with kind
 * `auth` if there is no key; the message names the variable or the failed command.
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
  return defer(() => {
    const known = memory.commands.get(name)
    if (known !== undefined) return of(known)
    const running = runningIn(memory)
    const outcome$ = running.get(name) ?? keyCommand(command, name, { ...options, memory })
    running.set(name, outcome$)
    return outcome$.pipe(
      map(({ key, why }) => {
        if (key === undefined) throw failed(why)
        return key
      }),
    )
  })
}

/** The key that a command printed, or why there is none: each caller names the command by its own source. */
type CommandResult = { readonly key: string; readonly why?: never } | { readonly key?: never; readonly why: string }

/** The running commands by memory: a command that asks a person for a password must not run twice at once. */
const runningCommands = new WeakMap<Pick<KeyMemory, 'commands'>, Map<string, Observable<CommandResult>>>()

function runningIn(memory: Pick<KeyMemory, 'commands'>): Map<string, Observable<CommandResult>> {
  const found = runningCommands.get(memory) ?? new Map<string, Observable<CommandResult>>()
  runningCommands.set(memory, found)
  return found
}

/** Runs the command for all who subscribe until it has ended; stores a key in the memory. */
function keyCommand(
  command: string,
  name: string,
  options: CredentialOptions & { readonly memory: Pick<KeyMemory, 'commands'> },
): Observable<CommandResult> {
  const { env, memory } = options
  const running = runningIn(memory)
  const forget = (): void => {
    if (running.get(name) === shared$) running.delete(name)
  }
  const shared$: Observable<CommandResult> = defer(() =>
    spawnProcess({
      program: '/bin/sh',
      args: ['-c', command],
      cwd: env['HOME'] ?? '/',
      env: { ...env, PATH: pathFor(options) },
    }),
  ).pipe(
    reduce(addEvent, noOutput),
    map(resultOf),
    timeout({ first: commandLimitMs, with: () => of<CommandResult>({ why: 'took longer than 10 s' }) }),
    tap(({ key }) => {
      if (key !== undefined) memory.commands.set(name, key)
      forget() // a caller that subscribes again after a failure runs the command again
    }),
    finalize(forget),
    share({ connector: () => new ReplaySubject(1) }),
  )
  return shared$
}

function resultOf({ output, exitCode }: CommandOutcome): CommandResult {
  if (exitCode !== 0) return { why: `ended with ${exitCode === null ? 'a signal' : `exit code ${exitCode}`}` }
  if (output.trim() === '') return { why: 'printed nothing' }
  if (output.length > longestOutput) return { why: 'printed more than 64 KiB, which cannot be a key' }
  return { key: output.trim() }
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
