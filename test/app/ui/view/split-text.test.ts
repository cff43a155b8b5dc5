// Tests how streamed Markdown is split into pieces.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastPieces, emptyText, splitText } from '../../../../app/ui/view/split-text.ts'
import type { TextPiece } from '../../../../app/ui/view/split-text.ts'
import { markdownLines } from '../../../../app/ui/markdown/markdown-lines.ts'

/** All pieces of a text that arrives in these portions. */
function piecesOf(portions: readonly string[]): TextPiece[] {
  const pieces: TextPiece[] = []
  let open = emptyText
  for (const portion of portions) {
    const step = splitText(open, portion)
    pieces.push(...step.pieces)
    open = step.open
  }
  return [...pieces, ...lastPieces(open)]
}

function characters(text: string): string[] {
  return Array.from(text)
}

describe('splitText', () => {
  it.each<[string, string, string[]]>([
    ['paragraphs', 'One\nline.\n\nTwo.', ['One\nline.\n', 'Two.']],
    ['a heading from what follows it', 'Text.\n# Title\nMore.', ['Text.\n', '# Title\n', 'More.']],
    ['items of a list', '- a\n- b\n  goes on\n- c', ['- a\n', '- b\n  goes on\n', '- c']],
    ['an item with a paragraph of its own', '- a\n\n  more\n\nText', ['- a\n\n  more\n', 'Text']],
    ['code from what stands around it', 'Look:\n```ts\na\n\nb\n```\nSo.', ['Look:\n', '```ts\na\n\nb\n```\n', 'So.']],
    ['code inside an item with it', '- a\n  ```\n  x\n\n  y\n  ```\n- b', ['- a\n  ```\n  x\n\n  y\n  ```\n', '- b']],
    ['a fence inside a longer one with it', '````\n```\nx\n```\n````\nend', ['````\n```\nx\n```\n````\n', 'end']],
    [
      'a fence that is indented by four inside a block with it',
      '```md\n1. a\n    ```sh\n    b\n    ```\n```\nend',
      ['```md\n1. a\n    ```sh\n    b\n    ```\n```\n', 'end'],
    ],
    ['a fence after a tab inside a block with it', '```\na\n\t```\n```\nend', ['```\na\n\t```\n```\n', 'end']],
    ['code that a fence after three spaces closes', '```\na\n   ```\nend', ['```\na\n   ```\n', 'end']],
    ['code between fences after tabs', 'One.\n\n\t```\n\ta\n\t```\n\nend', ['One.\n', '\t```\n\ta\n\t```\n', 'end']],
    ['a table as a whole', '| a |\n|---|\n| b |\n\nend', ['| a |\n|---|\n| b |\n', 'end']],
    ['nothing out of blank lines', '\n\n  \n', []],
  ])('cuts %s', (_, text, sources) => {
    const ended = sources.map((source) => source.replace(/\n?$/, '\n'))
    expect(piecesOf([text]).map(({ source }) => source)).toEqual(ended)
    expect(piecesOf(characters(text)).map(({ source }) => source)).toEqual(ended)
  })

  it('marks a blank line before a piece', () => {
    const gaps = piecesOf(['One.\n- a\n- b\n\nTwo.\n# Title\nThree.']).map(({ hasGap }) => hasGap)
    expect(gaps).toEqual([false, false, false, true, true, false])
  })

  it('cuts long code at lines, and continues as code of the same language', () => {
    const line = `${'x'.repeat(99)}\n`
    const pieces = piecesOf([`\`\`\`ts\n${line.repeat(100)}\`\`\`\nend`])
    expect(pieces.map(({ codeOf }) => codeOf)).toEqual([undefined, 'ts', 'ts', undefined])
    expect(pieces.map(({ source }) => source.replace('```ts\n', '')).join('')).toBe(`${line.repeat(100)}end\n`)
  })

  it('bounds an open block for any length of text', () => {
    let open = emptyText
    for (let count = 0; count < 10_000; count++) {
      open = splitText(open, 'a line without a blank one after it\n').open
      expect(open.block.length).toBeLessThan(4_200)
    }
  })

  it('cuts at the same places for any portions of the text', () => {
    const words = fc.constantFrom(
      'a',
      'b c',
      '\n',
      '\n\n',
      '- ',
      '  ',
      '# ',
      '```',
      '```ts\n',
      '> ',
      '1. ',
      '| x |',
      '~~~',
    )
    const portions = fc.array(
      fc.array(words).map((some) => some.join('')),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(portions, (options) => {
        expect(piecesOf(options)).toEqual(piecesOf([options.join('')]))
      }),
      { numRuns: 300 },
    )
  })

  it('loses no word: the pieces draw like the whole', () => {
    const blocks = fc.constantFrom('Some words.', '- one\n- two', '# Title', '```ts\nlet a = 1\n```', '> said')
    fc.assert(
      fc.property(fc.array(blocks, { maxLength: 8 }), (some) => {
        const text = some.join('\n\n')
        const shown = (source: string) => markdownLines(source, 60).flatMap((line) => line.map((part) => part.text))
        const wordsIn = (texts: string[]) =>
          texts
            .join(' ')
            .split(/\s+/)
            .filter((word) => word !== '')
        expect(wordsIn(piecesOf([text]).flatMap(({ source }) => shown(source)))).toEqual(wordsIn(shown(text)))
      }),
      { numRuns: 100 },
    )
  })
})
