// Tests a branch that is copied to a new log: its lines, model, blobs and unfinished calls.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { copyBranch } from '../../../lib/session/create/copy-branch.ts'
import { replayLog } from '../../../lib/session/recovery/replay-log.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import type { FileStore } from '../../../lib/store/sessions/file-store.ts'
import { verifyLog } from '../../../lib/store/repair/verify-log.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { transcript } from '../../../lib/streams/state/fold-session.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { countedIds } from '../../../lib/testing/counted-ids.ts'
import { appendEvents, sampleAt, sampleHeader } from '../../store/sessions/sample-records.ts'
import { assistant, sampleEvents, toolResult, user } from '../../streams/events/samples.ts'
import { valuesOf } from '../../support/values-of.ts'
import { done } from '../../support/done.ts'

let home: string
let store: FileStore
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-copy-'))
  store = fileStore({ home })
})
afterEach(() => rmSync(home, { recursive: true }))

const source = sampleHeader().id
const [a, b, c, d, e] = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd', 'eeeeeeee'] as const

function output(entryId: string, parentId: string | null, message: object = user(entryId)): AgentEvent[] {
  const queued = entryId === e ? { queueId: 'qqqqqqqq' } : {}
  return [
    { type: 'message_start', entryId, parentId, message: { ...message, content: [] } as never, ...queued },
    { type: 'message_end', entryId, parentId, message: message as never },
  ]
}
const calling = assistant([{ type: 'toolCall', id: 'call_1', name: 'read', arguments: { path: 'x' } }])
const ran = (entryId: string, text: string): AgentEvent[] => [
  { ...sampleEvents.tool_execution_start, toolCallId: 'call_1', entryId },
  { ...sampleEvents.tool_execution_end, toolCallId: 'call_1', content: [{ type: 'text', text }] },
]
/**
 * Two branches from `a`: an answer with its call and result, and another prompt followed by a message with the same
 * call.
 */
const events: readonly AgentEvent[] = [
  { ...sampleEvents.agent_start, model: 'p/m', tools: ['read'], thinkingLevel: 'low' },
  ...output(a, null),
  ...output(b, a, calling),
  ...ran(b, 'first'),
  ...output(c, b, toolResult()),
  { ...sampleEvents.turn_end },
  { type: 'head_moved', entryId: a },
  ...output(d, a, calling),
  ...ran(d, 'second'),
  ...output(e, d),
  { type: 'label', targetEntryId: b, label: 'here' },
  { type: 'label', targetEntryId: d, label: 'there' },
]

async function made(own = events): Promise<void> {
  const log = store.create(sampleHeader({ title: 'Old', opId: 'once' }))
  appendEvents(log, [...own, { type: 'session_info_change', to: { title: 'New' } }])
  await valuesOf(log.close())
}
async function copy(entryId: string | null, create = store.create, opId?: string): Promise<string> {
  const { log } = store.open(source, { readOnly: true })
  const own = { ...store, create }
  const branch = { log, state: replayLog(log), entryId, store: own, opId, ids: countedIds(), now: sampleAt + 1_000 }
  try {
    const [copied] = await valuesOf(copyBranch(branch))
    expect(copied?.headEntryId).toBe(entryId)
    return copied?.session ?? ''
  } finally {
    await valuesOf(log.close())
  }
}
async function opened(id: string) {
  const { log } = store.open(id)
  const state = replayLog(log)
  const types = [...log.records()].map(({ event }) => event.type)
  await valuesOf(log.close())
  return { header: log.header, state, types }
}

describe('a copied branch', () => {
  it('contains the whole messages up to its entry, and verifies clean [LOG-tree, COMMAND-branch_session]', async () => {
    await made()
    const id = await copy(c)
    const { header, state } = await opened(id)
    expect(done(verifyLog(store.fileOf(id)))).toMatchObject({ clean: true })
    expect(header).toMatchObject({
      id,
      cwd: '/tmp',
      title: 'New',
      createdAt: sampleAt + 1_000,
      parent: { sessionId: source, entryId: c },
    })
    expect(header).not.toHaveProperty('opId')
    expect(transcript(state)).toEqual([
      user(a),
      calling,
      toolResult({
        content: [{ type: 'text', text: 'first' }],
        isError: sampleEvents.tool_execution_end.isError,
        details: sampleEvents.tool_execution_end.details,
      }),
    ])
    expect([state.headEntryId, [...state.entries.keys()], [...state.labels]]).toEqual([c, [a, b, c], [[b, 'here']]])
  })

  it('continues with the current model, tools and thinking level, and its costs begin at 0', async () => {
    await made()
    const { state } = await opened(await copy(c))
    expect(state).toMatchObject({ model: 'p/m', activeTools: ['read'], thinkingLevel: 'low', usage: noUsage })
    expect(state).not.toHaveProperty('running')
  })

  it('continues with the choices that its source was created with, if no line has others', async () => {
    const thinkingLevel = 'low' as const
    const log = store.create(sampleHeader({ chosen: { model: 'p/m', thinkingLevel, tools: ['read'] } }))
    appendEvents(log, output(a, null))
    await valuesOf(log.close())
    const { state } = await opened(await copy(a))
    expect(state).toMatchObject({ model: 'p/m', thinkingLevel, activeTools: ['read'] })
  })

  it('knows the tools that searches found [TOOLS-discovery-lasting]', async () => {
    const found = (added: string[], origin: string): AgentEvent => ({ type: 'tool_set_change', added, removed: [], source: origin }) // prettier-ignore
    await made([...events, found(['one', 'two'], 'search_tools'), found(['job_input'], 'jobs'), found(['one'], 'search_tools')]) // prettier-ignore
    const { state, types } = await opened(await copy(c))
    expect(state.foundTools).toEqual(['two', 'one'])
    expect(types.filter((type) => type === 'tool_set_change')).toHaveLength(1)
  })

  it('keeps the pins and the last edits of its entries', async () => {
    const edit = (targetEntryId: string, text: string): AgentEvent => ({
      type: 'context_edit',
      targetEntryId,
      replacement: user(text),
    })
    const pin = (targetEntryId: string, pinned: boolean): AgentEvent => ({ type: 'context_pin', targetEntryId, pinned })
    const changes = [edit(a, 'x'), edit(a, 'y'), edit(d, 'z'), pin(a, true), pin(b, true), pin(b, false), pin(d, true)]
    await made([...events, ...changes])
    const { state, types } = await opened(await copy(c))
    expect([...state.pins]).toEqual([a])
    expect([...state.edits].map(([entryId, { replacement }]) => [entryId, replacement])).toEqual([[a, user('y')]])
    expect(types.filter((type) => type.startsWith('context_'))).toEqual(['context_edit', 'context_pin'])
  })

  it('contains only the lines that it needs, each with its original time', async () => {
    await made()
    const id = await copy(c)
    expect((await opened(id)).types).toEqual([
      'message_start',
      'message_end',
      'message_start',
      'message_end',
      'tool_execution_start',
      'tool_execution_end',
      'message_start',
      'message_end',
      'label',
      'model_change',
      'thinking_level_change',
      'active_tools_change',
    ])
    expect(readFileSync(store.fileOf(id), 'utf8')).toContain(`{"seq":1,"at":${sampleAt + 2},"event"`)
  })

  it('omits calls whose results are not on it, and queued inputs', async () => {
    await made()
    const id = await copy(e)
    expect((await opened(id)).types).not.toContain('tool_execution_start')
    expect(readFileSync(store.fileOf(id), 'utf8')).not.toContain('qqqqqqqq')
  })

  it('contains the summaries on its path', async () => {
    const summary = { ...sampleEvents.branch_summary, entryId: b, parentId: a }
    await made([...output(a, null), summary, ...output(c, b)])
    const { state } = await opened(await copy(c))
    expect([...state.summaries.keys()]).toEqual([b])
  })

  it('ends at its entry also if the log has children first', async () => {
    await made([...output(b, a), ...output(a, null)])
    expect((await opened(await copy(b))).state.headEntryId).toBe(b)
  })

  it('leaves its source session unchanged', async () => {
    await made()
    const before = readFileSync(store.fileOf(source))
    await copy(c)
    expect(readFileSync(store.fileOf(source)).equals(before)).toBe(true)
  })

  it.each([null, 'zzzzzzzz'])('cannot end at %s', async (entryId) => {
    await made()
    await expect(copy(entryId)).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('that could not be written whole names its session, and releases it', async () => {
    await made()
    const full: typeof store.create = (header) => {
      const log = store.create(header)
      let left = 3
      const append = log.append.bind(log)
      log.append = (body) => {
        if (left-- === 0) throw new Failure('storage', 'No space')
        return append(body)
      }
      return log
    }
    const failure = expect.objectContaining({
      code: 'storage',
      message: expect.stringMatching(/No space.*session [a-z2-7]{12}/) as string,
    }) as unknown
    await expect(copy(c, full)).rejects.toEqual(failure)
    const id = (await valuesOf(store.list()))
      .flatMap(({ logs }) => logs.map(({ facts }) => facts.id))
      .find((each) => each !== source)
    expect((await opened(id ?? '')).state.entries.size).toBe(1)
  })
})
