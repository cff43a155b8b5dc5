// Collects the calls that a print run refused because no client could answer, and prints each.
import { catchError, concatMap, defer, from, ignoreElements, map, of, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ClientEvent } from '../../../lib/server/protocol/server-frame.ts'
import type { Client } from '../../../lib/server/client/client.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { innerCall } from '../../../lib/streams/messages/inner-call.ts'
import type { ToolCall } from '../../../lib/streams/messages/message.ts'
import type { SandboxMode } from '../../../lib/streams/ports/sandbox.ts'
import { report } from '../../process/progress.ts'
import type { Output } from '../../process/output.ts'

export interface RefusedCall extends Pick<ToolCall, 'name' | 'arguments'> {
  /** Why the policy asked. */
  readonly reason: string
}

/** Refused calls of a run, and the calls of its last message, which may be decided yet. */
export interface RefusedCalls {
  readonly refused: RefusedCall[]
  readonly calls: Map<string, ToolCall>
}

/** Refused calls that are named; a run may repeat the same call often. */
const maxNamed = 20
const maxArguments = 200

/** Call it with every event, in order. */
export function followRefusals({ refused, calls }: RefusedCalls, received: ClientEvent): void {
  if (received.type !== 'event') return
  const { event } = received
  if (event.type === 'message_end' && event.message.role === 'assistant') {
    calls.clear()
    for (const block of event.message.content) if (block.type === 'toolCall') calls.set(block.id, innerCall(block))
  }
  if (event.type !== 'policy_decision' || event.by !== 'unattended') return
  const call = calls.get(event.toolCallId)
  if (call !== undefined) refused.push({ ...call, reason: event.reason })
}

interface RefusalsOfRun {
  readonly refused: readonly RefusedCall[]
  /** The session's folder. */
  readonly cwd: string
  /** As on the command line. */
  readonly sandbox?: SandboxMode | undefined
  readonly env: Readonly<Record<string, string>>
  readonly client: Pick<Client, 'request'>
  readonly stderr: Output
}

/** Completes when each call is named with the flag or the rule that allows it. */
export function reportRefusals({ refused, cwd, sandbox, env, client, stderr }: RefusalsOfRun): Observable<never> {
  const explained = { cwd, env: { ...env, ...(sandbox !== undefined && { RXPI_SANDBOX: sandbox }) } }
  return defer(() => {
    const named = new Map(refused.map((call) => [nameOf(call), call]))
    const all = [...named].slice(0, maxNamed)
    if (named.size > all.length) report(stderr, `${named.size - all.length} more calls were refused`)
    return from(all)
  }).pipe(
    concatMap(([name, { name: tool, arguments: args, reason }]) =>
      client.request({ type: 'policy_explain', ...explained, tool, args, approve: 'auto' }).pipe(
        map(adviceOf),
        catchError(() => of('`rxpi policy explain` prints more.')),
        tap((advice) => report(stderr, `${name} was refused: ${reason} ${advice}`)),
      ),
    ),
    ignoreElements(),
  )
}

/** Names what allows a call, from its verdict in the mode that asks least. */
function adviceOf({ decision, pattern }: ResultOf<'policy_explain'>): string {
  if (decision === 'allow') return '--approve auto allows it.'
  if (pattern !== undefined) return `A rule can allow it: ${pattern} in permissions.allow of your settings.`
  return 'No flag allows it; the terminal UI asks about it.'
}

function nameOf({ name, arguments: args }: RefusedCall): string {
  const text = JSON.stringify(args)
  return `${name} ${text.length > maxArguments ? `${text.slice(0, maxArguments - 1)}…` : text}`
}
