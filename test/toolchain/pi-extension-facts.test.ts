// Checks the facts of requests and messages by which pi's examples are compared on both sides.
import { expect, test } from 'vitest'
import { messageLine } from '../../scripts/pi-extensions/play/message-line.ts'
import { nameFolder, plainLines, plainText } from '../../scripts/pi-extensions/contract/plain-text.ts'
import { requestFacts } from '../../scripts/pi-extensions/play/request-facts.ts'

test('a request has its prompt, its tools in order, its messages and the headers of no default', () => {
  const body = {
    model: 'm',
    tools: [{ function: { name: 'write' } }, { function: { name: 'bash' } }],
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }, { type: 'image_url' }] },
      { role: 'assistant', content: '', tool_calls: [{ function: { name: 'bash', arguments: '{}' } }] },
    ],
  }
  const headers = { host: 'h', 'user-agent': 'u', 'x-stainless-os': 'l', 'x-trace': '1' }
  expect(requestFacts(JSON.stringify(body), headers)).toEqual({
    model: 'm',
    system: 'Be brief.',
    tools: ['bash', 'write'],
    messages: ['user: Hi\n<image_url>', 'assistant:  [bash {}]'],
    headers: ['x-trace: 1'],
  })
})

test('texts are comparable: without colours, titles, times, ids and folders of a run', () => {
  nameFolder('/tmp/run-17', '<cwd>')
  expect(plainText('\u001B[38;2;1;2;3mred\u001B[39m \u001B]0;title\u0007 /tmp/run-17/a 2026-01-02T03:04:05.678Z')).toBe(
    'red  <cwd>/a <time>',
  )
  expect(plainText('3f2504e0-4f89-41d3-9a0c-0305e82c3301 1767225600000')).toBe('<id> <ms>')
  expect(plainLines(['a  ', '\u001B_cursor\u0007b '])).toBe('a\nb')
})

test('a message is one line: who, which type or tool, what', () => {
  expect(messageLine({ role: 'custom', customType: 'note', content: 'x' })).toBe('custom note: x')
  expect(messageLine({ role: 'toolResult', toolName: 'bash', isError: true, content: [{ type: 'text', text: 'no' }] })).toBe('toolResult bash error: no') // prettier-ignore
  expect(messageLine({ role: 'bashExecution', command: 'ls', output: 'a' })).toBe('bashExecution: $ ls a')
})
