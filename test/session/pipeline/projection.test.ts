// Tests `createProjection`: its state always equals what `foldSession` returns.
import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createProjection } from '../../../lib/session/pipeline/projection.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import { emptySession, foldSession } from '../../../lib/streams/state/fold-session.ts'
import { assistant, sampleEvents, user } from '../../streams/events/samples.ts'

vi.mock(import('../../../lib/streams/state/fold-session.ts'), async (original) => {
  const module = await original()
  return { ...module, foldSession: vi.fn(module.foldSession) }
})

const entryId = 'entryaaa'
const start: AgentEvent = { type: 'message_start', entryId, parentId: null, message: assistant() }
const opening: AgentEvent = { type: 'message_update', entryId, delta: { type: 'text_start', contentIndex: 0 } }
const piece = (offset: number, text: string): AgentEvent => ({
  type: 'message_update',
  entryId,
  delta: { type: 'text_delta', contentIndex: 0, offset, text },
})

const update = (delta: EventNamed<'message_update'>['delta']): AgentEvent => ({
  type: 'message_update',
  entryId,
  delta,
})

beforeEach(() => {
  vi.mocked(foldSession).mockClear()
})

describe('createProjection', () => {
  it('begins with the initial state', () => {
    const initial = emptySession()
    expect(createProjection(initial).state$.value).toBe(initial)
  })

  it('has the result of foldSession at each read', () => {
    const steps = fc.array(fc.record({ text: fc.string({ maxLength: 4 }), look: fc.boolean(), other: fc.boolean() }))
    fc.assert(
      fc.property(steps, (spec) => {
        const keeper = createProjection(emptySession())
        let folded = emptySession()
        let [seq, offset] = [0, 0]
        const take = (event: AgentEvent, durable: boolean): void => {
          const record = { event, at: 0, ...(durable ? { seq: ++seq } : {}) }
          keeper.fold(record)
          folded = foldSession(folded, record)
        }
        take(start, true)
        take(opening, false)
        for (const { text, look, other } of spec) {
          take(piece(offset, text), false)
          offset += text.length
          if (other) take(sampleEvents.custom, true)
          if (look) expect(keeper.state$.value).toEqual(folded)
        }
        expect(keeper.state$.value).toEqual(folded)
      }),
    )
  })

  it('folds the deltas before a block’s end before that end', () => {
    const keeper = createProjection(emptySession())
    const events: AgentEvent[] = [
      start,
      update({ type: 'toolcall_start', contentIndex: 0, id: 'c', name: 'read' }),
      update({ type: 'toolcall_delta', contentIndex: 0, offset: 0, text: '{"a":1}' }),
      update({ type: 'toolcall_end', contentIndex: 0, arguments: { a: 1 } }),
    ]
    for (const event of events) keeper.fold({ event, at: 0 })
    expect(keeper.state$.value.open?.message.content).toEqual([
      { type: 'toolCall', id: 'c', name: 'read', arguments: { a: 1 } },
    ])
  })

  it('emits the current state on subscription, and on publish', () => {
    const keeper = createProjection(emptySession())
    const seqs: unknown[] = []
    keeper.state$.subscribe({ next: ({ seq }) => seqs.push(seq), complete: () => seqs.push('complete') })
    keeper.fold({ event: sampleEvents.custom, at: 0, seq: 1 })
    expect([seqs, keeper.state$.value.seq]).toEqual([[0], 1])
    keeper.publish()
    keeper.close()
    expect(seqs).toEqual([0, 1, 'complete'])
  })

  it('folds a thousand deltas only at the next read', () => {
    const keeper = createProjection(emptySession())
    keeper.fold({ event: start, at: 0, seq: 1 })
    keeper.fold({ event: opening, at: 0 })
    for (let offset = 0; offset < 1_000; offset++) {
      keeper.fold({ event: piece(offset, 'x'), at: 0 })
      keeper.publish()
    }
    expect(keeper.state$.value.open?.message.content).toEqual([{ type: 'text', text: 'x'.repeat(1_000) }])
    expect(keeper.state$.value).toBe(keeper.state$.value)
  })

  it('folds joined pieces once, with the next read', () => {
    const keeper = createProjection(emptySession())
    const events = [start, opening, piece(0, 'a'), piece(1, 'b'), update({ type: 'text_end', contentIndex: 0 })]
    for (const event of events) keeper.fold({ event, at: 0 })
    expect(foldSession).toHaveBeenCalledTimes(2)
    expect(keeper.state$.value.open?.message.content).toEqual([{ type: 'text', text: 'ab' }])
    expect(foldSession).toHaveBeenCalledTimes(3)
  })

  it('drops joined pieces if their message ends before the next read', () => {
    const keeper = createProjection(emptySession())
    const message = assistant([{ type: 'text', text: 'ab' }])
    const end: AgentEvent = { type: 'message_end', entryId, parentId: null, message }
    for (const event of [start, opening, piece(0, 'ab'), end]) keeper.fold({ event, at: 0 })
    expect(keeper.state$.value.entries.get(entryId)?.message).toEqual(message)
    expect(foldSession).toHaveBeenCalledTimes(3)
  })

  const other: AgentEvent = { type: 'message_end', entryId: 'entrybbb', parentId: null, message: user() }
  it.each<[string, AgentEvent]>([
    ['another message ends', other],
    ['another event names their message', { type: 'label', targetEntryId: entryId, label: 'x', by: 'client' }],
    ['their block ends with a signature', update({ type: 'text_end', contentIndex: 0, signature: 's' })],
    ['a thought ends with a signature', update({ type: 'thinking_end', contentIndex: 1, signature: 's' })],
    ['a thought ends', update({ type: 'thinking_end', contentIndex: 1 })],
    ['the next block starts', update({ type: 'text_start', contentIndex: 2 })],
  ])('has the same state as foldSession if %s before the next read', (_, event) => {
    const thought = [
      update({ type: 'thinking_start', contentIndex: 1 }),
      update({ type: 'thinking_delta', contentIndex: 1, offset: 0, text: 'hm' }),
    ]
    const records = [start, opening, ...thought, piece(0, 'ab'), event].map((each) => ({ event: each, at: 0 }))
    const keeper = createProjection(emptySession())
    for (const record of records) keeper.fold(record)
    expect(keeper.state$.value).toEqual(records.reduce(foldSession, emptySession()))
  })

  it('folds an end without a signature with the pieces before it', () => {
    const keeper = createProjection(emptySession())
    const thinking = [
      update({ type: 'thinking_start', contentIndex: 0 }),
      update({ type: 'thinking_delta', contentIndex: 0, offset: 0, text: 'hm' }),
      update({ type: 'thinking_end', contentIndex: 0 }),
    ]
    for (const event of [start, ...thinking]) keeper.fold({ event, at: 0 })
    expect(foldSession).toHaveBeenCalledTimes(2)
  })
})
