// Tests how the events of a session become updates of ACP.
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import { EventUpdates } from '../../../../app/acp/updates/event-updates.ts'
import type { AgentEvent, EventNamed } from '../../../../lib/streams/events/event.ts'
import { noUsage } from '../../../../lib/streams/messages/message.ts'
import type { AssistantContent } from '../../../../lib/streams/messages/message.ts'

const usage = { ...noUsage, input: 100, cacheRead: 50, output: 20, totalTokens: 170, cost: { ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, total: 0.5 } } // prettier-ignore

/** JSON has an unpaired surrogate as an escape; many readers refuse the message for it. */
const halfCharacter = /\\ud[89a-f]/

function updatesOf(
  events: readonly AgentEvent[],
  more: Partial<ConstructorParameters<typeof EventUpdates>[0]> = {},
): SessionUpdate[] {
  const updates = new EventUpdates({
    cwd: '/project',
    notices: false,
    compaction: false,
    isOwn: (opId) => opId === 'own',
    ...more,
  })
  return events.flatMap((event) => updates.take({ event }))
}

function answer(content: AssistantContent[], entryId = 'aaaaaaaa'): EventNamed<'message_end'> {
  const message = { role: 'assistant' as const, content, api: 'x', provider: 'p', model: 'm', usage, stopReason: 'stop' as const, timestamp: 1 } // prettier-ignore
  return { type: 'message_end', entryId, parentId: null, message }
}

const piece = (offset: number, text: string, contentIndex = 0): AgentEvent => ({
  type: 'message_update',
  entryId: 'aaaaaaaa',
  delta: { type: 'text_delta', contentIndex, offset, text },
})

const chunk = (text: string) => ({
  sessionUpdate: 'agent_message_chunk',
  messageId: 'aaaaaaaa',
  content: { type: 'text', text },
})

describe('a message', () => {
  it('is sent once, whatever pieces came twice or never [ACP-updates, ACP-update-chunks]', () => {
    expect(
      updatesOf([piece(0, 'Hel'), piece(0, 'Hello'), piece(9, 'lost'), answer([{ type: 'text', text: 'Hello you' }])]),
    ).toEqual([chunk('Hel'), chunk('lo'), chunk(' you')])
    expect(updatesOf([answer([{ type: 'text', text: 'All' }])])).toEqual([chunk('All')])
  })

  it('of another client is sent, with its images', () => {
    const content = [{ type: 'text' as const, text: 'see' }, { type: 'image' as const, mimeType: 'image/png', data: 'AA==' }, { type: 'image' as const, mimeType: 'image/gif', blob: 'b'.repeat(64) }] // prettier-ignore
    const event = { type: 'message_end' as const, entryId: 'bbbbbbbb', parentId: null, message: { role: 'user' as const, content, timestamp: 1 } } // prettier-ignore
    const updates = new EventUpdates({
      cwd: '/project',
      notices: false,
      compaction: false,
      isOwn: (opId) => opId === 'own',
    })
    expect(updates.take({ event, opId: 'own' })).toEqual([])
    const contents = updates
      .take({ event, opId: 'other' })
      .map((update) => ('content' in update ? update.content : undefined))
    expect(contents).toEqual([
      { type: 'text', text: 'see' },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'text', text: '[image/gif]' },
    ])
  })
})

describe('a tool call', () => {
  const args = { path: 'a.ts', edits: [{ oldText: 'b', newText: 'c' }] }
  const call: AssistantContent = { type: 'toolCall', id: 'call-1', name: 'edit', arguments: args }
  const start: AgentEvent = {
    type: 'tool_execution_start',
    toolCallId: 'call-1',
    toolName: 'edit',
    entryId: 'aaaaaaaa',
  }
  const end = (more: Partial<EventNamed<'tool_execution_end'>>): AgentEvent => ({
    ...{ type: 'tool_execution_end', toolCallId: 'call-1', toolName: 'edit', isError: false, durationMs: 1 },
    content: [{ type: 'text', text: 'Made 1 edit' }],
    ...more,
  })

  it('is announced, described with its diff, run and ended with the real one [ACP-updates, ACP-update-call]', () => {
    const begun: AgentEvent = { type: 'message_update', entryId: 'aaaaaaaa', delta: { type: 'toolcall_start', contentIndex: 0, id: 'call-1', name: 'edit' } } // prettier-ignore
    const diff =
      '--- a.ts\n+++ a.ts\n@@ -3,2 +3,2 @@\n a\n-b\n+c\n@@ -9,1 +9,1 @@\n-x\n\\ No newline at end of file\n+y\n\\ No newline at end of file\n'
    expect(
      updatesOf([begun, answer([call]), start, end({ details: { path: '/project/a.ts', firstChangedLine: 4, diff } })]),
    ).toEqual([
      {
        sessionUpdate: 'tool_call',
        toolCallId: 'call-1',
        title: 'edit',
        name: 'edit',
        kind: 'edit',
        status: 'pending',
      },
      {
        ...{
          sessionUpdate: 'tool_call_update',
          toolCallId: 'call-1',
          title: 'edit a.ts',
          name: 'edit',
          kind: 'edit',
          status: 'pending',
        },
        ...{ locations: [{ path: '/project/a.ts' }], rawInput: args },
        content: [{ type: 'diff', path: '/project/a.ts', oldText: 'b', newText: 'c' }],
      },
      { sessionUpdate: 'tool_call_update', toolCallId: 'call-1', status: 'in_progress' },
      {
        ...{ sessionUpdate: 'tool_call_update', toolCallId: 'call-1', status: 'completed' },
        content: [
          { type: 'diff', path: '/project/a.ts', oldText: 'a\nb\n', newText: 'a\nc\n' },
          { type: 'diff', path: '/project/a.ts', oldText: 'x', newText: 'y' },
        ],
        locations: [{ path: '/project/a.ts', line: 4 }],
      },
    ])
  })

  it('that failed shows what it returned, within its bound [ACP-updates]', () => {
    const long = end({ isError: true, content: [{ type: 'text', text: 'x'.repeat(40_000) }, { type: 'image', mimeType: 'image/png', bytes: 2_048, blob: 'b'.repeat(64) }] }) // prettier-ignore
    const last = updatesOf([start, long]).at(-1)
    expect(last).toMatchObject({ status: 'failed' })
    const texts = JSON.stringify(last)
    expect(texts).toContain('[cut: 40000 characters]')
    expect(texts).toContain('[image/png, 2 KB]')
    expect(texts.length).toBeLessThan(34_000)
  })

  it('is never cut within a character', () => {
    const long = end({ content: [{ type: 'text', text: `x${'😀'.repeat(20_000)}` }] })
    expect(JSON.stringify(updatesOf([start, long]).at(-1))).not.toMatch(halfCharacter)
  })

  it('shows the end of its output while it runs', () => {
    const updates = new EventUpdates({ cwd: '/project', notices: false, compaction: false, isOwn: () => false })
    updates.take({ event: { ...start, toolName: 'bash' } })
    const print = (content: string, offset: number): AgentEvent => ({ type: 'tool_execution_update', toolCallId: 'call-1', updateType: 'stdout', content, offset }) // prettier-ignore
    updates.take({ event: print('a'.repeat(5_000), 0) })
    updates.take({ event: print('end', 5_000) })
    const [update] = updates.calls.takeOutput()
    const [shown] = update !== undefined && update.sessionUpdate === 'tool_call_update' ? (update.content ?? []) : []
    const text = shown?.type === 'content' && shown.content.type === 'text' ? shown.content.text : ''
    expect([text.length, text.endsWith('end')]).toEqual([4_096, true])
    expect(updates.calls.takeOutput()).toEqual([])
  })

  it.each([
    ['bash', { command: 'ls -la' }, 'execute', 'ls -la'],
    ['read', { path: 'a', offset: 5 }, 'read', 'read a'],
    ['grep', { pattern: 'x', path: 'src' }, 'search', 'grep x src'],
    ['todo', { items: [] }, 'think', 'todo'],
    ['propose_plan', { plan: '…' }, 'switch_mode', 'propose_plan'],
    ['mcp__files__open', { path: 'a' }, 'other', 'mcp__files__open a'],
    [
      'use_tool',
      { name: 'mcp__web__get', arguments: { url: 'https://x.example' } },
      'other',
      'mcp__web__get https://x.example',
    ],
  ])('of %s %j has the kind %s and the title %s [ACP-updates]', (name, input, kind, title) => {
    const [update] = updatesOf([answer([{ type: 'toolCall', id: 'c', name, arguments: input }])])
    expect(update).toMatchObject({ sessionUpdate: 'tool_call', kind, title })
  })
})

describe('other events', () => {
  it('report the plan, the title, the context and the cost [ACP-updates, ACP-update-plan, ACP-update-info, ACP-update-usage]', () => {
    const items = [{ id: '1', text: 'Look', state: 'done' }, { id: '2', text: 'Do', state: 'in_progress' }, { id: '3', text: 'No', state: 'dropped' }] // prettier-ignore
    const updates = updatesOf(
      [
        { type: 'plan_update', items },
        { type: 'session_info_change', to: { title: 'Colours' } },
        answer([]),
        { type: 'model_change', to: 'p/other' },
        answer([]),
      ],
      { contextWindow: 1_000, usage },
    )
    expect(updates).toEqual([
      {
        sessionUpdate: 'plan',
        entries: [
          { content: 'Look', priority: 'medium', status: 'completed' },
          { content: 'Do', priority: 'medium', status: 'in_progress' },
        ],
      },
      { sessionUpdate: 'session_info_update', title: 'Colours' },
      { sessionUpdate: 'usage_update', used: 170, size: 1_000, cost: { amount: 1, currency: 'USD' } },
    ])
  })

  const compaction: AgentEvent = { type: 'compaction', entryId: 'cccccccc', parentId: null, firstKeptEntryId: null, summary: 'Short.', tokensBefore: 9_000, tokensAfter: 100 } // prettier-ignore

  it('are notices and compactions only for an editor that shows them [ACP-updates, ACP-update-notice]', () => {
    const warning: AgentEvent = { type: 'warning', code: 'x', message: 'Mind the gap', recoverable: true }
    expect(updatesOf([warning, compaction])).toEqual([])
    expect(updatesOf([warning, compaction], { notices: true, compaction: true })).toEqual([
      { sessionUpdate: 'notice', severity: 'warning', title: 'Mind the gap' },
      {
        sessionUpdate: 'compaction_update',
        compactionId: 'cccccccc',
        status: 'completed',
        summary: [{ type: 'text', text: 'Short.' }],
      },
    ])
    expect(updatesOf([compaction], { notices: true })).toMatchObject([{ sessionUpdate: 'notice', severity: 'info' }])
  })
})
