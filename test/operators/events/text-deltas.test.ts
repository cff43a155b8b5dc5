// Tests `textDeltas`, which emits the pieces of the assistant's text.
import { from, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { textDeltas } from '../../../lib/operators/events/message-progress.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { assistant, toolResult, user } from '../../streams/events/samples.ts'
import { letters, messageEnd, messageStart, piece, texts, update } from './event-letters.ts'

/** The pieces that `textDeltas` emits for these events. */
function told(...events: readonly AgentEvent[]): string[] {
  const pieces: string[] = []
  from(events)
    .pipe(textDeltas())
    .subscribe((text) => pieces.push(text))
  return pieces
}

describe('textDeltas', () => {
  it.each([
    ['waits where nothing ever comes', '---', '---', '^'],
    ['ends where nothing came', '--|', '--|', '^-!'],
    ['tells one piece', '-a-|', '-H-|', '^--!'],
    ['tells pieces as they come, and nothing else', '-r-m-o-a-b-e-T|', '-------H-i----|', '^-------------!'],
    ['fails with its source', '-m-a-#', '---H-#', '^----!'],
  ])('%s', (_, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>(marble, letters)
      expectObservable(source$.pipe(textDeltas())).toBe(expected)
      expectSubscriptions(source$.subscriptions).toBe(subscription)
    })
  })

  it('unsubscribes its source when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>('-a-b-e', letters)
      expectObservable(source$.pipe(textDeltas()), '^--!').toBe('-H')
      expectSubscriptions(source$.subscriptions).toBe('   ^--!')
    })
  })

  it.each<[string, readonly AgentEvent[], readonly string[]]>([
    ['a repeated piece is told once', [piece('ab', 0), piece('ab', 0), piece('c', 2)], ['ab', 'c']],
    ['of a piece that overlaps only the new', [piece('ab', 0), piece('abcd', 0)], ['ab', 'cd']],
    ['an empty piece is not told', [piece('', 0), piece('a', 0)], ['a']],
    ['what is missing comes with the end [SLOW-ended]', [piece('a', 0), messageEnd(texts('abc'))], ['a', 'bc']],
    ['behind a gap all waits for the end', [piece('a', 0), piece('c', 2), messageEnd(texts('abc'))], ['a', 'bc']],
    ['who joins late gets the whole with the end', [piece('b', 1), piece('c', 2), messageEnd(texts('abc'))], ['abc']],
    ['a message of which only the end is seen comes whole', [messageEnd(texts('a', 'b'))], ['ab']],
    ['a message without text tells nothing', [messageEnd(assistant())], []],
    ['a second end of a message tells nothing', [messageEnd(texts('a')), messageEnd(texts('a'))], ['a']],
    ['a piece after the end tells nothing', [messageEnd(texts('a')), piece('ab', 0)], ['a']],
    ['a shorter text at the end tells nothing', [piece('abc', 0), messageEnd(texts('ab'))], ['abc']],
    [
      'two blocks follow one another',
      [piece('a', 0), piece('b', 0, 2), piece('c', 1, 2), messageEnd(texts('a', '', 'bcd'))],
      ['a', 'b', 'c', 'd'],
    ],
    [
      'text of a block that is gone back to waits for the end',
      [piece('a', 0), piece('x', 0, 1), piece('b', 1), piece('y', 1, 1), messageEnd(texts('ab', 'xy'))],
      ['a', 'x', 'by'],
    ],
    [
      'the next message starts anew',
      [piece('a', 0), messageEnd(texts('a')), messageEnd(texts('b'), 'next')],
      ['a', 'b'],
    ],
    [
      'a message whose end was not seen does not keep the next one back',
      [piece('a', 5), update({ type: 'text_delta', contentIndex: 0, offset: 0, text: 'b' }, 'next')],
      ['b'],
    ],
  ])('%s', (_, events, expected) => {
    expect(told(...events)).toEqual(expected)
  })

  it('leaves out thinking, tool arguments and other messages', () => {
    const others = [
      messageStart(user([]), 'question'),
      messageEnd(user('Hello'), 'question'),
      piece('hm', 0, 0, 'thinking_delta'),
      piece('{}', 0, 1, 'toolcall_delta'),
      messageEnd(toolResult(), 'result'),
    ]
    expect(told(...others)).toEqual([])
  })

  it('emits halves of a surrogate pair, which join to the right text', () => {
    const [high, low] = ['\ud83d', '\ude00']
    expect(told(piece(high, 0), messageEnd(texts(high + low))).join('')).toBe('😀')
  })

  it('starts anew with each subscription', () => {
    const texts$ = of<AgentEvent[]>(letters.a, letters.b).pipe(textDeltas())
    const seen: string[] = []
    texts$.subscribe((text) => seen.push(text))
    texts$.subscribe((text) => seen.push(text))
    expect(seen).toEqual(['H', 'i', 'H', 'i'])
  })

  it('emits 100,000 pieces', () => {
    const text = 'x'.repeat(100_000)
    const pieces = Array.from(text, (letter, index) => piece(letter, index))
    expect(told(...pieces, messageEnd(texts(text))).join('')).toBe(text)
  })
})
