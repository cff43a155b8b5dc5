// A key is looked up when it is first needed, kept in memory only, and named in errors by where it comes from, never by what it is.
import { ReplaySubject, defer, map, of, reduce, share, throwError, timeout } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ProcessEvent } from '../host/process-event.ts'
import { spawnProcess } from '../host/spawn-process.ts'
import { Failure } from '../streams/failure.ts'

export interface CredentialOptions {
  /** A literal, `$VARIABLE`, or `!command` whose output is the key. */
  readonly spec: string
  /** The client's environment. */
  readonly env: Readonly<Record<string, string>>
  /** Whose key it is, for errors. */
  readonly provider: string
}

const commandLimitMs = 10_000
const longestOutput = 64 * 1024

/**
 * Emits the key and completes. A command runs once, with the first subscription, by /bin/sh in the home folder, for at most
 * 10 s; its output is trimmed, kept, and given to every later subscription; after a failure the next one runs it again.
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
export function missingKey(provider: string, variable: string): Failure {
  const message = `There is no key for ${provider}: set ${variable}, or give models.json an apiKey for it.`
  return new Failure('provider_error', message, { data: { kind: 'auth' } })
}

function keyOfCommand(command: string, { env, provider }: CredentialOptions): Observable<string> {
  const failed = (why: string): Failure =>
    new Failure('provider_error', `The apiKey command of ${provider} in models.json ${why}.`, {
      data: { kind: 'auth' },
    })
  let known: string | undefined
  const run$ = defer(() =>
    spawnProcess({ program: '/bin/sh', args: ['-c', command], cwd: env['HOME'] ?? '/', env }),
  ).pipe(
    reduce(addEvent, nothingYet),
    timeout({ first: commandLimitMs, with: () => throwError(() => failed('took longer than 10 s')) }),
    map(({ output, exitCode }) => {
      if (exitCode !== 0) throw failed(`ended with ${exitCode === null ? 'a signal' : `exit code ${exitCode}`}`)
      if (output.trim() === '') throw failed('printed nothing')
      if (output.length > longestOutput) throw failed('printed more than 64 KiB, which is no key')
      return (known = output.trim())
    }),
    share({ connector: () => new ReplaySubject(1) }), // those who wait for the same run share it; the next ones find `known`
  )
  return defer(() => (known === undefined ? run$ : of(known)))
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
