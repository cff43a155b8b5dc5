// Tests `joinUpdates` and `updateJoiner`: it merges deltas by block, and tool output by call and kind.
import { Subject } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { marbles } from '../../../lib/testing/marbles.ts'
import type { SessionRecord } from '../../../lib/streams/log/log-line.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { joinUpdates, updateJoiner } from '../../../lib/server/feed/join-updates.ts'

function piece(contentIndex: number, offset: number, text: string): AgentEvent {
  return { type: 'message_update', entryId: 'aaaaaaaa', delta: { type: 'text_delta', contentIndex, offset, text } }
}
function output(toolCallId: string, updateType: 'stdout' | 'stderr', offset: number, content: string): AgentEvent {
  return { type: 'tool_execution_update', toolCallId, updateType, content, offset }
}

describe('updateJoiner', () => {
  it('joins pieces by block, and output by call and kind', () => {
    const joined = updateJoiner()
    const added = [
      piece(0, 4, 'ab'),
      output('1', 'stdout', 0, 'x'),
      piece(0, 6, 'c'),
      output('1', 'stderr', 9, 'e'),
      output('1', 'stdout', 1, 'y'),
      output('2', 'stdout', 0, 'z'),
    ].map((event) => joined.add(event))
    expect([added.every(Boolean), joined.length]).toEqual([true, 7])
    expect(joined.take()).toEqual([
      piece(0, 4, 'abc'),
      output('1', 'stdout', 0, 'xy'),
      output('1', 'stderr', 9, 'e'),
      output('2', 'stdout', 0, 'z'),
    ])
    expect([joined.length, joined.take()]).toEqual([0, []])
  })

  it.each<[string, AgentEvent]>([
    [
      'a block’s start',
      { type: 'message_update', entryId: 'aaaaaaaa', delta: { type: 'text_start', contentIndex: 0 } },
    ],
    ['output after a gap', output('1', 'stdout', 5, 'x')],
    ['a percentage alone', output('2', 'stdout', 0, '')],
    ['an event that is no piece', { type: 'agent_settled' }],
  ])('does not join %s', (_, event) => {
    const joined = updateJoiner()
    joined.add(output('1', 'stdout', 0, 'abc'))
    expect([joined.add(event), joined.length]).toEqual([false, 3])
  })
})

describe('joinUpdates', () => {
  const custom = { type: 'agent_settled' } as const
  const values = Object.fromEntries(
    Object.entries({ a: piece(0, 0, 'ab'), b: piece(0, 2, 'cd'), e: custom }).map(([name, event]) => [
      name,
      { event, at: 0 },
    ]),
  )
  const groups = {
    '1': [{ event: piece(0, 0, 'ab'), at: 0 }],
    '2': [{ event: piece(0, 2, 'cd'), at: 0 }],
    '3': [{ event: piece(0, 0, 'abcd'), at: 0 }],
    '4': [values['e']],
    '5': [{ event: piece(0, 0, 'ab'), at: 0 }, values['e']],
  }

  it.each([
    ['emits joined pieces when the time since the first is over', 'a--b-------', '-----3-----'],
    ['counts the time anew after each group', 'a-----b----', '-----1-----2'],
    ['emits any other record at once', '-e---------', '-4---------'],
    ['emits a piece with the record behind it, and no second time', 'a--e-------', '---5-------'],
    ['counts the time anew after a record', 'a-e-b--', '--5------2'],
    ['emits what waits at the end of the source', 'a-|', '--(1|)'],
    ['completes without an empty group', '-e-|', '-4-|'],
    ['drops what waits if the source fails', 'a-#', '--#'],
  ])('%s', (_, source, expected) => {
    marbles(({ cold, expectObservable }) => {
      const joined$ = cold(source, values).pipe(joinUpdates({ ms: 5, longest: 100 }))
      expectObservable(joined$).toBe(expected, groups)
    })
  })

  it('emits pieces that together exceed the longest at once', () => {
    marbles(({ cold, expectObservable }) => {
      const source$ = cold('a-b---------|', values)
      expectObservable(source$.pipe(joinUpdates({ ms: 5, longest: 3 }))).toBe('--3---------|', groups)
      expectObservable(source$.pipe(joinUpdates({ ms: 5, longest: 4 }))).toBe('-----3------|', groups)
    })
  })

  it('unsubscribes the records and leaves no timer when it is unsubscribed', () => {
    vi.useFakeTimers()
    const record$ = new Subject<SessionRecord>()
    const emitted: unknown[] = []
    const subscription = record$
      .pipe(joinUpdates({ ms: 5, longest: 100 }))
      .subscribe((records) => emitted.push(records))
    record$.next({ event: piece(0, 0, 'ab'), at: 0 })
    expect([record$.observed, vi.getTimerCount()]).toEqual([true, 1])
    subscription.unsubscribe()
    expect([record$.observed, vi.getTimerCount(), emitted]).toEqual([false, 0, []])
    vi.useRealTimers()
  })
})
