// A key is looked up when it is first needed, kept in memory only, and named in errors by where it comes from, never by what it is.
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
  /** A literal, `$VARIABLE`, or `!command` whose output is the key. */
  readonly spec: string
  /** The client's environment. */
  readonly env: Readonly<Record<string, string>>
  /** Whose key it is, for errors. */
  readonly provider: string
  /** How errors call it. @default The apiKey command of the provider in models.json */
  readonly called?: string
  /** Programs inside it are not found by a command. @default / and so none is passed over but relative entries of PATH */
  readonly workspace?: string
  /** Where what a command gave is kept. @default a memory of its own */
  readonly memory?: Pick<KeyMemory, 'commands'>
}

const commandLimitMs = 10_000
const longestOutput = 64 * 1024

/**
 * Emits the key and completes. A command runs once in a process, with the first subscription, by /bin/sh in the home folder,
 * for at most 10 s; its output is trimmed, kept, and given to every later subscription, until it is forgotten
 * (`forgetCommand`); after a failure the next one runs it again. What it writes to stderr is not looked at.
 * Fails with kind `auth` where there is no key, naming the variable or saying that the command failed.
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

/** Says which variable would hold the key. */
export function missingKey(provider: string, variable: string | undefined): Failure {
  const set = variable === undefined ? '' : `set ${variable}, or `
  const message = `There is no key for ${provider}: ${set}store one with rxpi auth set ${provider}, or give models.json an apiKey for it.`
  return new Failure('provider_error', message, { data: { kind: 'auth' } })
}

/** True where the command has run, and its key is kept. */
export function knowsCommand({ spec, env, memory }: CredentialOptions): boolean {
  return spec.startsWith('!') && memory?.commands.has(commandKey(spec.slice(1), env)) === true
}

/** The next subscription runs the command again. */
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
    reduce(addEvent, nothingYet),
    timeout({ first: commandLimitMs, with: () => throwError(() => failed('took longer than 10 s')) }),
    map(({ output, exitCode }) => {
      if (exitCode !== 0) throw failed(`ended with ${exitCode === null ? 'a signal' : `exit code ${exitCode}`}`)
      if (output.trim() === '') throw failed('printed nothing')
      if (output.length > longestOutput) throw failed('printed more than 64 KiB, which is no key')
      memory.commands.set(name, output.trim())
      return output.trim()
    }),
    share({ connector: () => new ReplaySubject(1) }), // those who wait for the same run share it; the next ones find it kept
  )
  return defer(() => {
    const known = memory.commands.get(name)
    return known === undefined ? run$ : of(known)
  })
}

/** A repository's own folder of programs gives no keys (docs/design/security.md#S16). */
function pathFor({ env, workspace }: CredentialOptions): string {
  const searchPath = env['PATH']
  if (workspace !== undefined) return searchFolders({ searchPath, workspace }).join(':')
  return (searchPath ?? '')
    .split(':')
    .filter((folder) => folder.startsWith('/'))
    .join(':')
}

/** Change with every shell and folder, and are nobody's reason to run a command again. */
const passing = new Set(['_', 'PWD', 'OLDPWD', 'SHLVL', 'COLUMNS', 'LINES'])

/** One client's environment may give another key than another's; a digest, so that nothing of it is kept. */
function commandKey(command: string, env: CredentialOptions['env']): string {
  const counting = Object.entries(env).filter(([name]) => !passing.has(name))
  const sorted = counting.sort(([left], [right]) => (left < right ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([command, sorted]))
    .digest('base64')
}

interface CommandOutcome {
  readonly output: string
  readonly exitCode: number | null
}

const nothingYet: CommandOutcome = { output: '', exitCode: null }

/** Keeps one piece more than a key may have. What the command writes to stderr is not looked at: it may hold what must not be shown. */
function addEvent(known: CommandOutcome, event: ProcessEvent): CommandOutcome {
  if (event.type === 'end') return { ...known, exitCode: event.exitCode }
  const counts = event.stream === 'stdout' && known.output.length <= longestOutput
  return counts ? { ...known, output: known.output + event.text } : known
}
