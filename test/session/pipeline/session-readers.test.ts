// Tests `sessionReaders`: which lines of the log a reader gets, and what completes their events.
import { Subject, map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { sessionReaders } from '../../../lib/session/pipeline/session-readers.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { SessionRecord } from '../../../lib/streams/log/log-line.ts'
import type { Blobs } from '../../../lib/streams/log/blobs.ts'
import { behavior } from '../../../lib/streams/rx/behavior.ts'
import { emptySession, foldSession } from '../../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import { assistant, sampleEvents, toolResult } from '../../streams/events/samples.ts'

const custom = (seq: number): SessionRecord => ({ event: sampleEvents.custom, at: seq, seq })
const upTo = (count: number): SessionRecord[] => Array.from({ length: count }, (_, index) => custom(index + 1))

/** A log of these records, of which `published` are published. */
function scene(log: readonly SessionRecord[], { published = log.length, blobs = undefined as Blobs | undefined } = {}) {
  const state = behavior<SessionState>({ ...emptySession(), seq: published })
  const live$ = new Subject<SessionRecord>()
  const reads: number[] = []
  const records = function* (after = 0): Generator<SessionRecord> {
    reads.push(after)
    for (const record of log) if ((record.seq ?? 0) > after) yield record
  }
  const readers = sessionReaders(
    { records, blobs },
    { records$: live$, events$: live$.pipe(map(({ event }) => event)), state$: state.behavior$ },
  )
  return { readers, reads, live$, state }
}

const seqs = (records: Iterable<SessionRecord>): unknown[] => [...records].map(({ seq }) => seq)

/** The events that a reader of this log gets, if the session's state is `state`. */
function eventsOf(events: readonly AgentEvent[], state: SessionState, blobs?: Blobs): AgentEvent[] {
  const log = events.map((event, index) => ({ event, at: 0, seq: index + 1 }))
  const { readers, state: present } = scene(log, { blobs })
  present.set({ ...state, seq: log.length })
  const got: AgentEvent[] = []
  readers.events().subscribe((event) => got.push(event))
  return got
}

describe('logged', () => {
  it.each([
    ['from the start', undefined, 3, [1, 2, 3]],
    ['after a line', { after: 2 }, 3, [3]],
    ['no line that is not published yet', { after: 0 }, 2, [1, 2]],
  ])('returns the log %s', (_, from, published, expected) => {
    expect(seqs(scene(upTo(3), { published }).readers.logged(from))).toEqual(expected)
  })

  it('reads nothing from the log at its published end', () => {
    const { readers, reads } = scene(upTo(3), { published: 2 })
    expect([seqs(readers.logged({ after: 2 })), reads]).toEqual([[], []])
  })

  it('returns the lines that are published while it is read', () => {
    const { readers, state } = scene(upTo(3), { published: 1 })
    const got: unknown[] = []
    for (const { seq } of readers.logged()) {
      got.push(seq)
      if (seq === 1) state.set({ ...emptySession(), seq: 2 })
    }
    expect(got).toEqual([1, 2])
  })
})

describe('records and events', () => {
  it('emit the log anew to each subscriber, then the live records', () => {
    const { readers, live$ } = scene(upTo(3), { published: 2 })
    const notices: unknown[] = []
    readers.records({ after: 1 }).subscribe(({ seq }) => notices.push(seq))
    readers.events({ after: 1 }).subscribe(({ type }) => notices.push(type))
    live$.next({ event: sampleEvents.agent_settled, at: 3, seq: 3 })
    expect(notices).toEqual([2, 'custom', 3, 'agent_settled'])
  })
})

describe('events from the log', () => {
  const call = (id: string) => ({ type: 'toolCall', id, name: 'read', arguments: { of: id } }) as const
  const answer: AgentEvent = {
    type: 'message_end',
    entryId: 'answeraa',
    parentId: null,
    message: assistant([{ type: 'text', text: 'so' }, call('one'), call('two')]),
  }
  const start = (toolCallId: string, entryId = 'answeraa'): AgentEvent => ({
    type: 'tool_execution_start',
    toolCallId,
    toolName: 'read',
    entryId,
  })
  const result: AgentEvent = { type: 'message_end', entryId: 'resultaa', parentId: 'answeraa', message: toolResult() }
  const state = [answer, result].reduce((folded, event) => foldSession(folded, { event, at: 0 }), emptySession())

  it('have the arguments of their call if the line has none', () => {
    expect(eventsOf([start('two')], state)).toEqual([{ ...start('two'), args: { of: 'two' } }])
  })

  it.each([
    ['has its arguments on the line', { ...start('two'), args: { of: 'line' } } as AgentEvent],
    ['names no call of its message', start('three')],
    ['names a text', start('', 'answeraa')],
    ['names no stored message', start('two', 'unknownn')],
    ['names a message that is no answer', start('two', 'resultaa')],
    ['belongs to no tool', sampleEvents.custom],
  ])('stay as they are if the event %s', (_, event) => {
    expect(eventsOf([event], state)).toEqual([event])
  })

  it('have the stored message of a tool result, with the content that the tool returned', () => {
    const bare: AgentEvent = { ...result, message: toolResult({ content: [] }) }
    expect(eventsOf([bare], state)).toEqual([result])
    expect(eventsOf([bare], emptySession())).toEqual([bare])
  })

  it('have an answer as its line has it, also if the stored message differs', () => {
    const onLine: AgentEvent = { ...answer, message: assistant([]) }
    expect(eventsOf([onLine], state)).toEqual([onLine])
  })

  it('have the content of blobs, and a text in place of lost content', () => {
    const blobs = {
      read: ({ blob }: { blob: string }) => {
        if (blob === 'lost') throw new Error('no such blob')
        return 'the whole text'
      },
    } as unknown as Blobs // a reader only reads
    const stored = (blob: string): AgentEvent => ({
      ...result,
      message: toolResult({ content: [{ type: 'text', text: 'the', blob, bytes: 14 }] }),
    })
    const texts = [stored('found'), stored('lost')].flatMap((event) => eventsOf([event], emptySession(), blobs))
    expect(texts).toMatchObject([
      { message: { content: [{ type: 'text', text: 'the whole text' }] } },
      { message: { content: [{ type: 'text', text: expect.stringContaining('is lost') as string }] } },
    ])
  })

  it('have the references of their lines if the log has no blobs', () => {
    const event: AgentEvent = {
      ...result,
      message: toolResult({ content: [{ type: 'text', text: 'the', blob: 'found', bytes: 14 }] }),
    }
    expect(eventsOf([event], emptySession())).toEqual([event])
  })
})
