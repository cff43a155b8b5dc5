// Runs `rxpi import pi`: asks about keys and sessions, imports, and prints the report.
import { concatMap, defer, from, map, of, reduce } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../lib/streams/commands/command.ts'
import type { ImportPiInvocation } from '../cli/config-arguments.ts'
import { currentFolder } from '../process/current-folder.ts'
import { endAtSignal } from '../process/end-at-signal.ts'
import { report } from '../process/progress.ts'
import { readSecret } from '../process/read-secret.ts'
import type { World } from '../process/world.ts'
import { countOf } from '../../lib/streams/values/count-of.ts'

type Items = ResultOf<'import_pi'>['items']

/** The person's consent. */
interface Consent {
  readonly keys: readonly string[]
  readonly sessions: boolean
}

/** Emits the exit code. */
export function importPi(invocation: ImportPiInvocation, world: World): Observable<number> {
  const { client, env, stdout, stderr, signals$ } = world
  const { dir, json, dryRun } = invocation
  const command = {
    type: 'import_pi' as const,
    cwd: currentFolder(),
    env: { ...env },
    ...(dir === undefined ? {} : { dir }),
  }
  const flags: Consent = { keys: invocation.keys ?? [], sessions: invocation.sessions === true }
  const consent$ = defer(() => {
    if (json || dryRun || world.stdin.terminal === undefined) return of(flags)
    return client
      .request({ ...command, keys: [...flags.keys], sessions: flags.sessions, dryRun: true })
      .pipe(concatMap(({ items }) => askAbout(items, flags, world)))
  })
  return consent$.pipe(
    concatMap(({ keys, sessions }) => client.request({ ...command, keys: [...keys], sessions, dryRun })),
    map((result) => {
      if (json) stdout.json(JSON.stringify(result))
      else stdout.text(summary(result, dryRun))
      const advice = adviceFor(result.items)
      if (!json && advice !== undefined) report(stderr, advice)
      return 0
    }),
    endAtSignal(signals$),
  )
}

/** One question for each key, and one for all sessions with their number. */
function askAbout(items: Items, flags: Consent, world: World): Observable<Consent> {
  const open = items.filter(({ needsConsent }) => needsConsent === true)
  const keys = open.filter(({ kind }) => kind === 'key').map(({ name }) => name)
  const sessions = open.filter(({ kind }) => kind === 'session')
  const keys$ = from(keys).pipe(
    concatMap((name) => confirm(`Import the key of ${name}?`, world).pipe(map((yes) => (yes ? [name] : [])))),
    reduce<readonly string[], readonly string[]>((all, names) => [...all, ...names], flags.keys),
  )
  return keys$.pipe(
    concatMap((chosen) =>
      sessions.length === 0
        ? of({ keys: chosen, sessions: flags.sessions })
        : confirm(`Import ${countOf(sessions.length, 'session')}, each into the folder that it names?`, world).pipe(
            map((yes) => ({ keys: chosen, sessions: yes })),
          ),
    ),
  )
}

function confirm(question: string, { stdin, stderr }: World): Observable<boolean> {
  if (stdin.terminal === undefined) return of(false)
  return readSecret(`${question} y or n: `, stdin.terminal, stderr).pipe(map((answer) => /^y(?:es)?$/i.test(answer)))
}

function summary({ dir, items }: ResultOf<'import_pi'>, dryRun: boolean): string {
  const marks = { imported: dryRun ? 'would import' : 'imported', present: 'here already', left: 'left' }
  const lines = items.map(
    ({ kind, name, outcome, why }) => `${marks[outcome]}  ${kind} ${name}${why === undefined ? '' : `: ${why}`}`,
  )
  return [`from ${dir}`, ...(lines.length === 0 ? ['nothing to import'] : lines), ''].join('\n')
}

function adviceFor(items: Items): string | undefined {
  const open = items.filter(({ needsConsent }) => needsConsent === true)
  const keys = open.filter(({ kind }) => kind === 'key').map(({ name }) => name)
  const options = [
    ...(keys.length === 0 ? [] : [`--keys ${keys.join(',')}`]),
    ...(open.length === keys.length ? [] : ['--with-sessions']),
  ]
  return options.length === 0 ? undefined : `to import the rest: rxpi import pi ${options.join(' ')}`
}
