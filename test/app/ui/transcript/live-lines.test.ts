// Tests the lines of items that are not finished.
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { itemLines } from '../../../../app/ui/transcript/item-lines.ts'
import { liveLines } from '../../../../app/ui/transcript/live-lines.ts'
import { createTheme } from '../../../../app/ui/theme/theme.ts'
import type { ViewItem } from '../../../../app/ui/view/view-item.ts'

const options = { columns: 40, theme: createTheme('dark', 'plain'), showsThinking: false, isExpanded: false }

describe('live lines', () => {
  const item = (id: string, text: string): ViewItem => ({ kind: 'notice', id, level: 'info', text })

  it('show their end and a mark if there are too few rows', () => {
    const lines = liveLines([item('1', 'one'), item('2', 'two'), item('3', 'three')], options, 4)
    expect(lines.map((line) => stripVTControlCharacters(line).trim())).toEqual(
      ['⋮', '· two', '', '· three'].slice(0, 4),
    )
    expect(lines).toHaveLength(4)
  })

  it('are complete if there are enough rows', () => {
    expect(liveLines([item('1', 'one')], options, 4)).toEqual(itemLines(item('1', 'one'), options))
  })
})
