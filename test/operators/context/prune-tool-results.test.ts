// Tests `pruneToolResults`, which shortens old tool results.
import { describe, expect, it } from 'vitest'
import { pruneToolResults } from '../../../lib/operators/context/trim-messages.ts'
import type { PruneToolResultsOptions } from '../../../lib/operators/context/trim-messages.ts'
import type { Message, UserContent } from '../../../lib/streams/messages/message.ts'
import { assistant, toolResult, user } from '../../streams/events/samples.ts'
import { behavesAsTransform, call, contextOf, applyTransform } from './context-samples.ts'

const image: UserContent = { type: 'image', mimeType: 'image/png', data: 'AAAA' }

function turn(id: string, ...content: readonly UserContent[]): readonly Message[] {
  return [assistant([call(id)]), toolResult({ toolCallId: id, content })]
}

function text(length: number): UserContent {
  return { type: 'text', text: 'x'.repeat(length) }
}

const shortened = (what: string): string => `[This earlier result is left out here: ${what}]`

/** The text of each result; `…` for an unchanged one. */
function results(messages: readonly Message[], options: PruneToolResultsOptions): string[] {
  return applyTransform(pruneToolResults(options), contextOf(messages)).messages.flatMap((message) => {
    if (message.role !== 'toolResult') return []
    if (messages.includes(message)) return ['…']
    return message.content.map((part) => (part.type === 'text' ? part.text : part.type))
  })
}

describe('pruneToolResults', () => {
  const long = contextOf([user(), ...turn('1', text(600)), ...turn('2', text(700)), assistant()])
  const [question, first, result, ...rest] = long.messages
  const pruned: Message = toolResult({
    toolCallId: '1',
    content: [{ type: 'text', text: shortened('600 characters') }],
  })
  behavesAsTransform(
    () => pruneToolResults({ keep: 1 }),
    long,
    { ...long, messages: [question, first, pruned, ...rest].filter((message) => message !== undefined) },
    contextOf([user(), ...turn('1', text(20)), ...turn('2', text(700))]),
  )

  it('keeps all other fields of a result', () => {
    expect(result).toEqual({ ...pruned, content: [text(600)] })
  })

  it.each<[string, readonly UserContent[], PruneToolResultsOptions, string]>([
    ['shortens a result of the minimum length', [text(500)], { keep: 0 }, shortened('500 characters')],
    ['keeps a shorter result', [text(499)], { keep: 0 }, '…'],
    ['adds up the lengths of its texts', [text(300), text(200)], { keep: 0 }, shortened('500 characters')],
    ['accepts another minimum length', [text(5)], { keep: 0, minLength: 5 }, shortened('5 characters')],
    [
      'shortens a result with an image, however short its text',
      [text(3), image, image],
      { keep: 0 },
      shortened('3 characters, images: 2'),
    ],
    ['keeps the last results', [text(500)], { keep: 1 }, '…'],
    ['shortens an empty result with minLength 0', [], { keep: 0, minLength: 0 }, shortened('0 characters')],
  ])('%s', (_, content, options, expected) => {
    expect(results([...turn('1', ...content), assistant()], options)).toEqual([expected])
  })

  it('keeps all results that the model has not answered yet', () => {
    const batch = ['2', '3', '4'].map((toolCallId) => toolResult({ toolCallId, content: [text(600)] }))
    const messages = [...turn('1', text(600)), assistant([call('2'), call('3'), call('4')]), ...batch]
    expect(results(messages, { keep: 1 })).toEqual([shortened('600 characters'), '…', '…', '…'])
    expect(results([...messages, assistant()], { keep: 1 }).slice(1, 3)).toEqual([
      shortened('600 characters'),
      shortened('600 characters'),
    ])
  })

  it.each([{ keep: -1 }, { keep: NaN }, { keep: 1, minLength: 0.5 }])('throws bad_request for %j', (options) => {
    expect(() => pruneToolResults(options)).toThrow(expect.objectContaining({ code: 'bad_request' }) as Error)
  })
})
