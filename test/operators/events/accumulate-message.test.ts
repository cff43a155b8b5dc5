// Tests `accumulateMessage`, which emits the assistant message as it grows.
import { from, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { accumulateMessage } from '../../../lib/operators/events/message-progress.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { AssistantMessage } from '../../../lib/streams/messages/message.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { assistant, toolResult } from '../../streams/events/samples.ts'
import { letters, messageEnd, messageStart, piece, texts, update } from './event-letters.ts'

const messages = { o: texts(''), a: texts('H'), b: texts('Hi'), e: texts('Hi') }

function accumulate(...events: readonly AgentEvent[]): AssistantMessage[] {
  const received: AssistantMessage[] = []
  from(events)
    .pipe(accumulateMessage())
    .subscribe((message) => received.push(message))
  return received
}

describe('accumulateMessage', () => {
  it.each([
    ['stays open if the source never emits', '---', '---', '^'],
    ['completes with an empty source', '--|', '--|', '^-!'],
    ['emits nothing for a message without updates', '-m-|', '---|', '^--!'],
    ['emits the message after one update', '-m-o|', '---o|', '^---!'],
    [
      'emits the message after each update and at its end',
      '-u-U-m-o-a-b-e-T|',
      '-------o-a-b-e--|',
      '^---------------!',
    ],
    ['fails with its source', '-m-a-#', '---a-#', '^----!'],
  ])('%s', (_, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>(marble, letters)
      expectObservable(source$.pipe(accumulateMessage())).toBe(expected, messages)
      expectSubscriptions(source$.subscriptions).toBe(subscription)
    })
  })

  it('unsubscribes its source when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>('-m-a-b-e', letters)
      expectObservable(source$.pipe(accumulateMessage()), '^----!').toBe('---a', messages)
      expectSubscriptions(source$.subscriptions).toBe('             ^----!')
    })
  })

  it('emits the message of `message_end` itself', () => {
    const whole = assistant([{ type: 'text', text: 'Hi' }], { stopReason: 'aborted', durationMs: 7 })
    expect(accumulate(letters.m, letters.a, messageEnd(whole)).at(-1)).toBe(whole)
  })

  it('folds thinking, text and calls', () => {
    const received = accumulate(
      letters.m,
      piece('hm', 0, 0, 'thinking_delta'),
      piece('so', 0, 1),
      update({ type: 'toolcall_start', contentIndex: 2, id: 'c', name: 'read' }),
      piece('{"a":1}', 0, 2, 'toolcall_delta'),
      update({ type: 'toolcall_end', contentIndex: 2, arguments: { a: 1 } }),
    )
    expect(received.at(-1)?.content).toEqual([
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'so' },
      { type: 'toolCall', id: 'c', name: 'read', arguments: { a: 1 } },
    ])
    expect(received).toHaveLength(5)
  })

  it('emits the message also after an update that changes nothing', () => {
    const closed = update({ type: 'text_end', contentIndex: 0 })
    expect(accumulate(letters.m, letters.a, letters.a, closed)).toEqual([texts('H'), texts('H'), texts('H')])
  })

  it('never changes an emitted message', () => {
    const [first] = accumulate(letters.m, letters.a, letters.b)
    expect(first).toEqual(texts('H'))
  })

  it('emits only the end of a message without its start', () => {
    expect(accumulate(letters.b, letters.e)).toEqual([texts('Hi')])
  })

  it('ignores updates of a message that is not open', () => {
    const stray = update({ type: 'text_delta', contentIndex: 0, offset: 0, text: 'x' }, 'other')
    expect(accumulate(letters.m, stray, letters.a)).toEqual([texts('H')])
  })

  it('ignores the messages of users and tools', () => {
    const result = toolResult()
    expect(accumulate(letters.u, letters.U, messageStart(result), messageEnd(result))).toEqual([])
  })

  it('ignores updates after the end', () => {
    expect(accumulate(letters.m, letters.e, letters.a)).toEqual([texts('Hi')])
  })

  it('starts with empty state at each subscription', () => {
    const messages$ = of<AgentEvent[]>(letters.m, letters.a).pipe(accumulateMessage())
    const received: AssistantMessage[] = []
    messages$.subscribe((message) => received.push(message))
    messages$.subscribe((message) => received.push(message))
    expect(received).toEqual([texts('H'), texts('H')])
  })
})
