// Tests the head line of a call's card in narrow terminals.
import { describe, expect, it } from 'vitest'
import { toolLines } from '../../../../app/ui/transcript/tool-lines.ts'
import { newToolItem } from '../../../../app/ui/view/view-item.ts'
import type { ToolItem } from '../../../../app/ui/view/view-item.ts'

const call = { id: 'c1', block: 'e/0', name: 'write', args: { path: 'src/index/of/everything.ts' } } as const
const writing = { state: 'writing', args: undefined, argumentsText: '{"path":"src/index/of/everything.ts",' } as const
const long = { name: 'mcp__github__create_issue_with_labels' } as const
const failed = { isError: true, durationMs: 2_000, details: { exitCode: 2, diff: '@@ -1 +1 @@\n-a\n+b\n' } } as const

function headOf(columns: number, more: Partial<ToolItem>): string {
  const [line = []] = toolLines(newToolItem({ state: 'done', ...call, ...more }), { columns, isExpanded: false })
  return line.map(({ text }) => text).join('')
}

describe('the head line of a card', () => {
  it.each<[string, number, Partial<ToolItem>, string]>([
    [
      'is whole if it fits',
      80,
      { ...writing, argumentsLength: 3_000 },
      '○ write src/index/of/everything.ts · writing, 3000 characters so far',
    ],
    ['cuts a long title', 40, { durationMs: 1_200 }, '✓ write src/index/of/everything… · 1.2 s'],
    [
      'shortens the words about the arguments before the title falls below eight cells',
      40,
      { ...writing, argumentsLength: 3_000 },
      '○ write src/index/of/ev… · writing, 3000',
    ],
    ['omits their number', 20, { ...writing, argumentsLength: 3_000 }, '○ write s… · writing'],
    [
      'shortens a long name before the outcome',
      40,
      { ...long, durationMs: 1_200 },
      '✓ mcp__github__create… src/inde… · 1.2 s',
    ],
    ['keeps the outcome beside a long name', 20, { ...long, ...failed }, '✗ mcp__gi…  · exit 2'],
    ['keeps the outcome before the changes and the time', 30, failed, '✗ write src/index/of… · exit 2'],
  ])('%s', (_, columns, more, head) => {
    expect(headOf(columns, more)).toBe(head)
  })
})
