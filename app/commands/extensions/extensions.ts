// Runs `rxpi extensions`: lists extensions, sends decisions about their trust, prints the audit.
import { map, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { ExtensionAuditEntry, ExtensionRow } from '../../../lib/streams/commands/extension-commands.ts'
import type {
  ExtensionAuditInvocation,
  ExtensionKillInvocation,
  ExtensionListInvocation,
  ExtensionTrustInvocation,
  ExtensionsInvocation,
} from '../../cli/extensions-arguments.ts'
import { endAtSignal } from '../../process/end-at-signal.ts'
import { report } from '../../process/progress.ts'
import type { World } from '../../process/world.ts'

/** Emits the exit code. */
export function extensions(invocation: ExtensionsInvocation, world: World): Observable<number> {
  return runAction(invocation, world).pipe(endAtSignal(world.signals$))
}

function runAction(invocation: ExtensionsInvocation, world: World): Observable<number> {
  switch (invocation.action) {
    case 'list':
      return list(invocation, world)
    case 'audit':
      return audit(invocation, world)
    case 'kill':
      return asCommandLine(world, () => kill(invocation, world))
    default:
      return asCommandLine(world, () => decide(invocation, world))
  }
}

/** The audit names what sent a decision. */
function asCommandLine({ client }: World, work: () => Observable<number>): Observable<number> {
  return client.request({ type: 'hello', client: 'cli' }).pipe(mergeMap(work))
}

function list(
  { cwd, json, trust }: ExtensionListInvocation,
  { client, env, stdout, stderr }: World,
): Observable<number> {
  return client.request({ type: 'extension_list', cwd, env: { ...env }, ...(trust ? { trust } : {}) }).pipe(
    map((result) => {
      if (json) stdout.json(JSON.stringify(result))
      else stdout.text(table(result.extensions))
      if (!json) reportList(result, stderr)
      return 0
    }),
  )
}

function reportList({ extensions: rows, problems }: ResultOf<'extension_list'>, stderr: World['stderr']): void {
  for (const { path, message } of problems) report(stderr, `${path}: ${message}`)
  if (rows.length === 0 && problems.length === 0) report(stderr, 'there are no extensions; see docs/extensions.md')
  const [waiting] = rows.filter(({ state }) => state === 'pending')
  if (waiting !== undefined) report(stderr, `to let one run: rxpi extensions trust ${waiting.name}`)
}

const marks = { pending: '○', acknowledged: '◐', trusted: '●', killed: '✗' } as const

function table(rows: readonly ExtensionRow[]): string {
  const width = Math.max(0, ...rows.map(({ name }) => name.length))
  return rows
    .map((row) => {
      const { state, name, origin, root } = row
      return `${marks[state]} ${state.padEnd(12)}  ${name.padEnd(width)}  ${origin.padEnd(7)}  ${root}${remarks(row)}\n`
    })
    .join('')
}

function remarks({ changed = false, dev = false, isolate = false, pi = false, mayReplace = [] }: ExtensionRow): string {
  const found = [
    ...(changed && !dev ? ['changed since you decided'] : []),
    ...(dev ? ['dev'] : []),
    ...(isolate ? ['isolated'] : []),
    ...(pi ? ['of pi'] : []),
    ...(mayReplace.length > 0 ? [`may replace ${mayReplace.join(', ')}`] : []),
  ]
  return found.length === 0 ? '' : `  (${found.join('; ')})`
}

/** Looks first: the decision is about the content that is there now, and that is printed. */
function decide(
  { action, cwd, json, extension, path, dev, isolate, mayReplace, reason }: ExtensionTrustInvocation,
  { client, env, stdout, stderr }: World,
): Observable<number> {
  const answer = action === 'trust' ? 'trust' : action === 'ack' ? 'acknowledge' : 'pending'
  const surroundings = { cwd, env: { ...env }, ...(path === undefined ? {} : { extensions: [path] }) }
  return client.request({ type: 'extension_list', ...surroundings }).pipe(
    mergeMap(({ extensions: rows }) => {
      const digest = rows.find((row) => isMeant(row, extension))?.digest
      return client.request({
        ...{ type: 'extension_trust', ...surroundings, extension, answer },
        ...(digest === undefined || answer === 'pending' ? {} : { digest }),
        ...(dev ? { dev } : {}),
        ...(isolate ? { isolate } : {}),
        ...(mayReplace === undefined ? {} : { mayReplace: [...mayReplace] }),
        ...(reason === undefined ? {} : { reason }),
      })
    }),
    map((result) => {
      if (json) stdout.json(JSON.stringify(result))
      else stdout.text(result.extensions.map(decisionLine).join(''))
      if (!json && dev)
        report(stderr, 'whatever changes this folder, the agent too, changes what runs; no decision stops it')
      return 0
    }),
  )
}

function isMeant({ id, name, root, entry }: ExtensionRow, wanted: string): boolean {
  return [id, name, root, entry].includes(wanted) || name.startsWith(`${wanted}/`)
}

function decisionLine(row: ExtensionRow): string {
  const { state, name, digest, root } = row
  return `${marks[state]} ${state}  ${name}  ${root}${remarks(row)}\n  SHA-256 ${digest}\n`
}

function kill(
  { cwd, json, extension, path, reason }: ExtensionKillInvocation,
  { client, env, stdout }: World,
): Observable<number> {
  const paths = path === undefined ? {} : { extensions: [path] }
  const why = reason === undefined ? {} : { reason }
  return client.request({ type: 'extension_kill', cwd, env: { ...env }, ...paths, extension, ...why }).pipe(
    map((result) => {
      if (json) stdout.json(JSON.stringify(result))
      else
        stdout.text(
          result.extensions.length === 0 ? `✗ killed  ${extension}\n` : result.extensions.map(decisionLine).join(''),
        )
      return 0
    }),
  )
}

function audit(
  { json, extension, limit }: ExtensionAuditInvocation,
  { client, stdout, stderr }: World,
): Observable<number> {
  const chosen = extension === undefined ? {} : { extension }
  return client.request({ type: 'extension_audit', ...chosen, ...(limit === undefined ? {} : { limit }) }).pipe(
    map((result) => {
      const { entries, more } = result
      if (json) stdout.json(JSON.stringify(result))
      else stdout.text(entries.map(entryLine).join(''))
      if (!json && entries.length === 0) report(stderr, 'the audit has no entries')
      if (!json && more) report(stderr, `these are the last ${entries.length}; --limit prints more`)
      return 0
    }),
  )
}

function entryLine({
  time,
  id,
  name = id,
  previous,
  next,
  operator,
  reason = '',
  capability,
  detail = '',
}: ExtensionAuditEntry): string {
  const at = timeText(time)
  if (next === undefined)
    return `${at}  ${name}  ${capability ?? 'load'}${detail === '' ? '' : `  ${oneLine(detail)}`}\n`
  const why = reason === '' ? '' : `: ${oneLine(reason)}`
  return `${at}  ${name}  ${previous ?? '?'} → ${next}  by ${operator ?? '?'}${why}\n`
}

function timeText(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString().replace('T', ' ').slice(0, 19)
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ')
}
