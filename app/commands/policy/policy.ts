// Runs `rxpi policy`: explains a decision, translates foreign rules, lists the decisions of a session.
import { concatMap, defer, from, map, mergeMap, of, reduce } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { AuditedDecision, ImportedRule } from '../../../lib/streams/commands/policy-commands.ts'
import type {
  AuditInvocation,
  ExplainInvocation,
  PolicyImportInvocation,
  PolicyInvocation,
} from '../../cli/policy-arguments.ts'
import { endAtSignal } from '../../process/end-at-signal.ts'
import { report } from '../../process/progress.ts'
import type { World } from '../../process/world.ts'
import { latestSession } from '../sessions/resolve-session.ts'
import { explainedSandbox } from './explained-sandbox.ts'
import { countOf } from '../../../lib/streams/values/count-of.ts'

/** Emits the exit code; 1 if no rule of an imported file has a counterpart. */
export function policy(invocation: PolicyInvocation, world: World): Observable<number> {
  return runAction(invocation, world).pipe(endAtSignal(world.signals$))
}

function runAction(invocation: PolicyInvocation, world: World): Observable<number> {
  switch (invocation.action) {
    case 'explain':
      return explain(invocation, world)
    case 'import':
      return importFile(invocation, world)
    case 'audit':
      return audit(invocation, world)
  }
}

function explain(
  { mode: _, action: __, json, sandbox, ...call }: ExplainInvocation,
  { client, env, stdout }: World,
): Observable<number> {
  return client.request({ type: 'policy_explain', env: { ...env }, ...call, ...explainedSandbox(sandbox) }).pipe(
    map((result) => {
      if (json) stdout.json(JSON.stringify(result))
      else stdout.text(explanation(result))
      return 0
    }),
  )
}

function explanation(result: ResultOf<'policy_explain'>): string {
  const { decision, reason, mode, sandboxed, pattern } = result
  const lines = [
    `${decision}: ${reason}`,
    `  ${sourceText(result)}; mode ${mode}, ${sandboxed ? 'in a sandbox' : 'no sandbox'}`,
    ...(decision === 'ask' && pattern !== undefined ? [`  this allow rule would answer: ${pattern}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** The layer that decided, and the class of a command. */
function sourceText({ by, class: found, tier }: Pick<AuditedDecision, 'by' | 'class' | 'tier'>): string {
  return `decided by ${by}${found === undefined ? '' : `; class ${found}${tier === undefined ? '' : ` (${tier})`}`}`
}

function importFile(
  { file, cwd, write, json }: PolicyImportInvocation,
  { client, env, stdout, stderr }: World,
): Observable<number> {
  return client.request({ type: 'policy_import', file, cwd, env: { ...env } }).pipe(
    mergeMap((result) => {
      if (json) stdout.json(JSON.stringify(result))
      else stdout.text(result.rules.map(ruleLine).join(''))
      for (const note of result.notes) report(stderr, note)
      const added = result.rules.filter(({ rule, present = false }) => rule !== undefined && !present)
      if (result.rules.length > 0 && result.rules.every(({ rule }) => rule === undefined)) return of(1)
      if (!write) {
        if (added.length > 0) report(stderr, 'nothing was written; --write adds the rules to your settings')
        return of(0)
      }
      return writeRules(added, { client, env, cwd }).pipe(
        map((target) => {
          report(
            stderr,
            target === undefined
              ? 'your settings have these rules already'
              : `wrote ${countOf(added.length, 'rule')} to ${target}`,
          )
          return 0
        }),
      )
    }),
  )
}

function ruleLine({ list, text, rule, fault, present = false }: ImportedRule): string {
  const result = rule === undefined ? `no counterpart: ${fault ?? ''}` : rule
  return `${list.padEnd(5)}  ${text}  →  ${result}${present ? '  (in your settings)' : ''}\n`
}

interface WriteContext extends Pick<World, 'client' | 'env'> {
  readonly cwd: string
}

/** Adds the rules to their lists, and emits the file once; undefined if there is nothing to add. */
function writeRules(
  rules: readonly ImportedRule[],
  { client, env, cwd }: WriteContext,
): Observable<string | undefined> {
  const context = { cwd, env: { ...env } }
  return from(['allow', 'ask', 'deny'] as const).pipe(
    concatMap((list) => {
      const texts = rules.flatMap((each) => (each.list === list && each.rule !== undefined ? [each.rule] : []))
      const more = [...new Set(texts)]
      if (more.length === 0) return of(undefined)
      const key = `permissions.${list}`
      return defer(() => client.request({ type: 'config_get', ...context, key })).pipe(
        mergeMap(({ setting: { value } }) =>
          client.request({
            type: 'config_set',
            ...context,
            key,
            value: [...listOf(value), ...more],
          }),
        ),
        map(({ file }) => file),
      )
    }),
    reduce((file, each) => each ?? file, undefined as string | undefined),
  )
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function audit({ target, json }: AuditInvocation, world: World): Observable<number> {
  const { client, stdout, stderr } = world
  const isLatest = 'session' in target && target.session === ''
  const target$ = isLatest ? latestSession(world).pipe(map((session) => ({ session }))) : of(target)
  return target$.pipe(
    mergeMap((wanted) => client.request({ type: 'policy_audit', ...wanted })),
    map((result) => {
      const { decisions, total } = result
      if (json) stdout.json(JSON.stringify(result))
      else stdout.text(decisions.map(decisionLine).join(''))
      if (!json && total === 0) report(stderr, 'the log has no decisions')
      if (!json && total > decisions.length) report(stderr, `these are the last ${decisions.length} of ${total}`)
      return 0
    }),
  )
}

function decisionLine(decided: AuditedDecision): string {
  const { at, decision, tool = decided.toolCallId, args, reason, client } = decided
  const call = args === undefined ? '' : ` ${shorten(JSON.stringify(args))}`
  const person = client === undefined ? '' : `; answered at ${client}`
  const line = `${timeText(at)}  ${decision.padEnd(5)}  ${tool}${call}`
  return `${line}\n  ${oneLine(reason)} (${sourceText(decided)}${person})\n`
}

function timeText(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString().replace('T', ' ').slice(0, 19)
}

const maxArguments = 200

function shorten(text: string): string {
  return text.length <= maxArguments ? text : `${text.slice(0, maxArguments)}…`
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ')
}
