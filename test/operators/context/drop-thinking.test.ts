// Tests `dropThinking`, which removes the thinking blocks of old answers.
import { describe, expect, it } from 'vitest'
import { dropThinking } from '../../../lib/operators/context/trim-messages.ts'
import type { DropThinkingOptions } from '../../../lib/operators/context/trim-messages.ts'
import type { AssistantContent, AssistantMessage } from '../../../lib/streams/messages/message.ts'
import { assistant, toolResult, user } from '../../streams/events/samples.ts'
import { behavesAsTransform, call, contextOf, applyTransform } from './context-samples.ts'

const thought: AssistantContent = { type: 'thinking', thinking: 'hm', thinkingSignature: 's' }
const hidden: AssistantContent = { type: 'thinking', thinking: '', redacted: true }
const textBlock: AssistantContent = { type: 'text', text: 'so' }

/** The remaining blocks of each answer. */
function blocks(answers: readonly AssistantMessage[], options?: DropThinkingOptions): string[] {
  const messages = answers.flatMap((answer) => [user(), answer])
  return applyTransform(dropThinking(options), contextOf(messages)).messages.flatMap((message) =>
    message.role === 'assistant' ? [message.content.map(({ type }) => type).join(' ')] : [],
  )
}

describe('dropThinking', () => {
  const long = contextOf([user(), assistant([thought, call('1')]), toolResult(), assistant([thought, textBlock])])
  const [question, , ...rest] = long.messages
  behavesAsTransform(
    () => dropThinking(),
    long,
    { ...long, messages: [question, assistant([call('1')]), ...rest].filter((message) => message !== undefined) },
    contextOf([user(), assistant([textBlock]), user(), assistant([thought, textBlock])]),
  )

  it.each<[string, readonly AssistantMessage[], DropThinkingOptions | undefined, readonly string[]]>([
    ['keeps the thinking of the last answer', [assistant([thought, textBlock])], undefined, ['thinking text']],
    [
      'drops all thinking',
      [assistant([thought, textBlock]), assistant([thought, textBlock])],
      { keepLast: 0 },
      ['text', 'text'],
    ],
    [
      'keeps the thinking of several answers',
      [assistant([thought, textBlock]), assistant([thought, textBlock])],
      { keepLast: 2 },
      ['thinking text', 'thinking text'],
    ],
    [
      'drops thinking at any position, also redacted thinking',
      [assistant([thought, textBlock, hidden, call('1')])],
      { keepLast: 0 },
      ['text toolCall'],
    ],
    ['drops an answer of thinking alone', [assistant([thought, hidden]), assistant([textBlock])], undefined, ['text']],
    ['keeps an answer that is empty already', [assistant([]), assistant([textBlock])], undefined, ['', 'text']],
    ['accepts a number above that of the answers', [assistant([thought])], { keepLast: 9 }, ['thinking']],
  ])('%s', (_, answers, options, expected) => {
    expect(blocks(answers, options)).toEqual(expected)
  })

  it.each([-1, 0.5, NaN])('throws bad_request for keep %d', (keepLast) => {
    expect(() => dropThinking({ keepLast })).toThrow(expect.objectContaining({ code: 'bad_request' }) as Error)
  })
})
