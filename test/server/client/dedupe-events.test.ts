// Tests `dedupeEvents`: after a reconnect no durable event and no delta is emitted twice.
import { describe, expect, it } from 'vitest'
import type { ClientEvent, ReceivedEvent } from '../../../lib/server/protocol/server-frame.ts'
import { dedupeEvents } from '../../../lib/server/client/dedupe-events.ts'
import type { MessageDelta } from '../../../lib/streams/messages/delta.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { sampleEvents } from '../../streams/events/samples.ts'

const attached = (head: number): ClientEvent => ({
  type: 'attached',
  channel: 1,
  head,
  headEntryId: null,
  header: { type: 'session', v: 1, id: 'aaaaaaaaaaaa', createdAt: 1, cwd: '/', crc: '' },
  queue: [],
  requests: [],
})
const durable = (seq: number, event: AgentEvent = { type: 'agent_settled' }): ReceivedEvent => ({
  type: 'event',
  event,
  seq,
  at: 1,
  line: '',
})
const update = (delta: MessageDelta): ReceivedEvent => ({
  type: 'event',
  event: { type: 'message_update', entryId: 'mmmmmmmm', delta },
})
const text = (offset: number, piece: string): ReceivedEvent =>
  update({ type: 'text_delta', contentIndex: 0, offset, text: piece })
const output = (offset: number, content: string, updateType: 'stdout' | 'stderr' = 'stdout'): ReceivedEvent => ({
  type: 'event',
  event: { type: 'tool_execution_update', toolCallId: 'call', updateType, content, offset },
})

describe('dedupeEvents', () => {
  it.each([
    ['after', { after: 3 }, { after: 3 }],
    ['tail', { tail: 2 }, { after: 5 }],
    ['a tail that is longer than the log', { tail: 20 }, { after: 0 }],
    ['neither', {}, { after: 7 }],
    ['deltas: false', { deltas: false }, { deltas: false, after: 7 }],
  ])('attaches again with %s if the connection was lost before the first event', (_, requested, from) => {
    const dedupe = dedupeEvents(requested)
    expect(dedupe.attachOptions()).toBe(requested)
    dedupe.filter(attached(7))
    expect(dedupe.attachOptions()).toEqual(from)
  })

  it('requests events after the last durable one, and emits none twice [CLIENT-reconnect, ATTACH-whole]', () => {
    const dedupe = dedupeEvents({ after: 0 })
    const emitted = [attached(2), durable(1), durable(2), attached(3), durable(2), durable(3)].map(dedupe.filter)
    expect(emitted.map((event) => (event?.type === 'event' ? event.seq : event?.type))).toEqual([
      'attached',
      1,
      2,
      undefined,
      undefined,
      3,
    ])
    expect(dedupe.attachOptions()).toEqual({ after: 3 })
  })

  it.each([
    ['once', { after: 0 }, [true, false]],
    ['never, if no log was requested', {}, [false, false]],
  ])('emits caught_up %s', (_, requested, notices) => {
    const dedupe = dedupeEvents(requested)
    const mark: ClientEvent = { type: 'caught_up', seq: 0 }
    expect([mark, mark].map((event) => dedupe.filter(event) !== undefined)).toEqual(notices)
  })

  it.each([
    ['once', {}, [true, false, false]],
    ['of each connection, if that is requested', { repeatsAttached: true }, [true, true, true]],
  ])('emits attached %s', (_, options, notices) => {
    const dedupe = dedupeEvents({}, options)
    expect([attached(1), attached(1), attached(2)].map((event) => dedupe.filter(event) !== undefined)).toEqual(notices)
  })

  it('emits lagging, and the caught_up after it', () => {
    const dedupe = dedupeEvents({})
    const lagging: ClientEvent = { type: 'lagging', seq: 3 }
    const mark: ClientEvent = { type: 'caught_up', seq: 5 }
    expect([lagging, mark, mark].map(dedupe.filter)).toEqual([lagging, mark, undefined])
  })

  it('cuts a piece that was received in part, and drops one that was received whole', () => {
    const dedupe = dedupeEvents({})
    const start = update({ type: 'text_start', contentIndex: 0 })
    expect(
      [start, text(0, 'one '), start, text(0, 'one two'), text(0, 'one two'), text(7, '!')].map(dedupe.filter),
    ).toEqual([start, text(0, 'one '), undefined, text(4, 'two'), undefined, text(7, '!')])
  })

  it('emits the end of a block once', () => {
    const dedupe = dedupeEvents({})
    const end = update({ type: 'thinking_end', contentIndex: 0, signature: 's' })
    const start = update({ type: 'thinking_start', contentIndex: 0 })
    expect([start, end, start, end].map((event) => dedupe.filter(event) !== undefined)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('tracks each stream of a tool separately, and lets one jump ahead', () => {
    const dedupe = dedupeEvents({})
    expect(
      [output(0, 'ab'), output(0, 'ab', 'stderr'), output(0, 'abc'), output(2, 'c'), output(90, 'z')].map(
        dedupe.filter,
      ),
    ).toEqual([output(0, 'ab'), output(0, 'ab', 'stderr'), output(2, 'c'), undefined, output(90, 'z')])
  })

  it('drops the cursors of ended messages, tools and jobs', () => {
    const dedupe = dedupeEvents({})
    dedupe.filter(update({ type: 'text_start', contentIndex: 0 }))
    dedupe.filter(output(0, 'ab'))
    const { message_end: end, tool_execution_end: toolEnd } = sampleEvents
    dedupe.filter(durable(1, { ...end, entryId: 'mmmmmmmm' }))
    dedupe.filter(durable(2, { ...toolEnd, toolCallId: 'call' }))
    expect(dedupe.filter(update({ type: 'text_start', contentIndex: 0 }))).toBeDefined()
    expect(dedupe.filter(output(0, 'ab'))).toBeDefined()
  })

  it('emits other transient events unchanged', () => {
    const status: ReceivedEvent = { type: 'event', event: sampleEvents.status }
    const dedupe = dedupeEvents({})
    expect([status, status].map(dedupe.filter)).toEqual([status, status])
  })
})
