// Tests the import of damaged and hostile session files.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transcript } from '../../../lib/streams/state/fold-session.ts'
import { foreignLines } from '../../../lib/store/import/foreign-lines.ts'
import { answered, asText, imported, piEntry, piHeader, printed } from './pi-files.ts'
import type { PiLine } from './pi-files.ts'
import { sampleSize } from '../../support/sample-size.ts'

const session = (...entries: readonly PiLine[]): string => asText([piHeader(), ...entries])
const contents = (messages: readonly { readonly content?: unknown }[]): unknown[] =>
  messages.map(({ content }) => content)

describe('a damaged or hostile file', () => {
  it.each([
    ['no JSON', '{"type":"message"'],
    ['JSON that is no object', '[]'],
    ['nothing but its type', '{"type":"message"}'],
    ['a message that is none', '{"type":"message","message":7}'],
    ['a message without a role', '{"type":"message","message":{}}'],
    ['a role that is a path', '{"type":"message","message":{"role":"../x"}}'],
    ['a call without a result to it', '{"type":"message","message":{"role":"toolResult","content":[]}}'],
    ['a compaction with no count', '{"type":"compaction","tokensBefore":-1,"summary":"s"}'],
    ['a model change without a model', '{"type":"model_change"}'],
    ['a thinking level that is none', '{"type":"thinking_level_change","thinkingLevel":9}'],
    ['a label for nothing', '{"type":"label","targetId":"x","label":"l"}'],
    ['a label that is none', '{"type":"label","targetId":"1","label":[]}'],
    ['an edit of nothing', '{"type":"context_edit","targetId":"x","replacement":null}'],
    ['a custom entry without a type', '{"type":"custom","data":1}'],
    ['bytes', '\u0000\u0001'],
  ])('reports a line with %s, and continues behind it', async (_name, line) => {
    const withIt = `${session(piEntry('1', null, printed('before')))}${line}\n${asText([piEntry('3', '1', printed('after'))])}`
    const { state, notices } = await imported(withIt)
    expect(contents(transcript(state))).toEqual(['before', 'after'])
    expect(notices.some((note) => note.startsWith('3: '))).toBe(true)
  })

  it('builds a tree from parents that form a circle', async () => {
    const circle = session(
      piEntry('a', 'b', printed('one')),
      piEntry('b', 'a', printed('two')),
      piEntry('c', 'c', printed('three')),
    )
    const { state, notices } = await imported(circle)
    expect(contents(transcript(state))).toEqual(['one', 'two', 'three'])
    expect(notices).toHaveLength(2)
  })

  it('attaches an entry without its parent to the previous entry', async () => {
    const { state, notices } = await imported(
      session(piEntry('a', null, printed('one')), piEntry('b', 'lost', printed('two'))),
    )
    expect(contents(transcript(state))).toEqual(['one', 'two'])
    expect(notices).toEqual([
      '3: the entry that it follows is not in the file before it; it now follows the last imported entry',
    ])
  })

  it('assigns new ids to entries with the same id', async () => {
    const { state, notices } = await imported(
      session(piEntry('a', null, printed('one')), piEntry('a', 'a', printed('two'))),
    )
    expect(state.entries.size).toBe(2)
    expect(notices.join()).toContain('its id was used before')
  })

  it('uses no id of the file', async () => {
    const evil = ['../../etc/passwd', '__proto__', 'constructor', 'a'.repeat(10_000)]
    const { state } = await imported(
      session(...evil.map((id, index) => piEntry(id, evil[index - 1] ?? null, printed(`${index}`)))),
    )
    expect(contents(transcript(state))).toEqual(['0', '1', '2', '3'])
    for (const id of state.entries.keys()) expect(id).toMatch(/^[a-z2-7]{8}$/)
  })

  it('drops __proto__ and changes no prototype', async () => {
    const line =
      '{"type":"custom","customType":"x","id":"1","parentId":null,"timestamp":"2025-01-01T00:00:00Z","data":{"__proto__":{"polluted":1},"y":[{"__proto__":2}]}}'
    const { events, notices } = await imported(`${session()}${line}\n`)
    expect(events.at(-1)).toEqual({ type: 'custom', customType: 'x', data: { y: [{}] } })
    expect(notices).toEqual(['2: properties called __proto__ were left out'])
    expect({}).not.toHaveProperty('polluted')
  })

  it('skips a line with a hundred thousand nesting levels', async () => {
    const deep = `{"type":"custom","customType":"x","data":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`
    const { notices } = await imported(session(piEntry('1', null, printed('one'))) + deep)
    expect(notices).toEqual(['3: it is nested more than 256 levels deep; it was left out'])
  })

  it('skips a line that is too long without storing it', () => {
    const piece = Buffer.alloc(64 * 1024, 'x')
    const pieces = (function* () {
      yield Buffer.from('first\n')
      for (let index = 0; index < 2_000; index += 1) yield piece
      yield Buffer.from('\nlast')
    })()
    const before = process.memoryUsage().arrayBuffers
    const lines = [...foreignLines(pieces, 1024 * 1024)].filter((line) => line !== undefined)
    expect(lines.map(({ number, text }) => [number, text])).toEqual([
      [1, 'first'],
      [2, undefined],
      [3, 'last'],
    ])
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024)
  })

  it('imports a message with bytes that are not UTF-8, and notes it', async () => {
    const [before = '', after = ''] = session(piEntry('1', null, printed('one X two'))).split('X')
    const pieces = [Buffer.from(before), Buffer.of(0xff), Buffer.from(after)]
    const { events, notices } = await imported('', { pieces })
    expect(JSON.stringify(events)).toContain('one \uFFFD two')
    expect(notices).toEqual(['2: it holds U+FFFD, which stands for bytes that are not UTF-8'])
  })

  it.each([
    ['no line feed at the end', 'a\nb', ['a', 'b']],
    ['a line feed at the end', 'a\nb\n', ['a', 'b']],
    ['empty lines', '\n\na', ['', '', 'a']],
    ['no byte', '', []],
    ['other separators', 'a\r\u2028b\r\nc', ['a\r\u2028b\r', 'c']],
    ['a too long last line', 'a\n0123456789', ['a', undefined]],
    ['too long lines between others', '0123456789\nb\n0123456789\nc', [undefined, 'b', undefined, 'c']],
  ])('splits text with %s', (_, text, expected) => {
    const pieces = [...Buffer.from(text)].map((byte) => Uint8Array.of(byte))
    const lines = [...foreignLines(pieces, 8)].filter((line) => line !== undefined)
    expect(lines).toEqual(expected.map((line, at) => ({ number: at + 1, ...(line !== undefined && { text: line }) })))
  })

  it('lists a thousand notes and counts the others', async () => {
    const { notes, moreNotes } = await imported(session() + 'x\n'.repeat(1_500))
    expect([notes.length, moreNotes]).toEqual([1_000, 500])
  })

  it('reads every line for any split of its bytes', async () => {
    const text = session(
      piEntry('1', null, printed('größer 🎉')),
      piEntry('2', '1', answered([{ type: 'text', text: 'ok' }])),
    )
    const bytes = Buffer.from(text)
    const whole = await imported(text)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (length) => {
        const pieces = Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) =>
          bytes.subarray(index * length, (index + 1) * length),
        )
        const { events } = await imported('', { pieces })
        expect(events).toEqual(whole.events)
      }),
      { numRuns: 20 },
    )
  })

  it('never fails on a file with a valid header, and always builds a tree', async () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', null, 7, '__proto__')
    const type = fc.constantFrom(
      'message',
      'compaction',
      'branch_summary',
      'label',
      'custom_message',
      'context_edit',
      'model_change',
      'custom',
      'usage',
      'session_info',
      'what',
    )
    const value = fc.jsonValue()
    const message = fc.oneof(
      value,
      fc.record({
        role: fc.constantFrom('user', 'assistant', 'toolResult', 'system', 'x'),
        content: value,
        usage: value,
      }),
    )
    const entry = fc.record(
      {
        type,
        id,
        parentId: id,
        timestamp: value,
        message,
        targetId: id,
        firstKeptEntryId: id,
        fromId: id,
        replacement: value,
        summary: value,
        label: value,
        customType: value,
        content: value,
      },
      { requiredKeys: ['type'] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 12 }), fc.constantFrom(1, 2, 3), async (entries, version) => {
        const { state } = await imported(asText([piHeader({ version }), ...entries]))
        expect(transcript(state).length).toBeLessThanOrEqual(entries.length)
      }),
      { numRuns: sampleSize(80, 400) },
    )
  })
})
