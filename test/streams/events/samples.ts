// Sample values of every schema: as small as it allows, and with all optional fields.
// Over 250 lines: one sample per event.
import type { AgentEvent, EventNamed, EventType } from '../../../lib/streams/events/event.ts'
import type {
  AssistantContent,
  AssistantMessage,
  ToolResultMessage,
  Usage,
  UserMessage,
} from '../../../lib/streams/messages/message.ts'

export const sampleUsage: Usage = {
  input: 3,
  output: 4,
  cacheRead: 1,
  cacheWrite: 2,
  totalTokens: 10,
  cost: { input: 0.1, output: 0.2, cacheRead: 0.25, cacheWrite: 0.5, total: 1.05 },
}

export function assistant(
  content: readonly AssistantContent[] = [],
  fields: Partial<AssistantMessage> = {},
): AssistantMessage {
  return {
    role: 'assistant',
    content,
    api: 'api',
    provider: 'provider',
    model: 'model',
    usage: sampleUsage,
    stopReason: 'stop',
    timestamp: 1,
    ...fields,
  }
}

export function user(content: UserMessage['content'] = 'Hello'): UserMessage {
  return { role: 'user', content, timestamp: 1 }
}

export function toolResult(fields: Partial<ToolResultMessage> = {}): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId: 'call_1',
    toolName: 'read',
    content: [{ type: 'text', text: 'done' }],
    isError: false,
    timestamp: 2,
    durationMs: 5,
    ...fields,
  }
}

const id = 'abcdefg2'
const other = 'bcdefg23'
const notice = { code: 'code', message: 'what happened', context: { more: 1 }, recoverable: true }
const summary = {
  summary: 'short',
  tokensBefore: 10,
  tokensAfter: 2,
  details: { readFiles: ['a'], modifiedFiles: ['b'] },
}
const retry = { attempt: 2, delayMs: 1_000, kind: 'rate_limit', from: 'a/b', to: 'c/d', message: 'slow down' }

/** One event of every type, with all its optional fields. */
export const sampleEvents: { readonly [Type in EventType]: EventNamed<Type> } = {
  agent_start: { type: 'agent_start', model: 'p/m', tools: ['read'], thinkingLevel: 'low', resumedFrom: id },
  turn_start: { type: 'turn_start', turnId: id, turnIndex: 0 },
  message_start: { type: 'message_start', entryId: id, parentId: null, message: user([]), queueId: other },
  message_update: {
    type: 'message_update',
    entryId: id,
    delta: { type: 'toolcall_delta', contentIndex: 1, offset: 0, text: '{', id: 'call_1', name: 'read' },
  },
  message_end: {
    type: 'message_end',
    entryId: id,
    parentId: other,
    message: assistant(
      [
        { type: 'thinking', thinking: 'hm', thinkingSignature: 's', redacted: true },
        { type: 'text', text: 'so', textSignature: 's' },
        {
          type: 'toolCall',
          id: 'c',
          name: 'read',
          arguments: { path: 'a' },
          argumentsText: '{',
          thoughtSignature: 's',
        },
      ],
      { responseModel: 'm', responseId: 'r', errorMessage: 'e', durationMs: 3 },
    ),
  },
  tool_execution_start: {
    type: 'tool_execution_start',
    toolCallId: 'call_1',
    toolName: 'read',
    entryId: id,
    args: { path: 'a' },
    argsChanged: true,
  },
  tool_execution_update: {
    type: 'tool_execution_update',
    toolCallId: 'call_1',
    updateType: 'stdout',
    content: 'x',
    offset: 7,
    progressPercent: 50,
  },
  tool_execution_end: {
    type: 'tool_execution_end',
    toolCallId: 'call_1',
    toolName: 'read',
    isError: false,
    content: [
      { type: 'text', text: 'done' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    ],
    details: { lines: 1 },
    terminate: true,
    durationMs: 5,
  },
  turn_end: {
    type: 'turn_end',
    turnId: id,
    messageEntryId: other,
    toolResultEntryIds: [id],
    usage: sampleUsage,
    hasToolCalls: true,
    willContinue: false,
  },
  agent_end: {
    type: 'agent_end',
    totalTurns: 1,
    usage: { ...sampleUsage, cost: 'unknown', reasoning: 1 },
    durationMs: 9,
    terminationReason: 'stopped',
    stopRule: 'maxTurns',
    error: { code: 'provider_error', message: 'sad', data: { kind: 'auth', status: 401 } },
  },
  agent_settled: { type: 'agent_settled' },
  queue_update: { type: 'queue_update', queue: 'steering', op: 'add', queueId: id, content: 'stop that' },
  model_change: { type: 'model_change', from: 'a/b', to: 'c/d', by: 'client' },
  thinking_level_change: { type: 'thinking_level_change', from: 'off', to: 'high', by: 'client', ignored: true },
  active_tools_change: { type: 'active_tools_change', from: [], to: ['read'], by: 'extension' },
  scenario_change: {
    type: 'scenario_change',
    from: 'plan',
    to: 'build',
    by: 'tool',
    scenario: 'work',
    phase: 'build',
  },
  approval_mode_change: { type: 'approval_mode_change', from: 'ask', to: 'auto', by: 'client' },
  queue_mode_change: { type: 'queue_mode_change', queue: 'followUp', from: 'one-at-a-time', to: 'all', by: 'client' },
  session_info_change: { type: 'session_info_change', from: {}, to: { title: 't' }, by: 'server' },
  label: { type: 'label', targetEntryId: id, label: 'good', by: 'client' },
  head_moved: { type: 'head_moved', entryId: null, summaryEntryId: id },
  compaction: {
    type: 'compaction',
    ...summary,
    entryId: id,
    parentId: null,
    firstKeptEntryId: other,
    usage: sampleUsage,
    reason: 'threshold',
    model: 'p/m',
    focus: 'tests',
  },
  branch_summary: { type: 'branch_summary', ...summary, entryId: id, parentId: other, fromEntryId: other },
  context_edit: { type: 'context_edit', targetEntryId: id, replacement: toolResult() },
  snapshot_taken: { type: 'snapshot_taken', snapshot: 's', moment: 'before', files: 3, notKept: 0 },
  files_restored: { type: 'files_restored', toEntryId: id, paths: ['a'], snapshotBefore: 's' },
  auto_retry: { type: 'auto_retry', ...retry },
  model_fallback: { type: 'model_fallback', ...retry },
  job_start: {
    type: 'job_start',
    jobId: id,
    toolCallId: 'call_1',
    command: 'make',
    excludeFromContext: true,
    by: 'client',
  },
  job_update: { type: 'job_update', jobId: id, content: 'x', offset: 0 },
  compaction_progress: { type: 'compaction_progress', reason: 'threshold', tokensBefore: 90, characters: 12 },
  summary_usage: { type: 'summary_usage', reason: 'manual', usage: sampleUsage },
  job_end: { type: 'job_end', jobId: id, exitCode: null, durationMs: 4, message: toolResult() },
  ui_request: {
    type: 'ui_request',
    requestId: 'abcdefghijklmnopqrstuvwxyz',
    kind: 'approval',
    source: 'core',
    text: 'may it?',
    options: ['a'],
    timeoutMs: 5,
    toolCallId: 'call_1',
    tool: 'bash',
    args: { command: 'ls' },
    diff: '+',
    reason: 'r',
    choices: ['once', 'deny'],
    default: 'deny',
  },
  ui_resolved: {
    type: 'ui_resolved',
    requestId: 'abcdefghijklmnopqrstuvwxyz',
    outcome: 'deny',
    text: 'No.',
    by: 'client',
    client: 'tui',
  },
  policy_decision: {
    type: 'policy_decision',
    toolCallId: 'call_1',
    decision: 'ask',
    reason: 'it deletes a folder tree',
    rule: 'bash(rm *)',
    class: 'recursive_delete',
    tier: 'critical',
    by: 'mediation',
    client: 'tui',
  },
  plan_update: { type: 'plan_update', items: [{ id: '1', text: 'read', state: 'done' }] },
  context_added: { type: 'context_added', kind: 'instructions', path: '/a/AGENTS.md', digest: 'd', text: 't' },
  context_pin: { type: 'context_pin', targetEntryId: id, pinned: true },
  tool_set_change: { type: 'tool_set_change', added: ['job_input'], removed: [], source: 'jobs' },
  question: {
    type: 'question',
    requestId: 'abcdefghijklmnopqrstuvwxyz',
    kind: 'approval',
    source: 'core',
    text: 'may it?',
    choices: ['once', 'session', 'always', 'deny'],
    options: ['a'],
    schema: { type: 'object' },
    url: 'https://example.org',
    timeoutMs: 5,
    toolCallId: 'call_1',
    tool: 'bash',
    args: { command: 'ls' },
    diff: '+',
    reason: 'r',
    pattern: 'bash(ls *)',
    default: { choice: 'deny' },
  },
  question_resolved: {
    type: 'question_resolved',
    requestId: 'abcdefghijklmnopqrstuvwxyz',
    outcome: { choice: 'always', pattern: 'bash(ls)', text: 'fine', values: { a: 1 } },
    by: 'client',
    client: 'tui',
  },
  job_lost: { type: 'job_lost', jobId: id },
  extension_state: { type: 'extension_state', name: 'mine', state: 'loaded' },
  mcp_status: { type: 'mcp_status', server: 'files', state: 'failed', error: 'it ended' },
  surface: { type: 'surface', id: 's', placement: 'widget', lines: ['a'] },
  custom: { type: 'custom', customType: 'mine', data: { any: ['thing'] } },
  status: { type: 'status', ...notice },
  warning: { type: 'warning', ...notice },
  error: { type: 'error', ...notice },
}

/** The same as a list. */
export const everyEvent: readonly AgentEvent[] = Object.values(sampleEvents)
