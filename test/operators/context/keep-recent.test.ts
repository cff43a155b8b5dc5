// Tests `keepRecent`, which keeps the latest messages that fit a limit.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keepRecent } from '../../../lib/operators/context/keep-recent.ts'
import type { KeepRecentOptions } from '../../../lib/operators/context/keep-recent.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { contextCharacters } from '../../../lib/streams/ports/token-estimate.ts'
import { assistant, toolResult, user } from '../../streams/events/samples.ts'
import { behavesAsTransform, call, contextOf, applyTransform } from './context-samples.ts'

/** `u` a user message, `a` an answer, `c` an answer with a call, `r` a result; each takes 100 tokens. */
const makers: Readonly<Record<string, () => Message>> = {
  u: () => user('x'.repeat(384)),
  a: () => assistant([{ type: 'text', text: 'x'.repeat(384) }], { usage: noUsage }),
  c: () => assistant([{ ...call('call_1', 'x'.repeat(376)) }], { usage: noUsage }),
  r: () => toolResult({ content: [{ type: 'text', text: 'x'.repeat(384) }] }),
}

function messagesOf(letters: string): readonly Message[] {
  return Array.from(letters, (letter) => {
    const make = makers[letter]
    if (make === undefined) throw new Error(`no message is called ${letter}`)
    return make()
  })
}

/** The remaining messages of a conversation; `-` for each removed one. */
function keep(letters: string, options: KeepRecentOptions): string {
  const messages = messagesOf(letters)
  const left = new Set(applyTransform(keepRecent(options), contextOf(messages)).messages)
  return Array.from(letters, (letter, index) => {
    const message = messages[index]
    return message !== undefined && left.has(message) ? letter : '-'
  }).join('')
}

describe('keepRecent', () => {
  const long = contextOf(messagesOf('uaua'))
  behavesAsTransform(
    () => keepRecent({ messages: 2 }),
    long,
    { ...long, messages: long.messages.slice(2) },
    contextOf(messagesOf('ua')),
  )

  it.each<[string, string, number, string]>([
    ['everything that fits', 'uaua', 4, 'uaua'],
    ['a user message with its answer', 'uaua', 3, '--ua'],
    ['the last user message, whatever the limit', 'uau', 0, '--u'],
    ['the last turn with its user message, whatever the limit', 'uaucr', 0, '--ucr'],
    ['calls with all their results', 'ucrrr', 2, 'ucrrr'],
    ['the user message and the turns that fit', 'ucrcrcr', 5, 'u--crcr'],
    ['a turn whole or not at all', 'ucrcrcr', 4, 'u----cr'],
    ['an older user message only with all that follows it', 'ucrcrua', 5, '-----ua'],
    ['the newest of two user messages', 'uaucrcr', 3, '--u--cr'],
    ['user messages in a row', 'uauu', 2, '--uu'],
    ['turns without a user message', 'aaa', 2, '-aa'],
    ['the last turn without a user message', 'acr', 0, '-cr'],
    ['results separated by a user message', 'uacur', 1, '--cur'],
    ['results without a call as far as they fit', 'ruaua', 3, '---ua'],
    ['results without a call alone', 'r', 0, 'r'],
    ['nothing of an empty conversation', '', 1, ''],
  ])('keeps %s (%s)', (_, letters, limit, left) => {
    expect(keep(letters, { messages: limit })).toBe(left)
    expect(keep(letters, { tokens: 104 * limit })).toBe(left)
  })

  it('keeps what fits both limits', () => {
    expect(keep('uauaua', { messages: 4, tokens: 220 })).toBe('----ua')
    expect(keep('uauaua', { messages: 2, tokens: 900 })).toBe('----ua')
  })

  it('keeps everything without a limit', () => {
    expect(keep('uaua', {})).toBe('uaua')
  })

  it('starts with a user message and has the call of every result, for any conversation', () => {
    const letters = fc
      .array(fc.constantFrom('a', 'cr', 'crr', 'u'), { maxLength: 12 })
      .map((parts) => `u${parts.join('')}`)
    fc.assert(
      fc.property(letters, fc.nat(12), (passed, limit) => {
        const left = keep(passed, { messages: limit })
        expect(left.replaceAll('-', '')).toMatch(/^u(a|cr+|u)*$/)
        expect(left[passed.lastIndexOf('u')]).toBe('u')
        expect(left.at(-1)).toBe(passed.at(-1))
        // each turn is whole: a run of calls and results stays or goes as a whole
        for (const { index, 0: turn } of passed.matchAll(/cr+/g)) {
          expect(['-'.repeat(turn.length), turn]).toContain(left.slice(index, index + turn.length))
        }
      }),
    )
  })

  it('calibrates the estimate by the messages it sent, not by those it left out', () => {
    const options = { transformContext: keepRecent({ tokens: 1_000 }) }
    const messages: Message[] = []
    let sent = 0
    for (let turn = 0; turn < 100; turn++) {
      messages.push(...messagesOf('u'))
      // a language with one token a character: four times the first estimate
      const usage = { ...noUsage, input: sent }
      const context = contextOf([...messages], turn === 0 ? {} : { usage })
      sent = contextCharacters(applyTransform(options.transformContext, context))
      messages.push(...messagesOf('a'))
    }
    expect(sent).toBeGreaterThan(400)
    expect(sent).toBeLessThanOrEqual(1_010)
  })

  it.each([{ tokens: -1 }, { tokens: NaN }, { messages: 1.5 }, { messages: Infinity }])(
    'throws bad_request for %j',
    (options) => {
      expect(() => keepRecent(options)).toThrow(expect.objectContaining({ code: 'bad_request' }) as Error)
    },
  )

  it('handles 20,000 messages', () => {
    const messages = messagesOf('ucr' + 'cr'.repeat(10_000))
    const { messages: left } = applyTransform(keepRecent({ tokens: 1_000 }), contextOf(messages))
    expect(left.length).toBeLessThan(12)
  })
})
