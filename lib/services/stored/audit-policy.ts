// Lists the decisions about tool calls that a session's log holds, with the calls that they are about.
// Guarantees: reads the log in slices; holds the calls of one run and at most `limit` decisions.
import { map } from 'rxjs'
import type { ResultOf } from '../../streams/commands/command.ts'
import type { AuditedDecision } from '../../streams/commands/policy-commands.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import { innerCall } from '../../streams/messages/inner-call.ts'
import type { ToolCall } from '../../streams/messages/message.ts'
import type { StoredBackend } from '../contract/server-backend.ts'
import { foldLog } from './read-sessions.ts'
import type { ReadStores } from './read-sessions.ts'

const defaultLimit = 1_000

export function auditPolicy(stores: ReadStores): Pick<StoredBackend, 'auditPolicy'> {
  return {
    auditPolicy: ({ limit = defaultLimit, ...target }) =>
      foldLog(stores, target, new Audit(limit), (audit, record) => audit.add(record)).pipe(
        map(({ result }) => result.toResult()),
      ),
  }
}

class Audit {
  private readonly limit: number
  /** Of the current run, with the `seq` of their message: a provider may name calls alike. */
  private calls = new Map<string, Pick<ToolCall, 'name' | 'arguments'> & { readonly seq: number }>()
  private runSeq = 0
  private decisions: AuditedDecision[] = []
  private total = 0

  constructor(limit: number) {
    this.limit = limit
  }

  add({ seq, at, event }: SessionRecord): this {
    switch (event.type) {
      case 'agent_start':
        this.calls = new Map()
        this.runSeq = seq ?? this.runSeq
        return this
      case 'message_end':
        if (event.message.role === 'assistant') this.addCalls(event.message.content, seq ?? this.runSeq)
        return this
      case 'policy_decision': {
        const { type: _, ...decision } = event
        const call = this.calls.get(event.toolCallId)
        if (seq !== undefined)
          this.push({ seq, at, ...decision, ...(call !== undefined && { tool: call.name, args: call.arguments }) })
        return this
      }
      case 'tool_execution_start':
        if (event.args !== undefined) this.replaceArguments(event.toolCallId, event.args)
        return this
      default:
        return this
    }
  }

  toResult(): ResultOf<'policy_audit'> {
    return { decisions: this.decisions.slice(-this.limit), total: this.total }
  }

  private addCalls(content: readonly { readonly type: string }[], seq: number): void {
    for (const block of content) if (isCall(block)) this.calls.set(block.id, { ...innerCall(block), seq })
  }

  private push(decision: AuditedDecision): void {
    this.total += 1
    this.decisions.push(decision)
    if (this.decisions.length >= 2 * this.limit) this.decisions = this.decisions.slice(-this.limit)
  }

  /** A hook changed them before the decision. */
  private replaceArguments(toolCallId: string, args: unknown): void {
    const since = this.calls.get(toolCallId)?.seq ?? this.runSeq
    const isOfCall = (each: AuditedDecision): boolean => each.toolCallId === toolCallId && each.seq > since
    this.decisions = this.decisions.map((each) => (isOfCall(each) ? { ...each, args } : each))
  }
}

function isCall(block: { readonly type: string }): block is ToolCall {
  return block.type === 'toolCall'
}
