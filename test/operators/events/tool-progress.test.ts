// Tests `toolProgress`, which selects the progress of tool calls.
import { from } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { toolProgress } from '../../../lib/operators/events/tool-call-events.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { letters, output, toolEnd, toolStart } from './event-letters.ts'

const events = {
  ...letters,
  x: toolStart(),
  p: output('one', 0),
  q: output('two', 3),
  X: toolEnd(),
  y: toolStart('call_2'),
  z: output('other', 0, { toolCallId: 'call_2' }),
  Y: toolEnd('call_2'),
}

/** The pieces that `toolProgress` emits for these events, as `offset:content`. */
function emittedUpdates(...input: readonly AgentEvent[]): string[] {
  const received: string[] = []
  from(input)
    .pipe(toolProgress())
    .subscribe(({ offset, content }) => received.push(`${offset}:${content}`))
  return received
}

describe('toolProgress', () => {
  it.each<[string, string | undefined, string, string, string]>([
    ['stays open if the source never emits', undefined, '---', '---', '^'],
    ['completes with an empty source', undefined, '--|', '--|', '^-!'],
    ['emits one update', undefined, '-p-|', '-p-|', '^--!'],
    ['emits the updates of all calls', undefined, '-x-y-p-z-q-X-Y-T|', '-----p-z-q------|', '^---------------!'],
    ['emits the updates of one call until it ends', 'call_1', '-x-y-p-z-q-Y-X-T|', '-----p---q---|', '^------------!'],
    ['waits for a call that has not started', 'call_9', '-x-p-X-', '-------', '^'],
    ['completes with its source if the call does not end', 'call_1', '-x-p|', '---p|', '^---!'],
    ['fails with its source', undefined, '-x-p-#', '---p-#', '^----!'],
    ['fails with its source before the call ends', 'call_1', '-x-p-#', '---p-#', '^----!'],
  ])('%s', (_, toolCallId, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>(marble, events)
      expectObservable(source$.pipe(toolProgress(toolCallId))).toBe(expected, events)
      expectSubscriptions(source$.subscriptions).toBe(subscription)
    })
  })

  it('unsubscribes its source when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>('-x-p-q-X', events)
      expectObservable(source$.pipe(toolProgress('call_1')), '^----!').toBe('---p', events)
      expectSubscriptions(source$.subscriptions).toBe('                  ^----!')
    })
  })

  it.each<[string, readonly AgentEvent[], readonly string[]]>([
    ['emits a repeated piece once', [output('ab', 0), output('ab', 0), output('c', 2)], ['0:ab', '2:c']],
    ['emits only the new part of an overlapping piece', [output('ab', 0), output('abcd', 0)], ['0:ab', '2:cd']],
    ['passes a gap on', [output('a', 0), output('z', 9), output('!', 10)], ['0:a', '9:z', '10:!']],
    ['passes output on as it is to a client that joins late', [output('z', 9), output('yz!', 8)], ['9:z', '10:!']],
    ['emits progress without output', [output('', 0, { progressPercent: 1 }), output('', 0)], ['0:', '0:']],
    [
      'counts each kind of output separately',
      [output('a', 0), output('b', 0, { updateType: 'stderr' })],
      ['0:a', '0:b'],
    ],
    ['starts again with a reused id', [output('a', 0), toolEnd(), output('b', 0)], ['0:a', '0:b']],
    [
      'starts again with a reused id without an end before',
      [output('a', 0), toolStart(), output('b', 0)],
      ['0:a', '0:b'],
    ],
  ])('%s', (_, input, expected) => {
    expect(emittedUpdates(...input)).toEqual(expected)
  })
})
