// Tests the picture of a terminal.
import { describe, expect, it } from 'vitest'
import { cellWidth } from '../../app/ui/text/cell-width.ts'
import { terminalPicture } from '../../scripts/pages/picture/terminal-picture.ts'

function textsOf(painted: string): string[] {
  return [...terminalPicture(painted, cellWidth).matchAll(/<text ([^>]*)>([^<]*)/g)].map(
    ([, attributes = '', text = '']) => `${/fill="([^"]*)"/.exec(attributes)?.[1] ?? '#d7dae0'} ${text}`,
  )
}

describe('the picture of a terminal', () => {
  it.each<[string, string, string[]]>([
    ['plain text', 'a b', ['#d7dae0 a b']],
    ['one of 16 colours', '\u001b[31mred\u001b[39m not', ['#e06c75 red', '#d7dae0 not']],
    ['one of 256', '\u001b[38;5;80mcyan', ['#5fd7d7 cyan']],
    ['a grey', '\u001b[38;5;245mgrey', ['#8a8a8a grey']],
    ['looks that go on in the next line', '\u001b[2ma\nb\u001b[0m\nc', ['#8a8f98 a', '#8a8f98 b', '#d7dae0 c']],
    ['characters that SVG would read', 'a < b & c', ['#d7dae0 a &lt; b &amp; c']],
  ])('shows %s', (_, painted, texts) => {
    expect(textsOf(painted)).toEqual(texts)
  })

  it('gives each stretch of words and each glyph of another font its own position', () => {
    const picture = terminalPicture('● ab cd  ef', cellWidth)
    const places = [...picture.matchAll(/x="([\d.]+)" y="27" textLength="([\d.]+)">([^<]*)/g)]
    expect(places.map(([, x, width, text]) => [x, width, text])).toEqual([
      ['14', '8.4', '●'],
      ['30.8', '42', 'ab cd'],
      ['89.6', '16.8', 'ef'],
    ])
  })

  it.each<[string, string, string]>([
    ['of 256 colours', '\u001b[48;5;236mab\u001b[49mc', 'x="14" y="14" width="16.8" height="18" fill="#303030"'],
    ['of spaces', 'a\u001b[41m  \u001b[49mc', 'x="22.4" y="14" width="16.8" height="18" fill="#e06c75"'],
    ['of inverse text', '\u001b[31;7mab', 'x="14" y="14" width="16.8" height="18" fill="#e06c75"'],
  ])('draws the background %s', (_, painted, rect) => {
    expect(terminalPicture(painted, cellWidth)).toContain(`<rect ${rect}/>`)
  })

  it('keeps the columns behind wide characters', () => {
    const picture = terminalPicture('日本\u001b[1mx', cellWidth)
    expect(picture).toMatch(/x="47\.6"[^>]*>x</) // 14 + 4 cells of 8.4
  })
})
