// Tests the picker: filter, keys, harmless text, and rows cut to the terminal's width.
import { stripVTControlCharacters } from 'node:util'
import { cleanup, render } from '../../../support/ink-screen.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import { Picker } from '../../../../app/ui/lists/picker.tsx'
import type { PickerProps } from '../../../../app/ui/lists/picker.tsx'
import { cellWidth } from '../../../../app/ui/text/cell-width.ts'

afterEach(cleanup)

const named = (...names: string[]) => names.map((name) => ({ key: name, label: name }))

function picked(more: Partial<PickerProps> = {}) {
  const notices: string[] = []
  const shown = render(
    <Keyboard>
      <Picker
        title="Models"
        rows={named('alpha', 'beta', 'gamma')}
        columns={40}
        height={8}
        empty="There are none"
        onAccept={({ key }) => notices.push(key)}
        onCancel={() => notices.push('cancelled')}
        {...more}
      />
    </Keyboard>,
  )
  const frame = (): string => shown.lastFrame() ?? ''
  const lines = (): string[] => stripVTControlCharacters(frame()).split('\n')
  const press = async (keys: string, until: () => void): Promise<void> => {
    shown.stdin.write(keys)
    await vi.waitFor(until, 10_000)
  }
  return { notices, frame, lines, press }
}

const [up, down, enter, escape] = ['\u001b[A', '\u001b[B', '\r', '\u001b']

describe('Picker', () => {
  it('picks the selected row at Enter', async () => {
    const { notices, lines, press } = picked()
    expect(lines().slice(0, 4)).toEqual(['Models (3)', '›  alpha'.replace('  ', ' '), '  beta', '  gamma'])
    await press(down, () => expect(lines()[2]).toBe('› beta'))
    await press(enter, () => expect(notices).toEqual(['beta']))
  })

  it('handles several keys of one chunk in order', async () => {
    const { notices, lines, press } = picked({
      rows: named(...Array.from({ length: 9 }, (_, index) => `row ${index}`)),
    })
    await press(down.repeat(7), () => expect(lines()).toContain('› row 7'))
    await press(`${down}${enter}`, () => expect(notices).toEqual(['row 8']))
    await press(`row 3${enter}`, () => expect(notices).toEqual(['row 8', 'row 3']))
  })

  it('wraps around at its ends, and starts at its initial row', async () => {
    const { lines, press } = picked({ initial: 'alpha' })
    await press(up, () => expect(lines()[3]).toBe('› gamma'))
  })

  it('filters by the typed text; Esc first clears the text, then closes', async () => {
    const { notices, lines, press } = picked({ columns: 60 })
    await press('mm', () => expect(lines().slice(0, 2)).toEqual(['Models (1/3): mm', '› gamma']))
    await press('z', () => expect(lines()[1]).toBe('No row matches the filter'))
    expect(lines().at(-1)).toMatch(/Esc shows all$/)
    await press(escape, () => expect(lines()[0]).toBe('Models (3)'))
    expect(lines().at(-1)).toMatch(/Esc closes$/)
    await press(escape, () => expect(notices).toEqual(['cancelled']))
  })

  it('draws only the visible rows of thousands', () => {
    const { lines } = picked({ rows: named(...Array.from({ length: 5_000 }, (_, index) => `row ${index}`)) })
    expect(lines().length).toBeLessThanOrEqual(8)
    expect(lines().at(-1)).toContain('1–5 of 5000')
  })

  it('stays within the width, and escapes control characters [S19a]', () => {
    const rows = [{ key: 'a', label: `\u001b]0;evil\u0007${'長い名前'.repeat(20)}`, hint: 'hint' }]
    const { lines } = picked({ rows, columns: 20 })
    expect(Math.max(...lines().map(cellWidth))).toBeLessThanOrEqual(20)
    expect(lines().join('\n')).not.toContain('\u0007')
  })

  it('escapes its title, its foot and the text without rows [S19a]', () => {
    const hostile = '\u001b]8;;http://bad.example\u0007Done\u001b]8;;\u0007 \u001b[8mhidden \u009b7mall\u202e'
    const frames = [
      picked({ title: hostile, columns: 90 }),
      picked({ foot: hostile, columns: 90 }),
      picked({ empty: hostile, rows: [], columns: 90 }),
    ].map(({ frame }) => frame())
    for (const frame of frames) {
      expect(frame).toContain('␛]8;;http://bad.example␇Done␛]8;;␇ ␛[8mhidden <U+009B>7mall<U+202E>')
      expect(frame).not.toMatch(/\u001b\]|\u001b\[8m|\u009b/)
    }
  })

  it('shows that the list is empty', () => {
    expect(picked({ rows: [] }).lines()[1]).toBe('There are none')
  })

  it.each([60, 80, 120])('aligns a second column in %i cells, and cuts each column [FIRST-lists]', (columns) => {
    const rows = [
      { key: 'a', label: 'Fix the build of the whole project, please', second: 'All is mended', hint: '2 min ago' },
      { key: 'b', label: '日本語', second: 'It was a typing mistake in the third file of the folder', hint: '3 h ago' },
      { key: 'c', label: 'no answer', hint: '4 h ago' },
    ]
    const lines = picked({ rows, columns }).lines().slice(1, 4)
    const [first = '', second = '', third = ''] = lines
    const cells = (line: string, words: string): number => cellWidth(line.slice(0, line.indexOf(words)))
    expect(cells(second, 'It was')).toBe(cells(first, 'All is'))
    expect(cells(second, '3 h')).toBe(cells(first, '2 min'))
    expect(cells(third, '4 h')).toBe(cells(first, '2 min'))
    expect(Math.max(...lines.map(cellWidth))).toBeLessThanOrEqual(columns)
  })

  it('finds words of the second column', async () => {
    const rows = [{ key: 'a', label: 'one', second: 'mended' }, ...named('two')]
    const { lines, press } = picked({ rows, columns: 60 })
    await press('mended', () => expect(lines()[1]).toContain('› one'))
    expect(lines()[2]).not.toContain('two')
  })
})
