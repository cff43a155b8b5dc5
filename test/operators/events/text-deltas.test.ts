// Tests `textDeltas`, which emits the pieces of the assistant's text.
import { from, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { textDeltas } from '../../../lib/operators/events/message-progress.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { assistant, toolResult, user } from '../../streams/events/samples.ts'
import { letters, messageEnd, messageStart, piece, texts, update } from './event-letters.ts'

/** The pieces that `textDeltas` emits for these events. */
function emittedTexts(...events: readonly AgentEvent[]): string[] {
  const pieces: string[] = []
  from(events)
    .pipe(textDeltas())
    .subscribe((text) => pieces.push(text))
  return pieces
}

describe('textDeltas', () => {
  it.each([
    ['stays open if the source never emits', '---', '---', '^'],
    ['completes with an empty source', '--|', '--|', '^-!'],
    ['emits one piece', '-a-|', '-H-|', '^--!'],
    ['emits pieces as they come, and nothing else', '-r-m-o-a-b-e-T|', '-------H-i----|', '^-------------!'],
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
    ['emits a repeated piece once', [piece('ab', 0), piece('ab', 0), piece('c', 2)], ['ab', 'c']],
    ['emits only the new part of an overlapping piece', [piece('ab', 0), piece('abcd', 0)], ['ab', 'cd']],
    ['ignores an empty piece', [piece('', 0), piece('a', 0)], ['a']],
    ['emits missing text at the end [SLOW-ended]', [piece('a', 0), messageEnd(texts('abc'))], ['a', 'bc']],
    ['emits all text after a gap at the end', [piece('a', 0), piece('c', 2), messageEnd(texts('abc'))], ['a', 'bc']],
    [
      'emits the whole text at the end to a client that joins late',
      [piece('b', 1), piece('c', 2), messageEnd(texts('abc'))],
      ['abc'],
    ],
    ['emits a message without updates whole', [messageEnd(texts('a', 'b'))], ['ab']],
    ['emits nothing for a message without text', [messageEnd(assistant())], []],
    ['ignores a second end of a message', [messageEnd(texts('a')), messageEnd(texts('a'))], ['a']],
    ['ignores a piece after the end', [messageEnd(texts('a')), piece('ab', 0)], ['a']],
    ['emits nothing for a shorter text at the end', [piece('abc', 0), messageEnd(texts('ab'))], ['abc']],
    [
      'emits two blocks in order',
      [piece('a', 0), piece('b', 0, 2), piece('c', 1, 2), messageEnd(texts('a', '', 'bcd'))],
      ['a', 'b', 'c', 'd'],
    ],
    [
      'emits text of an earlier block at the end',
      [piece('a', 0), piece('x', 0, 1), piece('b', 1), piece('y', 1, 1), messageEnd(texts('ab', 'xy'))],
      ['a', 'x', 'by'],
    ],
    [
      'starts again with the next message',
      [piece('a', 0), messageEnd(texts('a')), messageEnd(texts('b'), 'next')],
      ['a', 'b'],
    ],
    [
      'starts again with the next message after one without an end',
      [piece('a', 5), update({ type: 'text_delta', contentIndex: 0, offset: 0, text: 'b' }, 'next')],
      ['b'],
    ],
  ])('%s', (_, events, expected) => {
    expect(emittedTexts(...events)).toEqual(expected)
  })

  it('ignores thinking, tool arguments and other messages', () => {
    const others = [
      messageStart(user([]), 'question'),
      messageEnd(user('Hello'), 'question'),
      piece('hm', 0, 0, 'thinking_delta'),
      piece('{}', 0, 1, 'toolcall_delta'),
      messageEnd(toolResult(), 'result'),
    ]
    expect(emittedTexts(...others)).toEqual([])
  })

  it('emits halves of a surrogate pair, which join to the right text', () => {
    const [high, low] = ['\ud83d', '\ude00']
    expect(emittedTexts(piece(high, 0), messageEnd(texts(high + low))).join('')).toBe('😀')
  })

  it('starts with empty state at each subscription', () => {
    const texts$ = of<AgentEvent[]>(letters.a, letters.b).pipe(textDeltas())
    const received: string[] = []
    texts$.subscribe((text) => received.push(text))
    texts$.subscribe((text) => received.push(text))
    expect(received).toEqual(['H', 'i', 'H', 'i'])
  })

  it('emits 100,000 pieces', () => {
    const text = 'x'.repeat(100_000)
    const pieces = Array.from(text, (letter, index) => piece(letter, index))
    expect(emittedTexts(...pieces, messageEnd(texts(text))).join('')).toBe(text)
  })
})
