// Tests the event feed of one connection, with a reader that pauses and resumes at every point.
// Over 250 lines: one function and one connection, with a reader that pauses and resumes at every point.
import fc from 'fast-check'
import { defer, finalize, ignoreElements, map, merge, mergeMap, tap } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { emptySession, foldSession, transcript } from '../../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import { feed } from '../../../lib/server/feed/feed.ts'
import type { FeedOptions, Pressure } from '../../../lib/server/feed/feed.ts'
import { receiveFrames } from '../../../lib/server/client/receive-frames.ts'
import { servedSession } from '../../../lib/server/feed/served-session.ts'
import type { ServedSession } from '../../../lib/server/feed/served-session.ts'
import type { LineBatch } from '../../../lib/server/protocol/transport.ts'
import { parseServerFrame } from '../../../lib/server/protocol/server-frame.ts'
import { fakeSession } from '../../support/fake-session.ts'
import type { FakeSession } from '../../support/fake-session.ts'
import { pacedPressure } from '../../support/paced-pressure.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { scriptedRun } from '../../support/scripted-run.ts'
import { withJob } from '../../support/with-job.ts'
import { unhurried } from '../../support/unhurried.ts'
import { binaryText } from '../../support/binary-text.ts'

const id = 'aaaaaaaaaaaa'

function setup(tick?: Turns['turn']): { session: FakeSession; served: ServedSession } {
  const session = fakeSession({ id })
  const options = { channel: 1, ...(tick === undefined ? {} : { tick }) }
  return { session, served: servedSession({ session, notices: [] }, options) }
}

/** Steps that wait until other work has run. */
interface Turns {
  turn(step: () => void): () => void
  run(count?: number): void
  readonly waiting: number
}

function turns(): Turns {
  const steps = new Set<() => void>()
  return {
    turn: (step) => {
      steps.add(step)
      return () => steps.delete(step)
    },
    get waiting() {
      return steps.size
    },
    run: (count = Infinity) => {
      for (const step of [...steps].slice(0, count)) if (steps.delete(step)) step()
    },
  }
}

/** A client that folds what it reads, and fails the test if a line or a character is repeated or missing. */
interface Reader {
  state: SessionState
  readonly lines: string[]
  readonly types: string[]
  take(count?: number): void
  unsent(): number
  leave(): void
}

type ReaderOptions = Partial<FeedOptions> & { readonly from?: Reader; readonly together?: boolean }

function reader(served: ServedSession, { from, together = false, ...options }: ReaderOptions): Reader {
  // `entries` is changed in place: a reader that resumes has its own copy
  const before = from?.state ?? emptySession()
  const lengths = new Map<string, number>()
  const receiver = receiveFrames(id)
  const self: Reader = {
    state: { ...before, entries: new Map(before.entries) },
    lines: [...(from?.lines ?? [])],
    types: [],
    take: (count) => paced.take(count),
    unsent: () => paced.unsent(),
    leave: () => subscription.unsubscribe(),
  }
  const hear = (event: AgentEvent, { seq, line, at }: { seq?: number; line?: string; at?: number }): void => {
    if (seq !== undefined) expect(seq).toBe(self.lines.push(line ?? ''))
    if (event.type === 'message_update' && 'offset' in event.delta) {
      const { contentIndex, offset, text } = event.delta
      const key = `${event.entryId} ${contentIndex}`
      expect([key, offset]).toEqual([key, lengths.get(key) ?? 0])
      lengths.set(key, offset + text.length)
    }
    if (event.type === 'job_update') {
      expect([event.jobId, event.offset]).toEqual([event.jobId, lengths.get(event.jobId) ?? 0])
      lengths.set(event.jobId, event.offset + event.content.length)
    }
    const known = { ...(seq === undefined ? {} : { seq }), ...(at === undefined ? {} : { at }) }
    self.state = foldSession(self.state, { event, ...known })
  }
  const paced = pacedPressure({
    together,
    taken: (text) => {
      const frame = parseServerFrame(text)
      self.types.push((JSON.parse(text) as { type: string }).type)
      const heard =
        frame?.type === 'event'
          ? receiver.event(frame, text)
          : frame?.type === 'delta'
            ? receiver.delta(frame)
            : undefined
      if (heard !== undefined) hear(heard.event, heard)
    },
  })
  const subscription = feed(served, {
    after: self.lines.length,
    isMarked: true,
    deltas: true,
    joinMs: 0,
    pressure: paced,
    ...options,
  }).subscribe(paced.send)
  return self
}

/** The part of the state that is equal for every client, whenever it joined and however much it missed. */
function received(state: SessionState): unknown {
  const { seq, headEntryId, open, tools, queue, running: run, jobs, deferred } = state
  const jobOutput = [...state.jobOutput].filter(([, { text }]) => text !== '')
  const running = [...tools.values()].map(({ output, ...tool }) => ({
    ...tool,
    // the earlier output of an ended tool is not sent again; empty output counts as none
    output: tool.end === undefined ? Object.entries(output).filter(([, { text }]) => text !== '') : [],
  }))
  return { seq, headEntryId, open, running, queue, run, jobs, jobOutput, deferred, messages: transcript(state) }
}

const words = fc.array(binaryText({ maxLength: 9 }), { minLength: 1, maxLength: 6 })
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ move: fc.constant('record'), count: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 2, arbitrary: fc.record({ move: fc.constant('attach'), count: fc.constantFrom(0, 1, 1, 5) }) },
  { weight: 4, arbitrary: fc.record({ move: fc.constant('take'), count: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 3, arbitrary: fc.record({ move: fc.constant('turn'), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ move: fc.constantFrom('cut', 'resume'), count: fc.nat({ max: 5 }) }) },
)
const bounds = fc.record({ unsent: fc.constantFrom(1, 300, 2_000), portion: fc.constantFrom(2, 40, 500) })

describe('feed', () => {
  it(
    'delivers every line and every character once to clients that are slow, leave or come back at any moment [SLOW-lagging]',
    { timeout: sampleSize(30_000, 900_000) },
    () => {
      fc.assert(
        fc.property(words, words, fc.array(step, { maxLength: 40 }), bounds, (first, second, steps, limits) => {
          const waiting = turns()
          const { session, served } = setup(waiting.turn)
          const events = [...withJob(scriptedRun(first, 0), second), ...withJob(scriptedRun(second, 1), first, 1)]
          const options = { schedule: waiting.turn, bounds: limits }
          const reading: Reader[] = []
          const cut: Reader[] = []
          const isPrefix = ({ lines }: Reader): void => expect(lines).toEqual(session.lines.slice(0, lines.length))
          for (const { move, count } of steps) {
            if (move === 'record') for (const event of events.splice(0, count)) session.record(event)
            if (move === 'attach')
              reading.push(reader(served, { ...options, joinMs: count === 5 ? 5 : 0, together: count > 0 }))
            if (move === 'turn') waiting.run(count)
            const chosen = count % (reading.length || 1)
            if (move === 'take') reading[chosen]?.take(count)
            if (move === 'cut') cut.push(...reading.splice(chosen, 1))
            const [back] = move === 'resume' ? cut.splice(0, 1) : []
            back?.leave()
            if (back !== undefined) reading.push(reader(served, { ...options, from: back, together: count % 2 === 0 }))
            for (const each of reading) isPrefix(each)
          }
          for (const event of events) session.record(event)
          for (let round = 0; round < 5_000; round++) {
            waiting.run()
            for (const each of reading) each.take()
            if (reading.every(({ lines }) => lines.length === session.lines.length)) break
          }
          for (const each of reading) {
            expect(received(each.state)).toEqual(received(session.state$.value))
            expect(each.lines).toEqual(session.lines)
          }
          for (const each of [...reading, ...cut]) each.leave()
        }),
        { numRuns: sampleSize(300, 20_000) },
      )
    },
  )

  it('gives a client that has taken everything the text of the state', { timeout: sampleSize(30_000, 900_000) }, () => {
    fc.assert(
      fc.property(
        words,
        fc.array(fc.nat({ max: 5 }), { maxLength: 60 }),
        bounds,
        fc.boolean(),
        (pieces, pace, limits, together) => {
          const waiting = turns()
          const { session, served } = setup(waiting.turn)
          const each = reader(served, { schedule: waiting.turn, bounds: limits, together })
          for (const [index, event] of withJob(scriptedRun(pieces), pieces).entries()) {
            session.record(event)
            each.take(pace[index] ?? 1)
            if (pace[index] === 0) waiting.run(1)
            if ((pace[index] ?? 1) !== 5) continue
            while (waiting.waiting > 0 || each.unsent() > 0) {
              each.take()
              waiting.run()
            }
            expect(received(each.state)).toEqual(received(session.state$.value))
          }
          each.leave()
        },
      ),
      { numRuns: sampleSize(300, 20_000) },
    )
  })

  it('joins pieces over joinMs, and delays no other event [ATTACH-join]', () => {
    new TestScheduler((actual, expected) => {
      expect(actual).toEqual(expected)
    }).run(({ cold, expectObservable }) => {
      const { session, served } = setup()
      const events = scriptedRun(['one ', 'two ', 'three'])
      const start = events.findIndex((event) => event.type === 'message_update')
      for (const event of events.slice(0, start + 1)) session.record(event)
      const [one, two, three, end] = events.slice(start + 1)
      const coming$ = cold<AgentEvent | undefined>('a 4ms b 29ms c 4ms e', { a: one, b: two, c: three, e: end })
      const notices$ = coming$.pipe(
        tap((event) => event && session.record(event)),
        ignoreElements(),
      )
      const frames$ = feed(served, {
        after: session.lines.length,
        isMarked: false,
        deltas: true,
        joinMs: 20,
        pressure: unhurried,
      })
      const texts$ = frames$.pipe(
        mergeMap(({ lines }) => lines),
        map((frame) => /"text":"([^"]*)"|thinking_(start|end)/.exec(frame)?.slice(1).join('')),
      )
      // the deltas of 0 and 5 ms arrive at 20; the one of 35 ms arrives before its block ends, at 40
      expectObservable(merge(texts$, notices$), '^ 60ms !').toBe('s 19ms j 19ms (ce)', {
        s: 'start',
        j: 'one two ',
        c: 'three',
        e: 'end',
      })
    })
  })

  it('sends lagging once, and the missed lines when the client has taken the rest [SLOW-lagging]', () => {
    const { session, served } = setup()
    const frames: string[] = []
    const paced = pacedPressure({ taken: (frame) => frames.push(frame) })
    const waiting = turns()
    const bounds = { unsent: 200, portion: 10_000 }
    const options = {
      after: 0,
      isMarked: false,
      deltas: true,
      joinMs: 0,
      pressure: paced,
      schedule: waiting.turn,
      bounds,
    }
    const feeding = feed(served, options).subscribe(paced.send)
    for (const event of scriptedRun(['a', 'b'])) session.record(event)
    paced.take()
    const [first, second] = frames.map((frame) => JSON.parse(frame) as { type: string; seq?: number })
    expect([first?.type, first?.seq, second?.type]).toEqual(['event', 1, 'event'])
    expect(frames.at(-1)).toBe(`{"v":1,"type":"lagging","session":"${id}","seq":${frames.length - 1}}`)
    const taken = frames.length
    expect([paced.unsent(), waiting.waiting]).toEqual([0, 1])
    waiting.run()
    paced.take()
    const after = frames.slice(taken).map((frame) => JSON.parse(frame) as { type: string; seq?: number })
    expect(after.map(({ type, seq }) => (type === 'event' ? seq : type))).toEqual([
      ...session.lines.map((_, index) => index + 1).slice(taken - 1),
      'caught_up',
    ])
    feeding.unsubscribe()
  })

  it('sends lagging to a client with more than 1 MiB unsent [SLOW-threshold]', () => {
    const { session, served } = setup()
    const types: unknown[] = []
    let unsent = 0
    const pressure = { ...unhurried, unsent: () => unsent }
    const feeding = feed(served, { after: 0, isMarked: false, deltas: true, joinMs: 0, pressure }).subscribe(
      ({ lines }) => {
        for (const line of lines) types.push((JSON.parse(line) as { type: string }).type)
      },
    )
    for (const [index, event] of scriptedRun(['a']).slice(0, 2).entries()) {
      unsent = 1_048_576 + index
      session.record(event)
    }
    expect(types).toEqual(['event', 'lagging'])
    feeding.unsubscribe()
  })

  it('sends lagging once also to a client that shares tick batches [SLOW-lagging, SLOW-threshold]', () => {
    const waiting = turns()
    const { session, served } = setup(waiting.turn)
    const heard: unknown[] = []
    const hear = ({ lines }: LineBatch): void => {
      for (const line of lines) heard.push((JSON.parse(line) as { type: string }).type)
    }
    let unsent = 0
    const pressure: Pressure = { ...unhurried, unsent: () => unsent, takesBatches: true }
    const options = { after: 0, isMarked: false, deltas: true, joinMs: 0, pressure, schedule: waiting.turn }
    const feeding = feed(served, options).subscribe(hear)
    for (const [index, event] of scriptedRun(['a']).slice(0, 3).entries()) {
      unsent = 1_048_576 + index
      session.record(event)
      waiting.run()
    }
    expect(heard).toEqual(['event', 'lagging'])
    feeding.unsubscribe()
  })

  it('completes when its session is closed, also while it is behind', () => {
    const { session, served } = setup()
    const paced = pacedPressure({ taken: () => undefined })
    let ended = false
    const bounds = { unsent: 1, portion: 10_000 }
    feed(served, { after: 0, isMarked: true, deltas: true, joinMs: 0, pressure: paced, bounds }).subscribe({
      next: paced.send,
      complete: () => (ended = true),
    })
    for (const event of scriptedRun(['a'])) session.record(event)
    expect(ended).toBe(false)
    session.close().subscribe()
    expect(ended).toBe(true)
  })

  it('leaves no subscription or timer when it is unsubscribed at any moment', () => {
    const events = scriptedRun(['a', 'b'])
    for (let left = 0; left <= events.length; left++) {
      const session = fakeSession({ id })
      let readers = 0
      const counted$ = defer(() => {
        readers += 1
        return session.records$
      }).pipe(finalize(() => (readers -= 1)))
      const waiting = turns()
      const opened = { session: { ...session, records$: counted$ }, notices: [] }
      const served = servedSession(opened, { channel: 1, tick: waiting.turn })
      const bounds = { unsent: 500, portion: 50 }
      const each = reader(served, { schedule: waiting.turn, bounds, joinMs: left % 3, together: left % 2 === 0 })
      for (const [index, event] of events.entries()) {
        if (index === left) each.leave()
        session.record(event)
        if (index % 4 === 0) each.take(2)
        waiting.run(1)
      }
      each.leave()
      expect([readers, waiting.waiting]).toEqual([0, 0])
    }
  })
})
