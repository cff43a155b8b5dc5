// Tests the lines of the transcript's items.
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { itemLines } from '../../../../app/ui/transcript/item-lines.ts'
import { loadHighlighter } from '../../../../app/ui/markdown/code-lines.ts'
import { createTheme } from '../../../../app/ui/theme/theme.ts'
import { newToolItem } from '../../../../app/ui/view/view-item.ts'
import type { ToolItem, ViewItem } from '../../../../app/ui/view/view-item.ts'
import { activeCharacters } from '../../../../lib/streams/values/display-text.ts'

const options = { columns: 40, theme: createTheme('dark', 'plain'), showsThinking: false, isExpanded: false }

function shown(item: ViewItem, more: Partial<typeof options> = {}): string {
  return stripVTControlCharacters(itemLines(item, { ...options, ...more }).join('\n'))
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
}

function tool(more: Partial<ToolItem>): ToolItem {
  return newToolItem({ id: 'c1', name: 'bash', block: 'e/0', state: 'done', args: { command: 'npm test' }, ...more })
}

const printed = (text: string) => [{ type: 'text', text }] as const
const diff = '--- a.ts\n+++ a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n'

describe('the card of a tool', () => {
  it.each<[string, ToolItem, string]>([
    [
      'while its arguments come',
      tool({
        state: 'writing',
        args: undefined,
        argumentsText: '{"path":"a.ts","con',
        argumentsLength: 3_000,
        name: 'write',
      }),
      '○ write a.ts · writing, 3000',
    ],
    ['with its question', tool({ name: 'ask', args: { question: 'Which\nport?' } }), '✓ ask Which port?'],
    ['with the number of its steps', tool({ name: 'todo', args: { items: [{ text: 'Read' }] } }), '✓ todo 1 step'],
    ['while it waits', tool({ state: 'waiting' }), '○ bash npm test · waiting'],
    [
      'while it runs, with the end of its output',
      tool({ state: 'running', tail: '1\n2\n3\n4\n5\n6\n7\n' }),
      '◐ bash npm test\n  3\n  4\n  5\n  6\n  7',
    ],
    ['when it is done', tool({ content: printed('ok\n'), durationMs: 1_234 }), '✓ bash npm test · 1.2 s\n  ok'],
    [
      'when it has failed, with its output',
      tool({ isError: true, content: printed('no such file'), details: { exitCode: 2 }, durationMs: 5 }),
      '✗ bash npm test · exit 2 · 5 ms\n  no such file',
    ],
    [
      'when it ran out of time',
      tool({ isError: true, details: { exitCode: null, timedOut: true } }),
      '✗ bash npm test · timed out',
    ],
    [
      'with the end of a long output',
      tool({ content: printed('1\n2\n3\n4\n5\n6\n7\n8') }),
      '✓ bash npm test\n  … 3 lines more\n  4\n  5\n  6\n  7\n  8',
    ],
    [
      'of a file that was read, without its text',
      tool({ name: 'read', args: { path: 'a.ts', offset: 3, limit: 2 }, content: printed('x') }),
      '✓ read a.ts · lines 3–4',
    ],
    [
      'of a change, with its lines',
      tool({ name: 'edit', args: { path: 'a.ts', edits: [] }, details: { diff } }),
      '✓ edit a.ts · +1 −1\n      1   one\n      2 − two\n      2 + TWO\n      3   three',
    ],
    ['of an unknown tool', tool({ name: 'x', args: { a: 1 } }), '✓ x {"a":1}'],
  ])('is drawn %s', (_, item, text) => {
    expect(shown(item).startsWith(text)).toBe(true)
  })

  it('shows all output if it is expanded', () => {
    expect(shown(tool({ content: printed('1\n2\n3\n4\n5\n6\n7\n8') }), { isExpanded: true })).toContain(
      '  1\n  2\n  3\n',
    )
  })
})

describe('colours of the transcript', () => {
  const many = { ...options, theme: createTheme('dark', 'many') }

  it('fills the row of a question with a background, if there are many colours [SCREEN-words]', () => {
    const item: ViewItem = { kind: 'user', id: 'u', text: 'Hi', images: 0, wasQueued: false }
    const [, line = ''] = itemLines(item, many)
    expect(stripVTControlCharacters(line)).toBe('› Hi'.padEnd(40))
    expect(line.split('\u001b[48;5;236m').length - 1).toBe(3)
    const basic = itemLines(item, { ...options, theme: createTheme('dark', 'basic') })[1]
    expect(basic).toBe('\u001b[36m› \u001b[39m\u001b[1mHi\u001b[22m')
  })

  it.each([
    ['one word', 'let count = 1', 'let total = 1', 'count', 'total'],
    ['tabs and what is untrusted', '\tlet a = "\u001b[2J"', '\tlet b = "\u001b[2J"', 'a', 'b'],
  ])('marks in a changed line %s that differs [SCREEN-changed]', (_, before, after, removed, added) => {
    const item = tool({ name: 'edit', details: { diff: `@@ -1 +1 @@\n-${before}\n+${after}\n` } })
    const text = itemLines(item, { ...options, theme: createTheme('dark', 'none') }).join('\n')
    expect([...text.matchAll(/\u001b\[7m(.*?)\u001b\[27m/g)].map(([, words]) => words)).toEqual([removed, added])
    expect(stripVTControlCharacters(text)).not.toContain('\u001b')
  })

  it('marks nothing in lines without much in common, or too long ones', () => {
    const pairs = [
      ['return everything', 'throw nothing.at(all)'],
      ['x'.repeat(500), `${'x'.repeat(499)}y`],
    ]
    for (const [before = '', after = ''] of pairs) {
      const item = tool({ name: 'edit', details: { diff: `@@ -1 +1 @@\n-${before}\n+${after}\n` } })
      expect(itemLines(item, { ...options, theme: createTheme('dark', 'none') }).join('')).not.toContain('\u001b[7m')
    }
  })

  it('colours shell commands, of the model and of the user [SCREEN-bash]', async () => {
    await loadHighlighter()
    const item = tool({ args: { command: 'echo "hello" # aloud' } })
    const own: ViewItem = { kind: 'bash', id: 'b', command: 'echo "hello"', output: '', isExcluded: false }
    for (const each of [item, own]) {
      const text = itemLines(each, many).join('\n')
      expect(text).toContain('\u001b[38;5;114m"hello"\u001b[39m')
      expect(text).toContain('\u001b[38;5;176mecho\u001b[39m')
    }
  })
})

describe('an item of the transcript', () => {
  it.each<[string, ViewItem, string]>([
    [
      'a question',
      { kind: 'user', id: 'u', text: 'Hi\nyou', images: 2, wasQueued: false },
      '› Hi\n  you\n  [2 pictures]',
    ],
    [
      'a question with a file',
      { kind: 'user', id: 'u', text: '<file path="a.ts">\nlet a\n</file>\n\nWhy?', images: 0, wasQueued: false },
      '› @a.ts Why?',
    ],
    ['an answer', { kind: 'text', id: 't', source: '**Yes**, it is.', isFirst: true, hasGap: true }, '● Yes, it is.'],
    [
      'code that goes on',
      { kind: 'text', id: 't', source: 'let a\n', isFirst: false, hasGap: false, codeOf: 'ts' },
      'let a',
    ],
    [
      'thinking, folded',
      { kind: 'thinking', id: 't', text: 'First\nsecond', tail: '', isOpen: false, redacted: false },
      '∴ First …',
    ],
    [
      'thinking that goes on',
      { kind: 'thinking', id: 't', text: 'First\nsecond', tail: 'First\nsecond', isOpen: true, redacted: false },
      '∴ thinking second',
    ],
    [
      'redacted thinking',
      { kind: 'thinking', id: 't', text: '', tail: '', isOpen: false, redacted: true },
      '∴ thinking, kept secret by the provider',
    ],
    [
      'a command of the user',
      { kind: 'bash', id: 'b', command: 'ls', output: 'a\n', exitCode: 1, isExcluded: false },
      '! ls\n  a\n  exit 1',
    ],
    [
      'a command that the model is not shown',
      { kind: 'bash', id: 'b', command: 'ls', output: '', isExcluded: true },
      '!! ls',
    ],
    [
      'a line for people',
      { kind: 'notice', id: 'n', level: 'error', text: 'It failed', hint: 'Do this' },
      '✗ It failed\n  Do this',
    ],
    ['a summary', { kind: 'summary', id: 's', title: 'Before', text: 'It was **so**.' }, '── Before\n  It was so.'],
  ])('is drawn: %s', (_, item, text) => {
    expect(shown(item)).toBe(text)
  })

  it('folds a long message of the user, and shows it whole if it is expanded', () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index}`)
    const item = { kind: 'user', id: 'u', text: lines.join('\n'), images: 1, wasQueued: false } as const
    const folded = ['› line 0', ...lines.slice(1, 40).map((line) => `  ${line}`)]
    expect(shown(item).split('\n')).toEqual([...folded, '  … 4960 lines more', '  [1 picture]'])
    expect(shown(item, { isExpanded: true })).toContain('\n  line 4999\n  [1 picture]')
  })

  it('shows all thinking if it is expanded', () => {
    const item = { kind: 'thinking', id: 't', text: 'First\nsecond', tail: '', isOpen: false, redacted: false } as const
    expect(shown(item, { showsThinking: true })).toBe('∴ First\n  second')
  })

  it.each([true, false])('shows nothing of thinking without a text, expanded: %j', (showsThinking) => {
    const item = { kind: 'thinking', id: 't', text: '', tail: '', isOpen: false, redacted: false } as const
    expect(itemLines(item, { ...options, showsThinking })).toEqual([])
  })
})

describe('hostile text', () => {
  const hostile =
    '\u001b]0;title\u0007 \u001b]52;c;aGk=\u0007 \u001b[2J\u001b[H \u001b]8;;http://x\u0007y\u001b]8;;\u0007 \u202egnp.exe \u009b31m \u200b\r'
  const items: ViewItem[] = [
    { kind: 'user', id: '1', text: hostile, images: 0, wasQueued: false },
    {
      kind: 'text',
      id: '2',
      source: `${hostile}\n\n\`\`\`ts\n${hostile}\n\`\`\`\n\n| ${hostile} |\n|---|\n| [${hostile}](${hostile}) |\n- ${hostile}`,
      isFirst: true,
      hasGap: true,
    },
    { kind: 'text', id: '3', source: hostile, isFirst: true, hasGap: true, codeOf: hostile },
    { kind: 'thinking', id: '4', text: hostile, tail: hostile, isOpen: true, redacted: false },
    { kind: 'thinking', id: '5', text: hostile, tail: '', isOpen: false, redacted: false },
    tool({ name: hostile, args: { command: hostile }, content: printed(hostile) }),
    tool({ state: 'running', tail: hostile }),
    tool({ state: 'writing', args: undefined, argumentsText: `{"path":"${hostile}` }),
    tool({ name: 'edit', args: { path: hostile }, details: { diff: `@@ -1 +1 @@\n-${hostile}\n+${hostile}\n` } }),
    tool({ isError: true, args: { [hostile]: 1 }, content: [{ type: 'image', mimeType: hostile }] }),
    { kind: 'bash', id: '6', command: hostile, output: hostile, exitCode: 1, isExcluded: false },
    { kind: 'notice', id: '7', level: 'error', text: hostile, hint: hostile },
    { kind: 'summary', id: '8', title: hostile, text: hostile },
  ]

  it.each(items.map((item) => [item.kind, item] as const))('of a %s is escaped [S19a]', (_, item) => {
    for (const showsThinking of [true, false])
      for (const isExpanded of [true, false]) {
        const text = itemLines(item, { ...options, showsThinking, isExpanded }).join('\n')
        expect(text.match(activeCharacters)).toBeNull()
        expect(text).not.toContain('\t')
      }
  })
})
