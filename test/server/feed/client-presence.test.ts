// Tests `clientPresence` and `joinedSessions`: the count of a session's clients, and the stop with the last one.
import { Subject } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { clientPresence, joinedSessions } from '../../../lib/server/feed/client-presence.ts'
import type { ClientPresence } from '../../../lib/server/feed/client-presence.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { behavior } from '../../../lib/streams/rx/behavior.ts'
import { sampleEvents } from '../../streams/events/samples.ts'

function scene(endWithLastClient: boolean) {
  const event$ = new Subject<AgentEvent>()
  const stops: string[] = []
  const session = { events$: event$, stop: (reason: string) => void stops.push(reason) }
  return { presence: clientPresence(session, endWithLastClient), event$, stops }
}

describe('clientPresence', () => {
  it('counts each client once, and emits the count at each change', () => {
    const { presence } = scene(false)
    const counts: number[] = []
    presence.count$.subscribe((count) => counts.push(count))
    const [one, two] = [{}, {}]
    presence.join(one)
    presence.join(two)
    presence.leave(one)
    presence.leave(one)
    expect([counts, presence.count$.value]).toEqual([[0, 1, 2, 1], 1])
  })

  it('stops no run while a client is present, also one that came back', () => {
    const { presence, event$, stops } = scene(true)
    const [one, two] = [{}, {}]
    for (const client of [one, two]) presence.join(client)
    presence.leave(one)
    event$.next(sampleEvents.agent_start)
    expect(stops).toEqual([])
    presence.leave(two)
    presence.join(one)
    event$.next(sampleEvents.job_start)
    expect(stops).toHaveLength(1)
  })

  it('stops no run that starts before a client has come', () => {
    const { event$, stops } = scene(true)
    event$.next(sampleEvents.agent_start)
    expect(stops).toEqual([])
  })

  it.each([
    [true, ['client_disconnected', 'client_disconnected']],
    [false, []],
  ])('with endWithLastClient %s, stops runs that start after the last client has left: %j', (ends, expected) => {
    const { presence, event$, stops } = scene(ends)
    const client = {}
    presence.join(client)
    presence.leave(client)
    event$.next(sampleEvents.agent_start)
    event$.next(sampleEvents.turn_start)
    expect(stops).toEqual(expected)
  })
})

describe('joinedSessions', () => {
  function served(id: string, calls: string[]) {
    const presence: ClientPresence = {
      count$: behavior(0).behavior$,
      join: () => void calls.push(`join ${id}`),
      leave: () => void calls.push(`leave ${id}`),
    }
    return { session: { id }, presence }
  }

  it('leaves a session once, when the client detaches or its connection ends', () => {
    const calls: string[] = []
    const joined = joinedSessions()
    for (const id of ['a', 'b']) joined.join(served(id, calls))
    joined.detach('a')
    joined.detach('a')
    joined.detach('unknown')
    expect(calls).toEqual(['join a', 'join b', 'leave a'])
    joined.leaveAll()
    joined.leaveAll()
    expect(calls).toEqual(['join a', 'join b', 'leave a', 'leave b'])
  })

  it('joins and leaves at once after the connection has ended', () => {
    const calls: string[] = []
    const joined = joinedSessions()
    joined.leaveAll()
    const late = served('a', calls)
    expect(joined.join(late)).toBe(late)
    expect(calls).toEqual(['join a', 'leave a'])
    joined.leaveAll()
    expect(calls).toHaveLength(2)
  })
})
