// Tests `readOnlySession`: a read-only session whose readers may join at any time.
import { EMPTY, NEVER, concat, defer, map, throwError, timer } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import { readOnlySession } from '../../../lib/services/replay/read-only-session.ts'
import type { ReadOnlyParts, ReadOnlySession } from '../../../lib/services/replay/read-only-session.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { emptySession, transcript } from '../../../lib/streams/state/fold-session.ts'
import type { SessionRecord } from '../../../lib/streams/log/log-line.ts'
import { shortName } from '../../../lib/testing/short-name.ts'
import { appendEvents, messageEnd, messageStart, sampleHeader } from '../../store/sessions/sample-records.ts'

const log = memoryStore().create(sampleHeader())
appendEvents(log, [
  { type: 'session_info_change', to: { title: 'Named' } },
  { type: 'agent_start', model: 'some/model', tools: [], thinkingLevel: 'high' },
  messageStart('aaaaaaaa'),
  messageEnd('aaaaaaaa', 'Hello'),
])
const records = [...log.records()]
/** One record every 10 ms. */
const paced$ = defer(() => concat(...records.map((record) => timer(10).pipe(map(() => record)))))
const end: AgentEvent = { type: 'status', code: 'ended', message: 'done', recoverable: true }
const name = ({ seq, event }: SessionRecord): string => `${seq ?? ''}${shortName(event)}`

function inTime(act: (opened: ReadOnlySession, at: (ms: number, act: () => void) => void) => void, more = {}): void {
  const parts: ReadOnlyParts = {
    log,
    initial: emptySession(),
    source$: paced$,
    refusal: () => new Failure('read_only', 'only to look at'),
    end: () => end,
    ...more,
  }
  new TestScheduler(() => undefined).run(() => {
    act(readOnlySession(parts), (ms, then) => timer(ms).subscribe(then))
  })
}

describe('readOnlySession', () => {
  it('publishes and folds the records, under the original header', () => {
    const notices: string[] = []
    inTime(({ session }, at) => {
      expect(session).toMatchObject({ id: log.header.id, model: { id: 'unknown' }, isVerified: true, activeTools: [] })
      session.events$.subscribe((event) => notices.push(`${session.state$.value.seq}${shortName(event)}`))
      at(35, () => {
        expect(session).toMatchObject({ model: { provider: 'some', id: 'model' }, thinkingLevel: 'high' })
        expect(session.state$.value).toMatchObject({ seq: 3, title: 'Named', open: { entryId: 'aaaaaaaa' } })
      })
      at(41, () => expect(transcript(session.state$.value)).toMatchObject([{ content: [{ text: 'Hello' }] }]))
    })
    expect(notices.map((each) => each.slice(0, 1))).toEqual(['1', '2', '3', '4', '4'])
  })

  it.each([0, 15, 31, 41, 100])('has neither gap nor repeat for a subscriber at %d ms', (ms) => {
    const seqs: (number | undefined)[] = []
    let logged = 0
    inTime(({ session }, at) =>
      at(ms, () => {
        logged = [...session.logged()].length
        session.records().subscribe(({ seq }) => seqs.push(seq))
      }),
    )
    expect(logged).toBe(Math.min(4, Math.floor(ms / 10)))
    expect(seqs).toEqual([1, 2, 3, 4, undefined])
  })

  it('reads published records from its log, and continues with those that are published meanwhile', () => {
    inTime(({ session }, at) =>
      at(25, () => {
        const reading = session.logged({ after: 1 })[Symbol.iterator]()
        expect(reading.next().value).toMatchObject({ seq: 2 })
        expect([...session.logged({ after: 2 })]).toEqual([])
        at(10, () => expect([...session.logged({ after: 2 })]).toHaveLength(1))
      }),
    )
  })

  it("starts at the first subscriber with begins: 'when watched'", () => {
    const notices: string[] = []
    inTime(
      ({ session }, at) => {
        at(1_000, () => expect(session.state$.value.seq).toBe(0))
        at(1_001, () => {
          let isSubscribed = false
          session.records$.subscribe((record) => notices.push(isSubscribed ? name(record) : 'within'))
          isSubscribed = true
        })
      },
      { begins: 'when watched', coming$: defer(() => records) },
    )
    expect(notices).toHaveLength(5)
    expect(notices).not.toContain('within')
  })

  it('refuses every command and writes nothing', () => {
    const refused: unknown[] = []
    inTime(({ session }) => {
      session.send({ type: 'prompt', text: 'Hi' }).subscribe({ error: (error: unknown) => refused.push(error) })
      session.send({ type: 'abort' }).subscribe({ error: (error: unknown) => refused.push(error) })
      session.stop('server_shutdown')
    })
    expect(refused).toMatchObject([{ code: 'read_only' }, { code: 'read_only' }])
    expect(log.head).toBe(4)
  })

  it.each<[string, Partial<ReadOnlyParts>, object]>([
    ['its end', { source$: EMPTY }, end],
    ['a failure', { source$: throwError(() => new Failure('storage', 'gone')) }, { code: 'storage', message: 'gone' }],
  ])('emits %s once, also to each later subscriber', (_, more, status) => {
    const notices: unknown[][] = [[], []]
    inTime(({ session }, at) => {
      session.records$.subscribe(({ event }) => notices[0]?.push(event))
      at(50, () => session.records$.subscribe(({ event }) => notices[1]?.push(event)))
    }, more)
    expect(notices).toMatchObject([[status], [status]])
  })

  it('closes itself after a minute without subscribers', () => {
    const closings: number[] = []
    let now = 0
    inTime(
      ({ session, over$ }, at) => {
        over$.subscribe({ complete: () => closings.push(now) })
        at(50_000, () => {
          const watching = session.records$.subscribe()
          at(100_000, () => watching.unsubscribe())
        })
        for (let ms = 1_000; ms < 300_000; ms += 1_000) at(ms, () => (now = ms))
      },
      { coming$: NEVER },
    )
    expect(closings).toEqual([210_000])
  })

  it('closes once, with its log, emits nothing more, and completes for its subscribers', () => {
    let closed = 0
    const notices: string[] = []
    const closing = { ...log, header: log.header, headerLine: log.headerLine, records: log.records.bind(log) }
    inTime(
      ({ session, over$ }, at) => {
        over$.subscribe({ complete: () => notices.push('over') })
        session.records$.subscribe({ next: (record) => notices.push(name(record)), complete: () => notices.push('|') })
        at(15, () => {
          session.close().subscribe()
          session.close().subscribe({ complete: () => notices.push('closed') })
        })
      },
      { log: { ...closing, close: () => defer(() => (closed++, EMPTY)) } },
    )
    expect(closed).toBe(1)
    expect(notices).toEqual([expect.stringMatching(/^1/), '|', 'over', 'closed'])
  })

  it('calls listeners with events; a listener that throws disturbs no other', () => {
    const heard: string[] = []
    inTime(({ session }) => {
      session.listen((event) => heard.push(shortName(event)))
    })
    expect(heard).toHaveLength(5)
  })
})
