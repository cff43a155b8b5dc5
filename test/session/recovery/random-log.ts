// Generates random session logs from a seed: calls, commands of the user, branches, compactions, queues and labels.
import { appendMessage } from '../../../lib/session/runs/append-message.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { bashExecutionMessage } from '../../../lib/streams/messages/bash-execution.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import { emptySession, foldSession, path } from '../../../lib/streams/state/fold-session.ts'
import { lineBody } from '../../../lib/streams/log/line-event.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'
import { assistant, sampleUsage, user } from '../../streams/events/samples.ts'

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

export interface RandomLog {
  /** The state of the log, folded event by event. */
  readonly state: SessionState
  /** Every `opId` that was used. */
  readonly opIds: readonly string[]
  /** Appends the lines of some random session events; afterwards no run is open, and no message of a command waits. */
  grow(steps: number): void
}

/** Generates into `log`, which is empty. */
export function randomLog(log: SessionLog, random: () => number): RandomLog {
  const opIds: string[] = []
  let state = emptySession()
  let count = 0

  const below = (limit: number): number => Math.floor(random() * limit)
  const fresh = (): string => {
    count += 1
    return String(count)
      .padStart(8, '0')
      .replaceAll(/\d/g, (digit) => alphabet.charAt(Number(digit) + 3))
  }
  const oneOf = <Value>(values: readonly Value[]): Value | undefined => values[below(values.length)]
  const operation = (): { opId?: string } => {
    if (random() < 0.6) return {}
    const again = random() < 0.2 ? oneOf(opIds) : undefined
    const opId = again ?? `op "${fresh()}"`
    if (again === undefined) opIds.push(opId)
    return { opId }
  }
  const report = (event: AgentEvent, more: { runId?: string; opId?: string } = {}): void => {
    const record = { seq: log.head + 1, at: 1_000 + log.head, event, ...more }
    log.append(lineBody(record))
    state = foldSession(state, record)
  }
  const node = (): string | undefined => oneOf([...state.entries.keys(), ...state.summaries.keys()])

  const output = (message: Parameters<typeof user>[0], more: object, queueId?: string): void => {
    const [entryId, parentId] = [fresh(), state.headEntryId]
    const start = queueId === undefined ? {} : { queueId }
    report({ type: 'message_start', entryId, parentId, message: user([]), ...start }, more)
    report({ type: 'message_end', entryId, parentId, message: user(message) }, more)
  }
  const commandEnded = (): void => {
    const jobId = fresh()
    const command = { command: 'ls', output: `file ${jobId}`, exitCode: 0, cancelled: false, truncated: false }
    const message = bashExecutionMessage({ role: 'bashExecution', ...command, jobId, timestamp: 1 })
    report({ type: 'job_start', jobId, command: 'ls', by: 'client' })
    report({ type: 'job_end', jobId, exitCode: 0, durationMs: 1, message })
  }
  /** Appends the messages of commands, which wait while a turn goes on. */
  const appendCommands = (): void => {
    for (const message of state.deferred)
      for (const event of appendMessage(message, {
        nextEntryId: fresh,
        headEntryId: state.headEntryId,
        append: () => undefined,
      }))
        report(event)
  }
  const answered = (calls: readonly string[], more: object): void => {
    const [entryId, parentId] = [fresh(), state.headEntryId]
    const blocks = calls.map((id) => ({ type: 'toolCall' as const, id, name: 'look', arguments: { path: id } }))
    report({ type: 'message_start', entryId, parentId, message: assistant([]) }, more)
    const message = assistant([{ type: 'text', text: `answer ${entryId} ä\u2028` }, ...blocks])
    report({ type: 'message_end', entryId, parentId, message }, more)
    for (const toolCallId of calls)
      report({ type: 'tool_execution_start', toolCallId, toolName: 'look', entryId }, more)
    const ended = random() < 0.5 ? calls : calls.toReversed()
    for (const id of ended) {
      const content = [{ type: 'text' as const, text: `result of ${id}` }]
      const details = random() < 0.5 ? {} : { details: { of: id } }
      const call = { toolCallId: id, toolName: 'look', isError: random() < 0.2, content, ...details }
      report({ type: 'tool_execution_end', ...call, durationMs: 1 }, more)
    }
    for (const toolCallId of calls) resulted(toolCallId, more)
  }
  const resulted = (toolCallId: string, more: object): void => {
    const [entryId, parentId] = [fresh(), state.headEntryId]
    const message = { role: 'toolResult' as const, toolCallId, toolName: 'look', timestamp: 1 }
    const { content = [], isError = false, details } = state.tools.get(toolCallId)?.end ?? {}
    const whole = { ...message, content, isError, ...(details === undefined ? {} : { details }) }
    report({ type: 'message_start', entryId, parentId, message: { ...message, content: [], isError } }, more)
    report({ type: 'message_end', entryId, parentId, message: whole }, more)
  }

  const steps: Record<string, () => void> = {
    run: () => {
      const more = { runId: fresh(), ...operation() }
      report({ type: 'agent_start', model: `bench/${below(3)}`, tools: ['look'], thinkingLevel: 'off' }, more)
      report({ type: 'turn_start', turnId: fresh(), turnIndex: 0 }, more)
      const queued = random() < 0.5 ? state.queue[0] : undefined
      output(`asked ${count}`, more, queued?.queueId)
      for (let turn = below(3); turn >= 0; turn -= 1) {
        answered(turn === 0 ? [] : Array.from({ length: 1 + below(3) }, () => callId(fresh())), more)
        if (random() < 0.2) commandEnded()
        if (random() < 0.5) appendCommands()
      }
      const end = { usage: sampleUsage, hasToolCalls: false, willContinue: false }
      report({ type: 'turn_end', turnId: fresh(), messageEntryId: null, toolResultEntryIds: [], ...end }, more)
      const run = { totalTurns: 1, usage: sampleUsage, durationMs: 5, terminationReason: 'completed' as const }
      report({ type: 'agent_end', ...run }, more)
      report({ type: 'agent_settled' }, more)
    },
    queue: () => {
      const queue = oneOf(['steering', 'followUp'] as const) ?? 'steering'
      const known = oneOf(state.queue)
      const op = known === undefined ? 'add' : (oneOf(['add', 'edit', 'take', 'remove', 'clear'] as const) ?? 'add')
      const queueId = op === 'add' ? fresh() : known?.queueId
      const content = op === 'add' || op === 'edit' ? { content: `queued ${count}` } : {}
      report(
        { type: 'queue_update', queue, op, ...(queueId === undefined ? {} : { queueId }), ...content },
        operation(),
      )
    },
    command: () => {
      commandEnded()
      if (random() < 0.8) appendCommands()
    },
    branch: () => report({ type: 'head_moved', entryId: node() ?? null }, operation()),
    compaction: () => {
      const parentId = state.headEntryId
      const stored = random() < 0.2 ? null : (oneOf(random() < 0.9 ? path(state, parentId) : [fresh()]) ?? null)
      const tokens = { summary: `before ${count}`, tokensBefore: 9, tokensAfter: 3 }
      report({ type: 'compaction', entryId: fresh(), parentId, firstKeptEntryId: stored, ...tokens })
    },
    summary: () => {
      const [parentId, fromEntryId] = [node() ?? null, node()]
      const tokens = { summary: `aside ${count}`, tokensBefore: 9, tokensAfter: 3 }
      if (fromEntryId !== undefined)
        report({ type: 'branch_summary', entryId: fresh(), parentId, fromEntryId, ...tokens })
    },
    label: () => {
      const targetEntryId = node()
      const label = random() < 0.3 ? null : `label ${count}`
      if (targetEntryId !== undefined) report({ type: 'label', targetEntryId, label })
    },
    settings: () => {
      report({ type: 'model_change', to: `other/${below(3)}` }, operation())
      report({ type: 'queue_mode_change', queue: 'followUp', to: random() < 0.5 ? 'all' : 'one-at-a-time' })
      report({ type: 'session_info_change', to: { title: `title ${count}` } })
      report({ type: 'thinking_level_change', to: random() < 0.5 ? 'high' : 'off' }, operation())
    },
    other: () => report({ type: 'custom', customType: 'test', data: 'x'.repeat(below(3_000)) }, operation()),
  }
  const kinds = ['run', 'run', 'run', ...Object.keys(steps)]
  return {
    get state() {
      return state
    },
    opIds,
    grow: (number) => {
      for (let step = 0; step < number; step += 1) steps[oneOf(kinds) ?? 'run']?.()
      appendCommands()
    },
  }
}

/** Makes some ids look like those of unusual providers. */
function callId(id: string): string {
  return id.endsWith('d') ? `call "${id}" \\ö` : `call_${id}`
}
