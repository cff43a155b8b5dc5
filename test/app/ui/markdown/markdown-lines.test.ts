// Tests Markdown in the terminal.
import { beforeAll, describe, expect, it } from 'vitest'
import { codeLines, loadHighlighter } from '../../../../app/ui/markdown/code-lines.ts'
import { markdownLines } from '../../../../app/ui/markdown/markdown-lines.ts'
import { paintLine } from '../../../../app/ui/text/span.ts'
import { widthOf } from '../../../../app/ui/text/wrap-line.ts'
import { createTheme } from '../../../../app/ui/theme/theme.ts'

function shown(source: string, columns = 40): string {
  return markdownLines(source, columns)
    .map((line) =>
      line
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    )
    .join('\n')
}

/** Nested list items; the innermost one has content. */
function nested(depth: number, item: string, inner: string): string {
  const indented = (text: string, by: number): string => text.replaceAll(/^/gm, '   '.repeat(by))
  return [...Array.from({ length: depth }, (_, by) => indented(item, by)), indented(inner, depth)].join('\n')
}

beforeAll(async () => {
  await loadHighlighter()
})

describe('Markdown in the terminal', () => {
  it.each<[string, string, string]>([
    ['a heading', '## Title', 'Title'],
    ['emphasis, by looks alone', '**bold** and *soft* and `code`', 'bold and soft and code'],
    ['a link with its address', 'see [this](https://x.example/a)', 'see this (https://x.example/a)'],
    ['a link that is its address once', '<https://x.example/a>', 'https://x.example/a'],
    ['a script’s address as what it is', '[x](javascript:alert)', 'x (javascript:alert)'],
    [
      'the address of a link apart, as it is written',
      '[a][1]\n\n[1]: https://x.example/a',
      '[a][1]\n\n[1]: https://x.example/a',
    ],
    ['a picture by its name and address', '![alt](a.png)', '[picture: alt a.png]'],
    ['HTML as text', '<b>x</b>\n\n<div>y</div>', '<b>x</b>\n\n<div>y</div>'],
    ['a list', '- one\n- two\n  - three', '• one\n• two\n  • three'],
    ['a numbered list, from its first number', '3. a\n4. b', '3. a\n4. b'],
    ['a list with paragraphs', '- a\n\n  b\n- c', '• a\n\n  b\n• c'],
    ['a quote', '> said\n> so', '▏ said so'],
    ['code', '```ts\nlet a = 1\n\nlet b\n```', '  let a = 1\n\n  let b'],
    ['code with a tab', '```\n\tx\n```', '      x'],
    ['a rule', '---', '─'.repeat(40)],
    ['line breaks that are meant', 'a  \nb', 'a\nb'],
    ['a table', '| a | bb |\n|---|---|\n| ccc | d |', 'a   │ bb\n────┼───\nccc │ d'],
    ['wide characters in a table', '| 日本 | b |\n|---|---|\n| a | c |', '日本 │ b\n─────┼──\na    │ c'],
    ['cells beyond the head of a table', '| a | b |\n|--|--|\n| c || d \\| e |', 'a │ b\n──┼────────\nc │ | d | e'],
    ['the same in a quote', '> a | b\n> --|--\n> c | d | *e* |\n> f', '▏ a │ b\n▏ ──┼──────\n▏ c │ d | e\n▏ f │'],
  ])('shows %s', (_, source, text) => {
    expect(shown(source)).toBe(text)
  })

  it('wraps the widest columns of a table that does not fit', () => {
    const lines = shown('| name | words |\n|---|---|\n| a | one two three four five six |', 24).split('\n')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(24)
    expect(lines.join(' ')).toContain('six')
  })

  it.each([
    ['a rule in quotes in quotes', `${'>'.repeat(60)} ---`, '─'],
    ['words in quotes in quotes', `${'>'.repeat(60)} some words at last`, 'last'],
    ['a rule in lists in lists', nested(45, '- x', '***'), '─'],
    ['code in lists in lists', nested(30, '1. x', '```\nlet a\n```'), 'let a'],
    ['a table in quotes in quotes', `${'>'.repeat(40)} | a |\n${'>'.repeat(40)} |---|\n${'>'.repeat(40)} | b |`, 'b'],
    ['a table of many columns', `|${' abcdefgh |'.repeat(60)}\n|${'---|'.repeat(60)}`, 'abcd'],
  ])('fits %s into the terminal', (_, source, word) => {
    const lines = markdownLines(source, 78)
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(78)
    expect(shown(source, 78)).toContain(word)
  })

  it('highlights code, and not without colours', () => {
    const [line] = codeLines('const a = 1', 'ts')
    const { paint } = createTheme('dark', 'many')
    expect(paintLine(line ?? [], createTheme('dark', 'many'))).toBe(
      `${paint('keyword', 'const')} a = ${paint('number', '1')}`,
    )
    expect(paintLine(line ?? [], createTheme('dark', 'none'))).toBe('const a = 1')
  })

  it.each([
    ['of no known language', 'x = 1', 'no-such'],
    ['that is very long', 'let a = 1\n'.repeat(3_000), 'ts'],
    ['with a long run', 'x'.repeat(1_000), 'ts'],
    ['with characters that HTML would have', 'if (a < b && c > "d") {}', 'ts'],
    ['across lines', '/* a\nb */ let c', 'ts'],
  ])('leaves code %s unchanged', (_, code, language) => {
    expect(
      codeLines(code, language)
        .map((line) => line.map(({ text }) => text).join(''))
        .join('\n'),
    ).toBe(code)
  })
})
