// Tests `dedupeReads`, which replaces older readings of a file that the model has read again.
import { describe, expect, it } from 'vitest'
import { dedupeReads } from '../../../lib/operators/context/dedupe-reads.ts'
import type { Message, ToolResultMessage } from '../../../lib/streams/messages/message.ts'
import { assistant, toolResult, user } from '../../streams/events/samples.ts'
import { behavesAsTransform, call, contextOf, applyTransform } from './context-samples.ts'

function reading(details: unknown, fields: Partial<ToolResultMessage> = {}): ToolResultMessage {
  return toolResult({ details, content: [{ type: 'text', text: 'its lines' }], ...fields })
}

const whole = { path: '/a.ts', firstLine: 1, lines: 40, isWhole: true }
const middle = { path: '/a.ts', firstLine: 10, lines: 5, isWhole: false }
const image = { path: '/a.png', mimeType: 'image/png', bytes: 3 }

/** True if the first reading is replaced because of the second. */
function isSuperseded(first: ToolResultMessage, second: ToolResultMessage): boolean {
  const context = contextOf([assistant([call('1')]), first, assistant([call('2')]), second])
  const { messages } = applyTransform(dedupeReads(), context)
  expect(messages[3]).toBe(context.messages[3])
  return messages[1] !== context.messages[1]
}

describe('dedupeReads', () => {
  const twice = contextOf([user(), assistant([call('1')]), reading(whole), assistant([call('2')]), reading(whole)])
  const [question, called, , ...rest] = twice.messages
  const note: Message = reading(whole, { content: [{ type: 'text', text: '[/a.ts was read again later: see there]' }] })
  behavesAsTransform(
    () => dedupeReads(),
    twice,
    { ...twice, messages: [question, called, note, ...rest].filter((message) => message !== undefined) },
    contextOf([user(), assistant([call('1')]), reading(whole), assistant([call('2')]), reading(middle)]),
  )

  it.each<[string, unknown, unknown, boolean]>([
    ['a part by the whole', middle, whole, true],
    ['the whole by a part', whole, middle, false],
    ['a part by the same part', middle, middle, true],
    ['a part by a longer one', middle, { ...middle, lines: 6 }, true],
    ['a part by a shorter one', middle, { ...middle, lines: 4 }, false],
    ['a part by another part', middle, { ...middle, firstLine: 11 }, false],
    ['a file by another', whole, { ...whole, path: '/b.ts' }, false],
    ['an image by itself', image, image, true],
    ['what has no details', undefined, undefined, false],
    ['details of another shape', { path: '/a.ts' }, { path: '/a.ts' }, false],
    ['details without a path', { ...whole, path: 7 }, { ...whole, path: 7 }, false],
    ['null', null, null, false],
  ])('replaces an older reading if a later one covers it: %s: %j, %j → %s', (_, first, second, expected) => {
    expect(isSuperseded(reading(first), reading(second))).toBe(expected)
  })

  it('keeps a reading before a failed one', () => {
    expect(isSuperseded(reading(whole), reading(whole, { isError: true }))).toBe(false)
  })

  it('keeps the results of other tools', () => {
    expect(isSuperseded(reading(whole, { toolName: 'bash' }), reading(whole, { toolName: 'bash' }))).toBe(false)
  })

  it('keeps only the newest of many readings', () => {
    const context = contextOf([reading(middle), reading(whole), reading(middle), reading(whole), reading(middle)])
    const { messages } = applyTransform(dedupeReads(), context)
    const same = messages.map((message, index) => message === context.messages[index])
    expect(same).toEqual([false, false, false, true, true])
  })

  it('handles 20,000 readings of one file', () => {
    const context = contextOf(Array.from({ length: 20_000 }, (_, firstLine) => reading({ ...middle, firstLine })))
    expect(applyTransform(dedupeReads(), context)).toBe(context)
  })
})
