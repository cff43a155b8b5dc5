// Tests `eventsOf`, which selects the events of a session from what a client receives.
import { describe, expect, it } from 'vitest'
import { eventsOf } from '../../../lib/server/client/events-of.ts'
import type { ClientEvent } from '../../../lib/server/protocol/server-frame.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { sampleEvents } from '../../streams/events/samples.ts'
import { id, setup } from './client-scene.ts'

const { agent_start: start, agent_settled: settled } = sampleEvents
const received: Record<string, ClientEvent> = {
  r: { type: 'event', session: id, event: start, seq: 1 } as ClientEvent,
  s: { type: 'event', session: id, event: settled } as ClientEvent,
  c: { type: 'caught_up', seq: 1 },
  l: { type: 'lagging', seq: 1 },
}

describe('eventsOf', () => {
  it.each([
    ['stays open if the source never emits', '---', '---', '^'],
    ['completes with an empty source', '--|', '--|', '^-!'],
    ['emits the events alone', '-r-c-l-s-|', '-r-----s-|', '^--------!'],
    ['fails with its source', '-r-#', '-r-#', '^--!'],
  ])('%s', (_, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold(marble, received)
      expectObservable(source$.pipe(eventsOf())).toBe(expected, { r: start, s: settled })
      expectSubscriptions(source$.subscriptions).toBe(subscription)
    })
  })

  it('unsubscribes its source when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-r-s', received)
      expectObservable(source$.pipe(eventsOf()), '^-!').toBe('-r', { r: start })
      expectSubscriptions(source$.subscriptions).toBe('  ^-!')
    })
  })

  it('takes what a client emits', () => {
    const { client, session } = setup()
    const types: string[] = []
    client
      .events$(id)
      .pipe(eventsOf())
      .subscribe(({ type }) => types.push(type))
    session.record(start)
    expect(types).toEqual(['agent_start'])
    client.close()
  })
})
