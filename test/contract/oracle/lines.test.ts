// Tests the short notation of messages, events and wordings.
import { describe, expect, it } from 'vitest'
import { callEndLine, callLine, endLine, progressLine, startLine, turnEndLine, updateLine } from './event-lines.ts'
import { messageLine } from './message-line.ts'
import { wordingOf } from './wordings.ts'

const plain = (text: string): string => text
const call = { type: 'toolCall', id: 'c1', name: 'add', arguments: { a: 1 } }

describe('a message’s line', () => {
  it.each([
    ['a text', { role: 'user', content: 'Hi' }, 'user "Hi"'],
    ['text blocks', { role: 'user', content: [{ type: 'text', text: 'Hi' }] }, 'user "Hi"'],
    [
      'an answer',
      { role: 'assistant', stopReason: 'toolUse', content: [{ type: 'thinking', thinking: 'hm' }, call] },
      'asst toolUse thinking "hm" call(c1 add {"a":1})',
    ],
    ['a failure', { role: 'assistant', stopReason: 'error', errorMessage: 'boom', content: [] }, 'asst error (boom)'],
    ['a result', { role: 'toolResult', toolCallId: 'c1', isError: false, content: [] }, 'result c1 ok nothing'],
    [
      'an error result',
      { role: 'toolResult', toolCallId: 'c1', isError: true, content: [{ type: 'text', text: 'no' }] },
      'result c1 error "no"',
    ],
  ])('of %s', (_, message, line) => {
    expect(messageLine(message, plain)).toBe(line)
  })
})

describe('an event’s line', () => {
  it.each([
    [startLine({ role: 'toolResult', toolCallId: 'c1' }), 'ms(result c1)'],
    [endLine({ role: 'user', content: 'Hi' }, plain), 'me(user "Hi")'],
    [updateLine({ type: 'text_delta', contentIndex: 0 }, 'Hel'), 'mu(text_delta 0 "Hel")'],
    [updateLine({ type: 'text_end', contentIndex: 1 }), 'mu(text_end 1)'],
    [callLine('c1', 'add', { a: 1 }), 'xs(c1 add {"a":1})'],
    [progressLine('c1', 'half'), 'xu(c1 "half")'],
    [callEndLine('c1', { content: [], terminate: true }, plain), 'xe(c1 ok nothing terminate)'],
    [turnEndLine({ role: 'assistant', stopReason: 'toolUse' }, ['c1', 'c2']), 'TE(toolUse: c1 c2)'],
    [turnEndLine(undefined, []), 'TE()'],
  ])('%s', (line, wanted) => {
    expect(line).toBe(wanted)
  })
})

describe('a wording', () => {
  it.each([
    ['pi', 'Tool nope not found', '<unknown tool>'],
    ['ours', 'There is no active tool "nope". Active tools: echo, add.', '<unknown tool>'],
    ['pi', 'Operation aborted', '<aborted>'],
    ['ours', 'Aborted', '<aborted>'],
  ] as const)('of %s is replaced by its kind: %s', (side, text, kind) => {
    const found: string[] = []
    const wording = wordingOf(side, (each) => found.push(each))
    expect([wording(JSON.stringify(text)), found]).toEqual([kind, [kind.slice(1, -1)]])
  })

  it.each([
    ['of the other agent', JSON.stringify('Operation aborted')],
    ['that is unknown', JSON.stringify('Something else')],
    ['that only begins alike', JSON.stringify('Aborted by the user')],
  ])('stays unchanged if it is one %s', (_, text) => {
    expect(wordingOf('ours')(text)).toBe(text)
  })
})
