// Tests the import of rxpi's own logs.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import { sealLine } from '../../../lib/store/lines/line-checksum.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { isDurable } from '../../../lib/streams/events/event.ts'
import { transcript } from '../../../lib/streams/state/fold-session.ts'
import { sampleEvents, toolResult, user } from '../../streams/events/samples.ts'
import { appendEvents, checkpointBody, messageEnd, messageStart, sampleHeader } from '../sessions/sample-records.ts'
import { imported, readBack } from './pi-files.ts'

/** The lines of a log with these events, the header first. */
function logLines(events: readonly AgentEvent[], header = sampleHeader()): string[] {
  const log = memoryStore().create(header)
  return [log.headerLine, ...appendEvents(log, events)]
}

const asFile = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
const end = (entryId: string, text: string, parentId: string | null = null): AgentEvent => ({
  type: 'message_end',
  entryId,
  parentId,
  message: user(text),
})

const call: AgentEvent = {
  type: 'message_end',
  entryId: 'bbbbbbbb',
  parentId: 'aaaaaaaa',
  message: {
    role: 'assistant',
    content: [{ type: 'toolCall', id: 'call_1', name: 'read', arguments: {} }],
    api: 'a',
    provider: 'p',
    model: 'm',
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: 'unknown' },
    stopReason: 'toolUse',
    timestamp: 1,
  },
}
const run: readonly AgentEvent[] = [
  { type: 'agent_start', model: 'p/m', tools: ['read', 'bash'], thinkingLevel: 'high' },
  { type: 'turn_start', turnId: 'tttttttt', turnIndex: 0 },
  end('aaaaaaaa', 'look'),
  call,
  { ...sampleEvents.tool_execution_start, toolCallId: 'call_1', entryId: 'bbbbbbbb' },
  {
    ...sampleEvents.tool_execution_end,
    toolCallId: 'call_1',
    content: [{ type: 'text', text: 'found' }],
    isError: false,
  },
  { type: 'message_end', entryId: 'cccccccc', parentId: 'bbbbbbbb', message: toolResult({ toolCallId: 'call_1' }) },
  sampleEvents.turn_end,
  sampleEvents.agent_end,
  { type: 'agent_settled' },
]

describe('importing a log of rxpi', () => {
  it('copies it event by event under a new id, with the old header as its origin', async () => {
    const { header, format, events, notices } = await imported(
      asFile(logLines(run, sampleHeader({ title: 'Mine', opId: 'o' }))),
    )
    expect(format).toBe('rxpi')
    expect(header).toMatchObject({ title: 'Mine', cwd: '/tmp', createdAt: sampleHeader().createdAt })
    expect(header.id).not.toBe(sampleHeader().id)
    expect(header.opId).toBeUndefined()
    expect(events[0]).toMatchObject({
      type: 'custom',
      customType: 'rxpi.import',
      data: { header: { id: sampleHeader().id } },
    })
    expect(events.slice(1).map(({ type }) => type)).toEqual(run.map(({ type }) => type))
    expect(notices).toEqual([])
  })

  it('folds to the same transcript, usage and stop reasons', async () => {
    const lines = logLines(run)
    const { state } = await imported(asFile(lines))
    const source = memoryStore()
    appendEvents(source.create(sampleHeader()), run)
    const original = readBack(source, sampleHeader().id).state
    expect(transcript(state)).toEqual(transcript(original))
    expect(transcript(state)[2]).toMatchObject({ content: [{ text: 'found' }] })
    expect([state.usage, state.lastEnd]).toEqual([original.usage, original.lastEnd])
  })

  it('uses the active tools of the caller, not of the file [S9e]', async () => {
    const { state } = await imported(asFile(logLines(run)), { activeTools: ['read'] })
    expect(state.activeTools).toEqual(['read'])
  })

  it.each([
    ['approval_mode_change', { type: 'approval_mode_change', to: 'auto' }],
    ['active_tools_change', { type: 'active_tools_change', to: ['bash'] }],
    ['scenario_change', sampleEvents.scenario_change],
    ['queue_update', { type: 'queue_update', queue: 'steering', op: 'add', queueId: 'qqqqqqqq', content: 'do evil' }],
    ['ui_resolved', sampleEvents.ui_resolved],
    ['job_start', sampleEvents.job_start],
    ['files_restored', sampleEvents.files_restored],
  ] satisfies [string, AgentEvent][])(
    'stores %s only as data, and reports it [S9e, EVENT-custom]',
    async (type, event) => {
      const { events, state, notices } = await imported(asFile(logLines([event])))
      expect(events[1]).toEqual({ type: 'custom', customType: 'rxpi.left_out', data: event })
      expect([state.queue, state.activeTools]).toEqual([[], undefined])
      expect(notices).toMatchObject([expect.stringMatching(`2: ${type} was stored as data`)])
    },
  )

  it('stores an event of a newer rxpi as data', async () => {
    const lines = logLines([])
    const later = sealLine('{"seq":1,"at":1,"event":{"type":"teleport","to":"x"}')
    const { events } = await imported(asFile([...lines, later]))
    expect(events[1]).toEqual({ type: 'custom', customType: 'rxpi.left_out', data: { type: 'teleport', to: 'x' } })
  })

  it('continues behind damaged lines, and reports each', async () => {
    const lines = logLines([
      end('aaaaaaaa', 'one'),
      end('bbbbbbbb', 'two', 'aaaaaaaa'),
      end('cccccccc', 'three', 'bbbbbbbb'),
    ])
    const damaged = lines.map((line, index) => (index === 2 ? line.replace('two', 'TWO') : line))
    const { state, notices } = await imported(asFile([...damaged, '\u0000\u0000', '']))
    expect(transcript(state)).toEqual([user('one'), user('three')])
    expect(notices).toEqual([
      expect.stringMatching(/^3: its checksum is missing or wrong/),
      '4: its number is 3 but 2 was expected',
      expect.stringMatching(/^4: the entry that it follows is not in the file/),
      expect.stringMatching(/^5: its checksum is missing or wrong/),
      '6: it is empty; it was left out',
    ])
  })

  it('breaks circles and imports an entry once', async () => {
    const events = [
      end('aaaaaaaa', 'one', 'bbbbbbbb'),
      end('bbbbbbbb', 'two', 'aaaaaaaa'),
      end('aaaaaaaa', 'three', 'bbbbbbbb'),
    ]
    const { state, notices } = await imported(asFile(logLines(events)))
    expect(transcript(state)).toEqual([user('one'), user('two')])
    expect(notices).toHaveLength(2)
  })

  it('omits events about a missing entry', async () => {
    const events: AgentEvent[] = [
      { type: 'head_moved', entryId: 'zzzzzzzz' },
      { type: 'label', targetEntryId: 'zzzzzzzz', label: 'x' },
      { ...sampleEvents.tool_execution_start, entryId: 'zzzzzzzz' },
    ]
    const { events: left, notices } = await imported(asFile(logLines(events)))
    expect(left).toHaveLength(1)
    expect(notices).toHaveLength(3)
  })

  it('keeps the pieces of an unfinished answer, and recovery closes it', async () => {
    const log = memoryStore().create(sampleHeader())
    const lines = [log.headerLine, ...appendEvents(log, [messageStart('aaaaaaaa')])]
    const pieces = [checkpointBody('aaaaaaaa', 0, 'so far'), checkpointBody('bbbbbbbb', 0, 'of another')]
    const { store, header } = await imported(asFile([...lines, ...pieces.map(sealLine)]))
    const stored = [...store.open(header.id).log.checkpoints()]
    expect(stored).toMatchObject([{ event: { entryId: 'aaaaaaaa', delta: { text: 'so far' } } }])
  })

  it('never fails and never loops for missing, repeated or reordered lines', async () => {
    const all = logLines([...run, messageEnd('dddddddd', 'x'), ...Object.values(sampleEvents).filter(isDurable)])
    const [header = '', ...lines] = all
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...lines), { maxLength: 60 }), async (some) => {
        const { state, notes } = await imported(asFile([header, ...some]))
        expect(transcript(state).length).toBeLessThanOrEqual(some.length)
        expect(notes.every(({ line }) => line > 1)).toBe(true)
      }),
      { numRuns: 100 },
    )
  })
})
