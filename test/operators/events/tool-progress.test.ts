// Tests `toolProgress`, which selects the progress of tool calls.
import { from } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { toolProgress } from '../../../lib/operators/events/select-events.ts'
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
function told(...given: readonly AgentEvent[]): string[] {
  const seen: string[] = []
  from(given)
    .pipe(toolProgress())
    .subscribe(({ offset, content }) => seen.push(`${offset}:${content}`))
  return seen
}

describe('toolProgress', () => {
  it.each<[string, string | undefined, string, string, string]>([
    ['waits where nothing ever comes', undefined, '---', '---', '^'],
    ['ends where nothing came', undefined, '--|', '--|', '^-!'],
    ['tells one update', undefined, '-p-|', '-p-|', '^--!'],
    ['tells the updates of all calls', undefined, '-x-y-p-z-q-X-Y-T|', '-----p-z-q------|', '^---------------!'],
    ['tells those of one call until it ends', 'call_1', '-x-y-p-z-q-Y-X-T|', '-----p---q---|', '^------------!'],
    ['waits for a call that has not come', 'call_9', '-x-p-X-', '-------', '^'],
    ['ends with its source where the call does not', 'call_1', '-x-p|', '---p|', '^---!'],
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
    ['a repeated piece is told once', [output('ab', 0), output('ab', 0), output('c', 2)], ['0:ab', '2:c']],
    ['of a piece that overlaps only the new', [output('ab', 0), output('abcd', 0)], ['0:ab', '2:cd']],
    ['a gap is passed on', [output('a', 0), output('z', 9), output('!', 10)], ['0:a', '9:z', '10:!']],
    ['who joins behind cut output gets it as it is', [output('z', 9), output('yz!', 8)], ['9:z', '10:!']],
    ['progress without output is told', [output('', 0, { progressPercent: 1 }), output('', 0)], ['0:', '0:']],
    [
      'each kind of output counts for itself',
      [output('a', 0), output('b', 0, { updateType: 'stderr' })],
      ['0:a', '0:b'],
    ],
    ['an id that comes again counts anew', [output('a', 0), toolEnd(), output('b', 0)], ['0:a', '0:b']],
    ['also where its end was not seen', [output('a', 0), toolStart(), output('b', 0)], ['0:a', '0:b']],
  ])('%s', (_, given, expected) => {
    expect(told(...given)).toEqual(expected)
  })
})
