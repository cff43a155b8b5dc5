// Tests that no line of the transcript is wider than the terminal: the writer counts a row for each line.
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { cellWidth } from '../../../../app/ui/text/cell-width.ts'
import { itemLines } from '../../../../app/ui/transcript/item-lines.ts'
import { createTheme } from '../../../../app/ui/theme/theme.ts'
import { newToolItem } from '../../../../app/ui/view/view-item.ts'
import type { ToolItem, ViewItem } from '../../../../app/ui/view/view-item.ts'

const words = 'A long line with 日本語 and averylongwordwithoutanyspaceinit, and so on. '.repeat(2)
const rows = `${words}\n`.repeat(3) + 'short\n'.repeat(50)
const nodes = [
  { type: 'text', text: rows },
  { type: 'box', title: words, nodes: [{ type: 'list', items: [words] }] },
] as const
const diff = `@@ -1,60 +99999,60 @@\n${rows.replaceAll(/^(?=.)/gm, '+')}@@ -9 +9 @@\n-a\n+b\n`
const markdown = `${words}\n\n# ${words}\n\n- ${words}\n  - ${words}\n\n| a | ${words} |\n|---|---|\n| b | c |\n\n> ${words}\n\n\`\`\`ts\n${words}\n\`\`\`\n\n---`

const outcomes: readonly Partial<ToolItem>[] = [
  { state: 'writing', args: undefined, argumentsText: '', argumentsLength: 0 },
  { state: 'writing', args: undefined, argumentsText: `{"path":"${words}`, argumentsLength: 3_000 },
  { state: 'waiting' },
  { state: 'running', tail: rows, progressPercent: 50 },
  { state: 'running', args: {} },
  { content: [{ type: 'text', text: rows }], durationMs: 3_725_000 },
  { details: { diff }, durationMs: 1_200 },
  { nodes },
  { isError: true, details: { exitCode: 127 }, content: [{ type: 'text', text: rows }], durationMs: 80 },
  { isError: true, details: { timedOut: true }, args: {} },
]
const names = ['write', 'bash', 'mcp__github__create_issue', `mcp__${'n'.repeat(59)}`, '日本語'.repeat(8)]
const cards = names.flatMap((name) =>
  outcomes.map((outcome) =>
    newToolItem({ id: 'c', block: 'e/0', state: 'done', name, args: { command: words }, ...outcome }),
  ),
)

const items: readonly ViewItem[] = [
  ...cards,
  { kind: 'user', id: '1', text: rows, images: 12, wasQueued: true },
  { kind: 'text', id: '2', source: markdown, isFirst: true, hasGap: true },
  { kind: 'text', id: '3', source: rows, isFirst: false, hasGap: false, codeOf: 'ts' },
  { kind: 'thinking', id: '4', text: rows, tail: rows, isOpen: true, redacted: false },
  { kind: 'thinking', id: '5', text: rows, tail: '', isOpen: false, redacted: false },
  { kind: 'thinking', id: '6', text: '', tail: '', isOpen: false, redacted: true },
  { kind: 'bash', id: '7', command: words, output: rows, exitCode: 1, isExcluded: true },
  { kind: 'notice', id: '8', level: 'error', text: rows, hint: words },
  { kind: 'summary', id: '9', title: words, text: markdown, hint: words },
  { kind: 'welcome', id: '10', title: words, lines: [words] },
  { kind: 'rendered', id: '11', nodes },
  { kind: 'runEnd', id: '12', text: '1 h 3 min · 120 files +12345 −12345 · < $0.01' },
]

describe('a line of the transcript', () => {
  it.each([20, 39, 60, 80])('is at most %i cells wide', (columns) => {
    const look = { columns, theme: createTheme('dark', 'many'), openKey: 'Alt-O' }
    for (const showsThinking of [false, true])
      for (const isExpanded of [false, true]) {
        const lines = items.flatMap((item) => itemLines(item, { ...look, showsThinking, isExpanded }))
        const texts = lines.map(stripVTControlCharacters)
        expect(texts.filter((line) => cellWidth(line) > columns)).toEqual([])
      }
  })
})
