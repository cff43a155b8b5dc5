// Tests the plain text of a message.
import { expect, it } from 'vitest'
import { displayText, messageText } from '../../../lib/streams/messages/message-text.ts'
import { assistant, toolResult, user } from '../events/samples.ts'

it.each([
  [user('Hello'), 'Hello'],
  [
    assistant([
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'a' },
      { type: 'toolCall', id: 'c', name: 'read', arguments: {} },
      { type: 'text', text: 'b' },
    ]),
    'a\nb',
  ],
  [toolResult(), 'done'],
  [{ role: 'note', timestamp: 1 } as never, ''],
  [{ role: 'bashExecution', timestamp: 1, command: 'ls', output: 'a' } as never, '$ ls\na'],
  [{ role: 'note', timestamp: 1, content: 7 } as never, ''],
])('of %j is %j', (message, text) => {
  expect(messageText(message)).toBe(text)
})

it('shows of a command what was typed', () => {
  const message = {
    ...user('Read the form with …'),
    invocation: { kind: 'skill', name: 'skill:pdf', args: 'form.pdf' },
  }
  expect(displayText(message)).toBe('/skill:pdf form.pdf')
  expect(displayText(user('Hello'))).toBe('Hello')
})
