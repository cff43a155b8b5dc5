// Tests the import of pi's session files.
import { describe, expect, it } from 'vitest'
import { branch, transcript } from '../../../lib/streams/state/fold-session.ts'
import { answered, asText, imported, piEntry, piHeader, piMs, piTime, piUsage, printed } from './pi-files.ts'
import type { PiLine } from './pi-files.ts'

const call = { type: 'toolCall', id: 'toolu_1', name: 'read', arguments: { path: 'a.ts' } }
const result: PiLine = {
  type: 'message',
  message: {
    role: 'toolResult',
    toolCallId: 'toolu_1',
    toolName: 'read',
    content: [{ type: 'text', text: 'the file' }],
    details: { lines: 3 },
    isError: false,
    timestamp: piMs + 2,
  },
}

const linear = [
  {
    type: 'session',
    id: 'old',
    timestamp: piTime,
    cwd: '/gone',
    provider: 'anthropic',
    modelId: 'sonnet',
    thinkingLevel: 'off',
  },
  { ...printed('first'), timestamp: piTime },
  { ...answered([{ type: 'text', text: 'reading' }, call]), timestamp: piTime },
  { ...result, timestamp: piTime },
  { type: 'thinking_level_change', timestamp: piTime, thinkingLevel: 'high' },
  { ...answered([{ type: 'text', text: 'done' }]), timestamp: piTime },
  { type: 'compaction', timestamp: piTime, summary: 'so far', firstKeptEntryIndex: 4, tokensBefore: 100 },
  { ...printed('second'), timestamp: piTime },
]

const tree = [
  piHeader(),
  piEntry('1', null, printed('first')),
  piEntry('2', '1', answered([{ type: 'text', text: 'one way' }])),
  piEntry('3', '1', answered([{ type: 'text', text: 'another way' }])),
  piEntry('4', '3', { type: 'label', targetId: '2', label: 'the first try' }),
  piEntry('5', '4', { type: 'model_change', provider: 'openrouter', modelId: 'meta/llama' }),
  piEntry('6', '5', { type: 'branch_summary', fromId: '2', summary: 'it did not work' }),
  piEntry('7', '6', printed('go on')),
  piEntry('8', '7', { type: 'session_info', name: 'My work' }),
  piEntry('9', '8', { type: 'custom', customType: 'todo', data: { open: 2 } }),
  piEntry('10', '9', { type: 'custom_message', customType: 'note', content: 'by an extension', display: true }),
]

const texts = (messages: readonly { readonly role: string; readonly content?: unknown }[]): string[] =>
  messages.map(({ role, content }) => `${role} ${JSON.stringify(content)}`)

describe('importing a session of pi', () => {
  it('imports a linear file message by message', async () => {
    const { state, notices, messages, format } = await imported(asText(linear))
    expect(notices).toEqual([])
    expect([format, messages]).toEqual(['pi', 5])
    expect(texts(transcript(state))).toEqual([
      'user "first"',
      `assistant ${JSON.stringify([{ type: 'text', text: 'reading' }, call])}`,
      'toolResult [{"type":"text","text":"the file"}]',
      'assistant [{"type":"text","text":"done"}]',
      'user "second"',
    ])
  })

  it('keeps usage, details, errors and times', async () => {
    const { state, header } = await imported(asText(linear))
    const [first, answer, output] = transcript(state)
    expect(first).toMatchObject({ timestamp: piMs })
    expect(answer).toMatchObject({ usage: piUsage, provider: 'anthropic', model: 'sonnet', stopReason: 'stop' })
    expect(output).toMatchObject({ details: { lines: 3 }, isError: false, timestamp: piMs + 2 })
    expect(header.createdAt).toBe(piMs)
  })

  it("reads model and thinking level from a linear file's header", async () => {
    const { events } = await imported(asText(linear))
    expect(events.slice(1, 3)).toEqual([
      { type: 'model_change', to: 'anthropic/sonnet' },
      { type: 'thinking_level_change', to: 'off' },
    ])
  })

  it('finds what a compaction of a linear file keeps, also if its number is that of no message', async () => {
    const { state, events } = await imported(asText(linear))
    const done = branch(state)[3]
    expect(done?.message).toMatchObject({ content: [{ text: 'done' }] })
    expect(events.find(({ type }) => type === 'compaction')).toMatchObject({
      summary: 'so far',
      tokensBefore: 100,
      firstKeptEntryId: done?.entryId,
    })
  })

  it('imports a tree with its branches, labels and summaries', async () => {
    const { state, events, notices } = await imported(asText(tree))
    expect(notices).toEqual([])
    expect(texts(transcript(state))).toEqual([
      'user "first"',
      'assistant [{"type":"text","text":"another way"}]',
      'user "go on"',
      'custom "by an extension"',
    ])
    const [first, oneWay] = [...state.entries.values()]
    expect(oneWay).toMatchObject({ parentId: first?.entryId, message: { content: [{ text: 'one way' }] } })
    expect(events.filter(({ type }) => !type.startsWith('message_'))).toMatchObject([
      { type: 'custom', customType: 'rxpi.import', data: { format: 'pi', version: 3, header: { cwd: '/elsewhere' } } },
      { type: 'head_moved', entryId: first?.entryId },
      { type: 'label', targetEntryId: oneWay?.entryId, label: 'the first try' },
      { type: 'model_change', to: 'openrouter/meta/llama' },
      { type: 'branch_summary', summary: 'it did not work', fromEntryId: oneWay?.entryId },
      { type: 'session_info_change', to: { title: 'My work' } },
      { type: 'custom', customType: 'todo', data: { open: 2 } },
    ])
  })

  it('sets the head to the last entry of the file, like pi', async () => {
    const back = [...tree.slice(0, 4), piEntry('4', '2', { type: 'label', targetId: '1', label: 'start' })]
    const { state } = await imported(asText(back))
    expect(texts(transcript(state)).at(-1)).toBe('assistant [{"type":"text","text":"one way"}]')
  })

  it('names the hook messages of version 2 as version 3 does', async () => {
    const hook = {
      type: 'message',
      message: { role: 'hookMessage', customType: 'x', content: 'c', display: true, timestamp: 1 },
    }
    const { state, notices } = await imported(asText([piHeader({ version: 2 }), piEntry('1', null, hook)]))
    expect(transcript(state)).toMatchObject([{ role: 'custom', customType: 'x', content: 'c' }])
    expect(notices).toEqual([])
  })

  it('stores a system message as history that no model gets', async () => {
    const system = { type: 'message', message: { role: 'system', content: 'obey', timestamp: 1 } }
    const { state } = await imported(asText([piHeader(), piEntry('1', null, system)]))
    expect(transcript(state)).toMatchObject([{ role: 'piSystem', content: 'obey' }])
  })

  it('stores an edit of the context with the resulting message', async () => {
    const edits = [
      ...tree.slice(0, 3),
      piEntry('3', '2', {
        type: 'context_edit',
        targetId: '2',
        replacement: { content: [{ type: 'text', text: 'cut' }] },
      }),
      piEntry('4', '3', { type: 'context_edit', targetId: '1', replacement: null }),
    ]
    const { events, notices } = await imported(asText(edits))
    expect(notices).toEqual([])
    expect(events.filter(({ type }) => type === 'context_edit')).toMatchObject([
      { replacement: { role: 'assistant', model: 'sonnet', content: [{ text: 'cut' }] } },
      { replacement: null },
    ])
  })

  it('stores unknown entries as data, and reports it', async () => {
    const lines = [
      piHeader(),
      piEntry('1', null, printed('first')),
      piEntry('2', '1', {
        type: 'compaction',
        summary: 's',
        firstKeptEntryId: '2',
        tokensBefore: 9,
        fromHook: true,
        details: { own: 1 },
      }),
      piEntry('3', '2', { type: 'usage', kind: 'cache_warm', provider: 'p', model: 'm', usage: piUsage }),
      piEntry('4', '3', { type: 'later', what: 'ever' }),
    ]
    const { events, notices } = await imported(asText(lines))
    expect(events.filter(({ type }) => type === 'custom').slice(1)).toMatchObject([
      { customType: 'pi.fields', data: { type: 'compaction', fields: { fromHook: true, details: { own: 1 } } } },
      { customType: 'pi.usage', data: { kind: 'cache_warm', usage: piUsage } },
      { customType: 'pi.unknown', data: { type: 'later', what: 'ever' } },
    ])
    expect(notices).toEqual([
      '3: fields unknown to rxpi were stored as data: fromHook, details',
      '5: entries of type "later" do not exist in rxpi; it was stored as data',
    ])
  })

  it.each([
    [
      'an answer of the oldest form',
      { usage: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 } },
      { usage: { totalTokens: 3, cost: 'unknown' } },
      '',
    ],
    ['no usage', { usage: null }, { usage: { input: 0, cost: 'unknown' } }, 'usage of the answer'],
    ['a reason that we do not have', { stopReason: 'deferred' }, { stopReason: 'stop' }, '"deferred"'],
    ['an answer that was still coming', { stopReason: 'pending' }, { stopReason: 'aborted' }, '"pending"'],
    ['no model', { model: undefined }, { model: 'unknown' }, 'has no model'],
    ['no content', { content: null }, { content: [] }, ''],
    ['a text as content', { content: 'text' }, { content: [{ type: 'text', text: 'text' }] }, ''],
    [
      'a block that we do not have',
      { content: [{ type: 'video' }] },
      { content: [] },
      'block 1 of its content ("video")',
    ],
    [
      'arguments that are no object',
      { content: [{ ...call, arguments: '{"pa' }] },
      { content: [{ arguments: {}, argumentsText: '{"pa' }] },
      '',
    ],
    [
      'a null instead of a text',
      { content: [{ type: 'text', text: 't', textSignature: null }] },
      { content: [{ text: 't' }] },
      '',
    ],
  ])('repairs %s', async (_name, fields, expected, note) => {
    const { state, notices } = await imported(asText([piHeader(), piEntry('1', null, answered([], fields))]))
    expect(transcript(state)).toMatchObject([expected])
    expect(notices.join()).toContain(note)
    expect(notices).toHaveLength(note === '' ? 0 : 1)
  })

  it('maps the highest thinking level of pi to our highest', async () => {
    const lines = [piHeader(), piEntry('1', null, { type: 'thinking_level_change', thinkingLevel: 'max' })]
    const { state, notices } = await imported(asText(lines))
    expect(state.thinkingLevel).toBe('xhigh')
    expect(notices).toHaveLength(1)
  })
})
