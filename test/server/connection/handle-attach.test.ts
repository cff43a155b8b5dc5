// Tests the `attach` command at every position of a recorded session.
// Over 250 lines: one command, attached at every moment of one recorded session.
import fc from 'fast-check'
import { NEVER, Subject, lastValueFrom } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { emptySession, foldSession, transcript } from '../../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import { createAttachment } from '../../../lib/server/connection/handle-attach.ts'
import type { ClientEvent } from '../../../lib/server/protocol/server-frame.ts'
import { connect } from '../../../lib/server/client/client.ts'
import type { AttachOptions, Client } from '../../../lib/server/client/client.ts'
import { createServer } from '../../../lib/server/create-server.ts'
import type { Server } from '../../../lib/server/create-server.ts'
import { linkedPair } from '../../../lib/server/protocol/linked-pair.ts'
import { servedSession } from '../../../lib/server/feed/served-session.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import { fakeSession } from '../../support/fake-session.ts'
import type { FakeSession } from '../../support/fake-session.ts'
import { lineClient } from '../../support/line-client.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { scriptedRun } from '../../support/scripted-run.ts'
import { withJob } from '../../support/with-job.ts'
import { unhurried } from '../../support/unhurried.ts'

const id = 'aaaaaaaaaaaa'

function setup(): { session: FakeSession; server: Server } {
  const host = fakeBackend()
  const session = fakeSession({ id })
  host.sessionsById.set(id, session)
  return { session, server: createServer({ host, version: '1' }) }
}

it('ends only the attaching connection, after a status event, if another program changed the log', () => {
  const { session, server } = setup()
  session.record({ type: 'session_info_change', to: { title: 'one' } })
  session.record({ type: 'session_info_change', to: { title: 'two' } })
  Object.assign(session, { logged: () => [][Symbol.iterator]() }) // as at a line that another program wrote
  const [one, other] = [lineClient(server), lineClient(server)]
  one.ask('1', { type: 'open_session', session: id, cwd: '/' })
  one.ask('2', { type: 'attach', session: id, after: 0 })
  const message = expect.stringMatching(/as far as its event 2: another program .* rxpi sessions verify/) as unknown
  expect(one.frames.at(-1)).toMatchObject({ event: { type: 'status', code: 'storage', message, recoverable: false } })
  other.ask('1', { type: 'get_state', session: id })
  expect([one.closed, other.closed, other.answers('1')]).toMatchObject([true, false, [{ ok: true }]])
})

function clientOf(server: Server): Client {
  const [clientEnd, serverEnd] = linkedPair()
  server.connect(serverEnd)
  return connect(clientEnd)
}

/** The events that one attachment received, folded on arrival. */
interface Follower {
  readonly events: ClientEvent[]
  state: SessionState
  readonly lines: Map<number, string>
  stop(): void
}

function follow(server: Server, options: AttachOptions, from?: Follower): Follower {
  const client = clientOf(server)
  // `entries` is changed in place, so a follower that resumes gets its own copy
  const start = from === undefined ? emptySession() : { ...from.state, entries: new Map(from.state.entries) }
  const follower: Follower = { events: [], state: start, lines: new Map(from?.lines), stop: () => client.close() }
  client.events$(id, options).subscribe((event) => {
    follower.events.push(event)
    if (event.type !== 'event') return
    if (event.seq !== undefined) {
      if (follower.lines.has(event.seq)) throw new Error(`seq ${event.seq} came twice`)
      follower.lines.set(event.seq, event.line ?? '')
    }
    follower.state = foldSession(follower.state, event)
  })
  return follower
}

/** The part of the state that is equal for every client, whenever it joined. */
function received(state: SessionState): unknown {
  const { seq, headEntryId, open, tools, queue, running: run, jobs, deferred } = state
  const jobOutput = [...state.jobOutput].filter(([, { text }]) => text !== '')
  // an ended tool has its result; its earlier output is not sent again
  const running = [...tools.values()].map((tool) => (tool.end === undefined ? tool : { ...tool, output: {} }))
  return { seq, headEntryId, open, running, queue, run, jobs, jobOutput, deferred, messages: transcript(state) }
}

const words = fc.array(fc.string({ maxLength: 5 }), { minLength: 1, maxLength: 8 })
const moves = fc.array(fc.tuple(fc.nat({ max: 6 }), fc.constantFrom('attach', 'cut', 'resume'), fc.nat()), {
  maxLength: 14,
})

describe('attaching', () => {
  it('completes if the session is closed while the client attaches', async () => {
    const { session } = setup()
    await lastValueFrom(session.close(), { defaultValue: undefined })
    const { batches$ } = createAttachment(
      servedSession({ session, notices: [] }, { channel: 1 }),
      { session: id, after: 0 },
      unhurried,
    )
    const heard: string[] = []
    batches$.subscribe({ next: ({ lines }) => heard.push(...lines), complete: () => heard.push('end') })
    expect(heard).toEqual([expect.stringContaining('caught_up'), 'end'])
  })

  it(
    'gives every client the log’s state without gap or repeat, at any moments, through lost connections [ATTACH-whole]',
    { timeout: sampleSize(20_000, 600_000) },
    () => {
      fc.assert(
        fc.property(words, words, moves, (first, second, steps) => {
          const { session, server } = setup()
          const events = [...withJob(scriptedRun(first, 0), second), ...withJob(scriptedRun(second, 1), first, 1)]
          const following: Follower[] = []
          const cut: Follower[] = []
          let next = 0
          for (const [advance, move, choice] of steps) {
            for (const event of events.slice(next, next + advance)) session.record(event)
            next += advance
            if (move === 'attach') following.push(follow(server, { after: 0 }))
            const [left] = move === 'cut' ? following.splice(choice % (following.length || 1), 1) : []
            left?.stop()
            if (left !== undefined) cut.push(left)
            const [back] = move === 'resume' ? cut.splice(choice % (cut.length || 1), 1) : []
            if (back !== undefined) following.push(follow(server, { after: back.state.seq }, back))
            for (const follower of following) expect(received(follower.state)).toEqual(received(session.state$.value))
          }
          for (const event of events.slice(next)) session.record(event)
          for (const follower of following) {
            expect(received(follower.state)).toEqual(received(session.state$.value))
            expect([...follower.lines.values()]).toEqual(session.lines)
          }
        }),
        { numRuns: sampleSize(200, 5_000) },
      )
    },
  )

  it('gives the log’s state from within the delivery of any event too [ATTACH-whole]', () => {
    const events = scriptedRun(['a', 'bc'])
    for (let at = 1; at <= events.length; at++) {
      const { session, server } = setup()
      let count = 0
      let joined: Follower | undefined
      follow(server, { after: 0 })
      session.records$.subscribe(() => {
        count += 1
        if (count === at) joined = follow(server, { after: 0 })
      })
      for (const event of events) session.record(event)
      expect(received(joined?.state ?? emptySession())).toEqual(received(session.state$.value))
      expect([...(joined?.lines.values() ?? [])]).toEqual(session.lines)
    }
  })

  it('sends events that attaching itself causes after mark and snapshot, and misses none', () => {
    const events = scriptedRun(['one', 'two'])
    for (let open = 0; open < events.length; open++) {
      const session = fakeSession({ id })
      for (const event of events.slice(0, open)) session.record(event)
      const left = events.slice(open)
      const { batches$ } = createAttachment(
        servedSession({ session, notices: [] }, { channel: 1 }),
        { session: id, after: 0 },
        unhurried,
      )
      const seqs: (number | undefined)[] = []
      let [delivering, nested, mark] = [0, 0, -1]
      // no transport here: it would queue lines that are sent during a delivery
      batches$.subscribe(({ lines: [frame = ''] }) => {
        delivering += 1
        nested = Math.max(nested, delivering)
        const { type, seq } = JSON.parse(frame) as { type: string; seq?: number }
        if (type === 'caught_up') mark = seqs.length === seq ? seqs.length : -1
        else if (seq !== undefined) seqs.push(seq)
        const next = left.shift()
        if (next !== undefined) session.record(next)
        delivering -= 1
      })
      for (const event of left) session.record(event)
      expect(nested).toBe(1)
      expect(mark).toBeGreaterThanOrEqual(0)
      expect(seqs).toEqual(session.lines.map((_, index) => index + 1))
    }
  })

  it('sends the response, the log after the requested seq, the mark, then live events [ATTACH-order]', () => {
    const { session, server } = setup()
    for (const event of scriptedRun(['a']).slice(0, 4)) session.record(event)
    const { events } = follow(server, { after: 2 })
    session.record({ type: 'agent_settled' })
    expect(events.map((event) => (event.type === 'event' ? event.seq : event.type))).toEqual([
      'attached',
      3,
      4,
      'caught_up',
      5,
    ])
    expect(events[0]).toMatchObject({ head: 4, headEntryId: 'uuuuuuua', channel: 1, queue: [], header: { id } })
  })

  it.each([
    [1, [4]],
    [0, []],
    [9, [1, 2, 3, 4]],
  ])('sends the last %i events with tail [ATTACH-order]', (tail, wanted) => {
    const { session, server } = setup()
    for (const event of scriptedRun(['a']).slice(0, 4)) session.record(event)
    const { events } = follow(server, { tail })
    expect(events.flatMap((event) => (event.type === 'event' ? [event.seq] : []))).toEqual(wanted)
    expect(events.at(-1)).toEqual({ type: 'caught_up', seq: 4 })
  })

  it('sends only the open message and live events without after or tail [ATTACH-live]', () => {
    const { session, server } = setup()
    const events = scriptedRun(['one ', 'two'])
    const last = events.findIndex((event) => event.type === 'message_update' && event.delta.type === 'toolcall_delta')
    for (const event of events.slice(0, last + 1)) session.record(event)
    const client = lineClient(server)
    client.ask('1', { type: 'attach', session: id })
    const open = { entryId: 'mmmmmmma', type: 'delta', channel: 1, offset: 0 }
    const update = (delta: object): object => ({ event: { type: 'message_update', entryId: 'mmmmmmma', delta } })
    expect(client.frames.slice(2)).toMatchObject([
      update({ type: 'thinking_start', contentIndex: 0 }),
      { ...open, block: 0, text: 'one two' },
      update({ type: 'thinking_end', contentIndex: 0, signature: 'sealed' }),
      update({ type: 'text_start', contentIndex: 1 }),
      { ...open, block: 1, text: 'one two' },
      update({ type: 'toolcall_start', contentIndex: 2, id: 'call0', name: 'bash' }),
      { ...open, block: 2, text: '{"text":' },
    ])
  })

  it('sends the output of a running tool so far [ATTACH-live]', () => {
    const { session, server } = setup()
    const events = scriptedRun(['out', 'err', 'more'])
    for (const event of events.slice(
      0,
      events.findIndex((each) => each.type === 'tool_execution_end'),
    ))
      session.record(event)
    const client = lineClient(server)
    client.ask('1', { type: 'attach', session: id })
    const update = { type: 'tool_execution_update', toolCallId: 'call0', offset: 0 }
    expect(client.frames.slice(2).map((frame) => frame['event'])).toEqual([
      { ...update, updateType: 'stdout', content: 'outmore' },
      { ...update, updateType: 'stderr', content: 'err' },
    ])
  })

  it('sends durable events but no pieces, live or in the snapshot, if deltas is false [ATTACH-deltas]', () => {
    const { session, server } = setup()
    const events = scriptedRun(['a', 'b'])
    for (const event of events.slice(0, 9)) session.record(event)
    const follower = follow(server, { after: 0, deltas: false })
    for (const event of events.slice(9)) session.record(event)
    const types = follower.events.map((event) => (event.type === 'event' ? event.event.type : event.type))
    expect(types).not.toContain('message_update')
    expect(types).not.toContain('tool_execution_update')
    expect([...follower.lines.values()]).toEqual(session.lines)
    expect(transcript(follower.state)).toEqual(transcript(session.state$.value))
  })

  it.each<[string, object, string]>([
    ['both after and tail', { after: 0, tail: 1 }, 'Send after or tail, not both'],
    ['after beyond the end', { after: 1 }, 'after is 1, but the log ends at 0'],
  ])('refuses %s [COMMAND-attach]', (_, options, message) => {
    const { server } = setup()
    const client = lineClient(server)
    client.ask('1', { type: 'attach', session: id, ...options })
    expect(client.answers('1')).toMatchObject([{ ok: false, error: { code: 'bad_request', message } }])
  })

  it('replaces the previous attachment of the connection', () => {
    const { session, server } = setup()
    const client = lineClient(server)
    client.ask('1', { type: 'attach', session: id })
    client.ask('2', { type: 'attach', session: id, after: 0 })
    session.record({ type: 'agent_settled' })
    expect(client.frames.filter((frame) => frame['type'] === 'event')).toHaveLength(1)
  })

  it('is cancelled by detach while its session is being opened', () => {
    const ready$ = new Subject<void>()
    const host = fakeBackend({ ready$ })
    const session = fakeSession({ id })
    host.sessionsById.set(id, session)
    const client = lineClient(createServer({ host, version: '1' }))
    client.ask('1', { type: 'attach', session: id })
    client.ask('2', { type: 'detach', session: id })
    ready$.next()
    session.record({ type: 'agent_settled' })
    expect(client.frames.slice(1)).toMatchObject([
      { id: '1', ok: false, error: { code: 'cancelled' } },
      { id: '2', ok: true },
    ])
  })

  it('ends with detach, for this connection only [COMMAND-attach]', () => {
    const { session, server } = setup()
    const [client, other] = [lineClient(server), lineClient(server)]
    client.ask('1', { type: 'attach', session: id })
    other.ask('1', { type: 'attach', session: id })
    client.ask('2', { type: 'detach', session: id })
    session.record({ type: 'agent_settled' })
    const events = [client, other].map(({ frames }) => frames.filter((frame) => frame['type'] === 'event').length)
    expect(events).toEqual([0, 1])
  })

  it('makes each frame once for all clients [WIRE-event]', () => {
    const { session, server } = setup()
    const clients = [lineClient(server), lineClient(server)]
    for (const client of clients) client.ask('1', { type: 'attach', session: id })
    let serialised = 0
    const counted: AgentEvent = {
      type: 'status',
      code: 'x',
      message: 'y',
      recoverable: true,
      context: { toJSON: () => (serialised += 1) },
    }
    session.record(counted)
    // once for the log line of the fake session, once for the frame
    expect(serialised).toBe(2)
    expect(clients.map(({ lines }) => lines.at(-1))).toEqual([clients[0]?.lines.at(-1), clients[0]?.lines.at(-1)])
  })

  it('has no effect if it was cancelled while the session was being opened', () => {
    const ready$ = new Subject<void>()
    const host = fakeBackend({ ready$, session: { answer: () => NEVER } })
    const session = fakeSession({ id })
    host.sessionsById.set(id, session)
    const client = clientOf(createServer({ host, version: '1' }))
    const receivedEvents: ClientEvent[] = []
    client
      .events$(id)
      .subscribe((event) => receivedEvents.push(event))
      .unsubscribe()
    ready$.next()
    session.record({ type: 'agent_settled' })
    expect(receivedEvents).toEqual([])
  })
})
