// Tests the requests of a reconnecting client: waiting, sending again and failing.
import fc from 'fast-check'
import { NEVER, of, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { ClientEvent } from '../../../lib/server/protocol/server-frame.ts'
import type { AttachOptions } from '../../../lib/server/client/client.ts'
import { helloFrame } from '../../../lib/server/protocol/frame.ts'
import { linkedPair } from '../../../lib/server/protocol/linked-pair.ts'
import { emptySession, foldSession, transcript } from '../../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { scriptedRun } from '../../support/scripted-run.ts'
import { id, play, collect } from './reconnecting-scene.ts'

describe('a request', () => {
  it('waits for a connection', () => {
    let requests = collect<object>(NEVER)
    play((own) => {
      own.away(true)
      own.cut()
      return {
        1: () => {
          requests = collect(own.client.request({ type: 'ping' }))
        },
        50: () => own.away(false),
      }
    })
    expect(requests).toEqual({ values: [{}], ends: ['complete'] })
  })

  it('is sent again after a lost connection if it has an opId, and fails without one [CLIENT-reconnect]', () => {
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

  it('is refused if 1,000 wait for a connection already', () => {
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

  it('fails if it waits when the client is closed, also with an opId', () => {
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

/** The part of the state that is equal for every client, wherever its connection was cut. */
function received(state: SessionState): unknown {
  const { seq, headEntryId, open, queue, running } = state
  return { seq, headEntryId, open, queue, running, messages: transcript(state) }
}

const words = fc.array(fc.string({ maxLength: 5 }), { minLength: 1, maxLength: 8 })

const steps = fc.array(fc.tuple(fc.nat({ max: 6 }), fc.constantFrom('cut', 'restart', 'go on')), { maxLength: 14 })

const options = fc.constantFrom<AttachOptions>({ after: 0 }, { after: 0, deltas: false })

describe('events', () => {
  it(
    'give the log’s state through connections lost at any moment, with each durable event once and no character twice [ATTACH-whole]',
    { timeout: sampleSize(20_000, 600_000) },
    () => {
      fc.assert(
        fc.property(words, words, steps, options, (first, second, moves, requests) => {
          const heard: ClientEvent[] = []
          let state = emptySession()
          const all = [...scriptedRun(first, 0), ...scriptedRun(second, 1)]
          const { session } = play(
            (own) => {
              own.client.events$(id, requests).subscribe((event) => {
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
            // some moves happen while the connection is cut, others after the reconnect
            { baseDelayMs: 70, maxDelayMs: 90, until: 2_000 },
          )
          const events = heard.flatMap((event) => (event.type === 'event' ? [event] : []))
          expect(events.flatMap(({ seq }) => seq ?? [])).toEqual(session.lines.map((_, index) => index + 1))
          expect(events.flatMap(({ line }) => line ?? [])).toEqual(session.lines)
          expect(received(state)).toEqual(received(session.state$.value))
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

  it('complete when the client is closed, and fail if the server refuses the session', () => {
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

/**
 * The deltas of one block follow each other; a gap is allowed only if the message ended while the client was cut off.
 */
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
