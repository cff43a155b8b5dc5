// Tests `thinkingDeltas`, which emits the pieces of the assistant's thinking.
import { from } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { thinkingDeltas } from '../../../lib/operators/events/message-progress.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { assistant } from '../../streams/events/samples.ts'
import { letters, messageEnd, piece } from './event-letters.ts'

const thinking = (text: string, offset: number, block = 0) => piece(text, offset, block, 'thinking_delta')
const events = { ...letters, h: thinking('h', 0), i: thinking('i', 1) }
const whole = (...blocks: readonly string[]) =>
  messageEnd(
    assistant([...blocks.map((text) => ({ type: 'thinking', thinking: text }) as const), { type: 'text', text: 'Hi' }]),
  )

function emitted(...input: readonly AgentEvent[]): string[] {
  const pieces: string[] = []
  from(input)
    .pipe(thinkingDeltas())
    .subscribe((text) => pieces.push(text))
  return pieces
}

describe('thinkingDeltas', () => {
  it.each([
    ['stays open if the source never emits', '---', '---', '^'],
    ['completes with an empty source', '--|', '--|', '^-!'],
    ['emits pieces of thinking as they come, and no text', '-m-h-i-a-b-T|', '---h-i------|', '^-----------!'],
    ['fails with its source', '-h-#', '-h-#', '^--!'],
  ])('%s', (_, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>(marble, events)
      expectObservable(source$.pipe(thinkingDeltas())).toBe(expected)
      expectSubscriptions(source$.subscriptions).toBe(subscription)
    })
  })

  it('unsubscribes its source when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>('-h-i', events)
      expectObservable(source$.pipe(thinkingDeltas()), '^-!').toBe('-h')
      expectSubscriptions(source$.subscriptions).toBe('         ^-!')
    })
  })

  it.each<[string, readonly AgentEvent[], readonly string[]]>([
    ['emits missing thinking at the end', [events.h, whole('hmm')], ['h', 'mm']],
    ['emits the thinking of a message without updates', [whole('one', 'two')], ['onetwo']],
    ['emits a repeated piece once', [events.h, events.h, events.i], ['h', 'i']],
    ['emits nothing for a message without thinking', [letters.a, letters.b, letters.e], []],
  ])('%s', (_, input, expected) => {
    expect(emitted(...input)).toEqual(expected)
  })
})
