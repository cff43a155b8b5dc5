// A client over connections that are cut at any moment: what it tells is what the log holds, once; in virtual time.
import fc from 'fast-check'
import { NEVER, Observable, of, throwError, timer } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import type { ClientEvent } from '../../lib/server/client-event.ts'
import type { AttachOptions } from '../../lib/server/client.ts'
import { createServer } from '../../lib/server/create-server.ts'
import { helloFrame } from '../../lib/server/frame.ts'
import { linkedPair } from '../../lib/server/linked-pair.ts'
import { reconnectingClient } from '../../lib/server/reconnecting-client.ts'
import type { ConnectOptions, ReconnectingClient } from '../../lib/server/reconnecting-client.ts'
import type { Transport } from '../../lib/server/transport.ts'
import { Failure } from '../../lib/streams/failure.ts'
import type { FailureCode } from '../../lib/streams/failure.ts'
import { emptySession, foldSession, transcript } from '../../lib/streams/fold-session.ts'
import type { SessionState } from '../../lib/streams/fold-session.ts'
import { fakeHost } from '../support/fake-host.ts'
import type { FakeHost } from '../support/fake-host.ts'
import { fakeSession } from '../support/fake-session.ts'
import type { FakeSession } from '../support/fake-session.ts'
import { sampleSize } from '../support/sample-size.ts'
import { scriptedRun } from '../support/scripted-run.ts'

const id = 'aaaaaaaaaaaa'

interface Net {
  readonly client: ReconnectingClient
  readonly host: FakeHost
  readonly session: FakeSession
  /** Every state of the connection, with its time. */
  readonly states: string[]
  cut(): void
  /** Another server, another epoch; the session is the same. */
  restart(): void
  /** Until then nobody listens. */
  away(isAway: boolean): void
  readonly opened: number
}

/** A server behind linked pairs that can be cut. */
function net(now: () => number, more: Partial<ConnectOptions> = {}): Net {
  const host = fakeHost()
  const session = fakeSession({ id })
  host.stored.set(id, session)
  let server = createServer({ host, version: '1' })
  let end: Transport | undefined
  let isAway = false
  let opened = 0
  const client = reconnectingClient({
    open: () => {
      opened += 1
      if (isAway) return throwError(() => new Error('nobody listens'))
      const [clientEnd, serverEnd] = linkedPair()
      end = serverEnd
      server.connect(serverEnd)
      return of(clientEnd)
    },
    jitter: () => 1,
    ...more,
  })
  const states: string[] = []
  client.connection$.subscribe({
    next: (state) => {
      const detail = state.status === 'reconnecting' ? ` ${state.attempt}, ${state.delayMs} ms` : ''
      const restarted = state.status === 'connected' && state.restarted ? ' anew' : ''
      states.push(`${now()} ${state.status}${detail}${restarted}`)
    },
    complete: () => states.push(`${now()} complete`),
  })
  return {
    client,
    host,
    session,
    states,
    cut: () => end?.close(),
    restart: () => {
      server = createServer({ host, version: '1' })
      end?.close()
    },
    away: (is) => {
      isAway = is
    },
    get opened() {
      return opened
    },
  }
}

type Steps = Readonly<Record<number, () => void>>

/** Runs in virtual time; `steps` act at their milliseconds. Ends at `until`, where the client is closed. */
function play(
  make: (net: Net) => Steps,
  { until = 1_000, ...more }: Partial<ConnectOptions> & { until?: number } = {},
): Net {
  const scheduler = new TestScheduler(() => undefined)
  return scheduler.run(() => {
    const own = net(() => scheduler.now(), more)
    for (const [at, act] of Object.entries(make(own))) timer(Number(at)).subscribe(act)
    timer(until).subscribe(() => {
      own.client.close()
    })
    return own
  })
}

function collect<Value>(values$: Observable<Value>): { values: Value[]; ends: unknown[] } {
  const values: Value[] = []
  const ends: unknown[] = []
  values$.subscribe({
    next: (value) => values.push(value),
    error: (error: unknown) => ends.push((error as Failure).code),
    complete: () => ends.push('complete'),
  })
  return { values, ends }
}

describe('the connection', () => {
  it.each(['', 'two words', 'a'.repeat(21)])('is not made in the name %j, which the server would refuse', (client) => {
    const made = (): unknown => reconnectingClient({ open: () => NEVER, hello: { client } })
    expect(made).toThrow(/1 to 20 letters/)
  })

  it('is made at once, and again after longer and longer delays', () => {
    const { states } = play(
      ({ cut, away }) => ({
        100: () => {
          away(true)
          cut()
        },
        1_000: () => away(false),
      }),
      { until: 2_000 },
    )
    expect(states).toEqual([
      '0 connected',
      '100 reconnecting 1, 100 ms',
      '200 reconnecting 2, 200 ms',
      '400 reconnecting 3, 400 ms',
      '800 reconnecting 4, 800 ms',
      '1600 connected',
      '2000 closed',
      '2000 complete',
    ])
  })

  it('begins with short delays again only after it has held for 5 s', () => {
    const { states } = play(({ cut }) => ({ 100: cut, 300: cut, 6_000: cut }), { until: 7_000 })
    expect(states.filter((state) => state.includes('reconnecting'))).toEqual([
      '100 reconnecting 1, 100 ms',
      '300 reconnecting 2, 200 ms',
      '6000 reconnecting 1, 100 ms',
    ])
  })

  it('says where the server has been started anew', () => {
    const { states } = play(({ cut, restart }) => ({ 100: cut, 300: restart }))
    expect(states.filter((state) => state.includes('connected'))).toEqual([
      '0 connected',
      '200 connected',
      '500 connected anew',
    ])
  })

  it('is given up after so many attempts, and whoever waits is told why', () => {
    let waiting = { ends: [] as unknown[] }
    let following = { ends: [] as unknown[] }
    const { states, client } = play(
      (own) => {
        own.away(true)
        own.cut()
        return {
          1: () => {
            waiting = collect(own.client.request({ type: 'ping' }))
            following = collect(own.client.events$(id))
          },
        }
      },
      { attempts: 2 },
    )
    expect(states.at(-2)).toBe('300 closed')
    expect(client.connection$.value).toMatchObject({ failure: { message: 'nobody listens' } })
    expect([waiting.ends, following.ends]).toEqual([['disconnected'], ['disconnected']])
  })

  it.each<[FailureCode, boolean]>([
    ['unsupported_version', false],
    ['bad_config', false],
    ['disconnected', true],
    ['overloaded', true],
  ])('that fails with %s is tried again: %s', (code, again) => {
    const { opened } = countingFailures(code)
    expect(opened > 1).toBe(again)
  })

  function countingFailures(code: FailureCode): { opened: number } {
    let opened = 0
    play(() => ({}), {
      open: () => {
        opened += 1
        return throwError(() => new Failure(code, 'no'))
      },
    })
    return { opened }
  }

  it('is left where the server does not greet, or speaks another protocol', () => {
    const silent = play(() => ({}), { open: () => of(linkedPair()[0]), greetsWithinMs: 50, until: 60 })
    expect(silent.states).toEqual(['0 connecting', '50 reconnecting 1, 100 ms', '60 closed', '60 complete'])
    const [clientEnd, serverEnd] = linkedPair()
    const hello = { server: { name: 'rxpi', version: '9', pid: 1, epoch: 'e' }, limits: {}, capabilities: [] }
    serverEnd.send(helloFrame(hello).replace('"min":1', '"min":9'))
    const later = play(() => ({}), { open: () => of(clientEnd) })
    expect(later.client.connection$.value).toMatchObject({ status: 'closed', failure: { code: 'unsupported_version' } })
  })

  it('that is being made is given up by close, with what it would have opened', () => {
    let isOpening = false
    const open$ = () =>
      new Observable<Transport>(() => {
        isOpening = true
        return () => {
          isOpening = false
        }
      })
    expect(play(() => ({ 10: () => expect(isOpening).toBe(true) }), { open: open$, until: 20 }).states).toEqual([
      '0 connecting',
      '20 closed',
      '20 complete',
    ])
    expect(isOpening).toBe(false)
  })
})

describe('a request', () => {
  it('waits for a connection', () => {
    let asked = collect<object>(NEVER)
    play((own) => {
      own.away(true)
      own.cut()
      return {
        1: () => {
          asked = collect(own.client.request({ type: 'ping' }))
        },
        50: () => own.away(false),
      }
    })
    expect(asked).toEqual({ values: [{}], ends: ['complete'] })
  })

  it('that was cut is sent again with its opId, and fails without [CLIENT-reconnect]', () => {
    const hanging = play(
      ({ client, cut }) => {
        const [with$, without$] = [{ opId: 'mine' }, {}].map((options) =>
          client.request({ type: 'run_tool', cwd: '/', name: 'x', args: {} }, options),
        )
        return {
          10: () => {
            again = collect(with$ ?? NEVER)
            lost = collect(without$ ?? NEVER)
          },
          20: cut,
        }
      },
      {
        open: () => {
          const [clientEnd, serverEnd] = linkedPair()
          serverEnd.send(greeting)
          serverEnd.lines$.subscribe((line) => {
            const request = JSON.parse('text' in line ? line.text : '{}') as { id: string; opId?: string }
            sent.push(request.opId ?? 'none')
            if (sent.length > 2)
              serverEnd.send(JSON.stringify({ type: 'response', id: request.id, ok: true, result: {} }))
          })
          timer(20).subscribe(() => serverEnd.close())
          return of(clientEnd)
        },
        until: 130,
      },
    )
    expect(hanging.states).toContain('20 reconnecting 1, 100 ms')
    expect(sent).toEqual(['mine', 'none', 'mine'])
    expect([again, lost]).toEqual([
      { values: [{}], ends: ['complete'] },
      { values: [], ends: ['disconnected'] },
    ])
  })
  const hello = { server: { name: 'rxpi', version: '1', pid: 1, epoch: 'e' }, limits: {}, capabilities: [] }
  const greeting = helloFrame(hello)
  const sent: string[] = []
  let again = { values: [] as object[], ends: [] as unknown[] }
  let lost = again

  it('is refused beyond 1,000 that wait for a connection', () => {
    let ends: unknown[] = []
    play((own) => {
      own.away(true)
      own.cut()
      return {
        1: () => {
          for (let index = 0; index < 1_000; index++)
            own.client.request({ type: 'ping' }).subscribe({ error: () => undefined })
          ends = collect(own.client.request({ type: 'ping' })).ends
        },
      }
    })
    expect(ends).toEqual(['overloaded'])
  })

  it('that waits when the client is closed fails, with an opId too', () => {
    const ends: unknown[][] = []
    play((own) => {
      own.away(true)
      own.cut()
      return {
        1: () =>
          ends.push(
            ...[{}, { opId: 'a' }].map((options) => collect(own.client.request({ type: 'ping' }, options)).ends),
          ),
      }
    })
    expect(ends).toEqual([['disconnected'], ['disconnected']])
  })
})

describe('after a restart of the server', () => {
  it('what this client had opened is opened again, with its folder and environment, before anything else is asked', () => {
    const { host } = play(({ client, restart }) => ({
      1: () =>
        client
          .request({ type: 'open_session', session: id, cwd: '/here', env: { KEY: 'k' }, model: 'p/m' })
          .subscribe(),
      2: () => client.events$(id).subscribe(),
      100: restart,
    }))
    const opened = { session: id, cwd: '/here', env: { KEY: 'k' } }
    expect(host.asked).toEqual([{ open: { ...opened, model: 'p/m' } }, { open: opened }])
  })

  it('what it deleted is not', () => {
    const { host } = play(({ client, restart, host: own }) => ({
      1: () => client.request({ type: 'open_session', session: id, cwd: '/here' }).subscribe(),
      2: () => {
        own.deleteSession = () => of({ removed: [] })
        client.request({ type: 'delete_session', session: id }).subscribe()
      },
      100: restart,
    }))
    expect(host.asked).toHaveLength(1)
  })

  it('it says of itself again what it said first', () => {
    const answerable: number[] = []
    play(
      ({ client, session, cut }) => ({
        1: () => client.events$(id).subscribe(),
        5: () => answerable.push(session.answerers),
        10: cut,
        11: () => answerable.push(session.answerers),
        200: () => answerable.push(session.answerers),
      }),
      { hello: { client: 'test', ui: true } },
    )
    expect(answerable).toEqual([1, 0, 1])
  })
})

/** What of a state a client must agree on, wherever it was cut. */
function seen(state: SessionState): unknown {
  const { seq, headEntryId, open, queue, running } = state
  return { seq, headEntryId, open, queue, running, messages: transcript(state) }
}

const words = fc.array(fc.string({ maxLength: 5 }), { minLength: 1, maxLength: 8 })
const steps = fc.array(fc.tuple(fc.nat({ max: 6 }), fc.constantFrom('cut', 'restart', 'go on')), { maxLength: 14 })
const options = fc.constantFrom<AttachOptions>({ after: 0 }, { after: 0, deltas: false })

describe('events', () => {
  it(
    'cut at any moments give the log’s state, each durable event once and no character twice [ATTACH-whole]',
    { timeout: sampleSize(20_000, 600_000) },
    () => {
      fc.assert(
        fc.property(words, words, steps, options, (first, second, moves, asked) => {
          const heard: ClientEvent[] = []
          let state = emptySession()
          const all = [...scriptedRun(first, 0), ...scriptedRun(second, 1)]
          const { session } = play(
            (own) => {
              own.client.events$(id, asked).subscribe((event) => {
                heard.push(event)
                if (event.type === 'event') state = foldSession(state, event)
              })
              let next = 0
              const advance = (by: number): void => {
                for (const event of all.slice(next, next + by)) own.session.record(event)
                next += by
              }
              const planned = moves.map(([by, move], index) => {
                const act = (): void => {
                  if (move === 'cut') own.cut()
                  if (move === 'restart') own.restart()
                  advance(by)
                }
                return [index * 60, act] as const
              })
              return { ...Object.fromEntries(planned), 900: () => advance(all.length) }
            },
            // some moves come while it is cut, others when it is back
            { baseDelayMs: 70, maxDelayMs: 90, until: 2_000 },
          )
          const events = heard.flatMap((event) => (event.type === 'event' ? [event] : []))
          expect(events.flatMap(({ seq }) => seq ?? [])).toEqual(session.lines.map((_, index) => index + 1))
          expect(events.flatMap(({ line }) => line ?? [])).toEqual(session.lines)
          expect(seen(state)).toEqual(seen(session.state$.value))
          expect(heard.filter(({ type }) => type !== 'event').map(({ type }) => type)).toEqual([
            'attached',
            'caught_up',
          ])
          expectNoCharacterTwice(events)
        }),
        { numRuns: sampleSize(100, 3_000) },
      )
    },
  )

  it('completes when the client is closed, and fails where the server refuses the session', () => {
    let [own, other] = [collect<object>(NEVER), collect<object>(NEVER)]
    play(({ client }) => ({
      1: () => {
        own = collect(client.events$(id))
        other = collect(client.events$('zzzzzzzzzzzz'))
      },
    }))
    expect([own.ends, other.ends]).toEqual([['complete'], ['unknown_session']])
  })
})

/** Pieces of one block follow each other, with gaps at most where a message ended while nobody was there. */
function expectNoCharacterTwice(events: readonly Extract<ClientEvent, { type: 'event' }>[]): void {
  const ends = new Map<string, number>()
  for (const { event } of events) {
    if (event.type !== 'message_update' || !('offset' in event.delta)) continue
    const { contentIndex, offset, text } = event.delta
    const block = `${event.entryId} ${contentIndex}`
    expect(offset).toBe(ends.get(block) ?? 0)
    ends.set(block, offset + text.length)
  }
}
