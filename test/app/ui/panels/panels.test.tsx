// Tests the panels above the editor: plan and jobs, within the rows that they get.
import { stripVTControlCharacters } from 'node:util'
import { cleanup, render } from '../../../support/ink-screen.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Panels, panelRows } from '../../../../app/ui/panels/panels.tsx'
import { planPage } from '../../../../app/ui/panels/plan-lines.ts'
import { createTheme } from '../../../../app/ui/theme/theme.ts'
import { layOut } from '../../../../app/ui/screen/screen-layout.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'
import { notices, viewOf } from '../view/view-scene.ts'

// the time of the jobs is virtual; Ink and React use real time
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 100_000 })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const step = (id: string, state: string, text = `step ${id}`) => ({ id, text, state })
const steps = [step('1', 'done'), step('2', 'dropped'), step('3', 'in_progress'), step('4', 'pending'), step('5', 'x')]
const planned = notices({ type: 'plan_update', items: steps })
const starts = (jobId: string, command: string, at = 40_000) =>
  notices({ type: 'job_start', jobId, command, by: 'tool', toolCallId: `call-${jobId}` }, at)

function panels(view: View, rows: number, columns = 60): readonly string[] {
  const shown = render(<Panels view={view} columns={columns} rows={panelRows(view, rows, 0)} />)
  const frame = stripVTControlCharacters(shown.lastFrame() ?? '')
  return frame === '' ? [] : frame.split('\n')
}

describe('the plan', () => {
  it('shows its steps, with a mark each, and what is done [PANEL-plan]', () => {
    expect(panels(viewOf(planned), 40)).toEqual([
      'Plan 1/4',
      '  ✓ step 1',
      '  – step 2',
      '  ◐ step 3',
      '  ○ step 4',
      '  · step 5',
    ])
  })

  it('shows the current step and its neighbours, or the current step alone, on a low terminal [PANEL-plan]', () => {
    const view = viewOf(planned)
    expect(panels(view, 24)).toEqual(['Plan 1/4 · 3 more: /todo', '  – step 2', '  ◐ step 3'])
    expect(panels(view, 20)).toEqual(['Plan 1/4: step 3'])
    expect(panels(view, 12)).toEqual([])
  })

  it('leaves the screen when no step is open, and under an overlay', () => {
    expect(panels(viewOf(planned, notices({ type: 'plan_update', items: [step('1', 'done')] })), 40)).toEqual([])
    expect(panels(viewOf(planned, { type: 'overlay', overlay: { name: 'plan' } }), 40)).toEqual([])
  })

  it('cuts long steps, and shows control characters as visible ones [PANEL-plan]', () => {
    const items = [step('1', 'in_progress', `\u001b[2J\u202e${'long '.repeat(30)}`)]
    const [, line = ''] = panels(viewOf(notices({ type: 'plan_update', items })), 40, 30)
    expect(line).toMatch(/^ {2}◐ ␛\[2J<U\+202E>long/)
    expect(line.length).toBeLessThanOrEqual(30)
    expect(planPage([]).length).toBe(1)
  })
})

describe('the jobs', () => {
  it('are shown with their time while they run [PANEL-jobs]', () => {
    const view = viewOf(starts('aaaaaaaa', 'npm run dev'), starts('bbbbbbbb', 'make watch', 98_000))
    expect(panels(view, 24)).toEqual(['⚙ npm run dev · 1 min · /jobs', '⚙ make watch · 2 s'])
    const ended = viewOf(
      starts('aaaaaaaa', 'npm run dev'),
      notices({ type: 'job_end', jobId: 'aaaaaaaa', exitCode: 0, durationMs: 5 }),
    )
    expect(panels(ended, 24)).toEqual([])
    const lost = viewOf(starts('aaaaaaaa', 'npm run dev'), notices({ type: 'job_lost', jobId: 'aaaaaaaa' }))
    expect(panels(lost, 24)).toEqual([])
  })

  it('of the user are not listed twice: their output is shown already', () => {
    const own = notices({ type: 'job_start', jobId: 'aaaaaaaa', command: 'make', by: 'client' })
    expect(panels(viewOf(own), 24)).toEqual([])
  })

  it('leave rows for the plan, and are counted [PANEL-jobs]', () => {
    const view = viewOf(planned, ...['a', 'b', 'c'].map((letter) => starts(letter.repeat(8), letter)))
    expect(panels(view, 24, 40)).toEqual(['Plan 1/4: step 3', '⚙ a · 1 min · 2 more · /jobs'])
  })

  it('have no time if their start is not known', () => {
    const job = { type: 'job_start', jobId: 'aaaaaaaa', command: 'make', by: 'tool' } as const
    expect(panels({ ...emptyView(), jobs: [job] }, 24)).toEqual(['⚙ make · /jobs'])
  })
})

describe('the screen', () => {
  it.each([
    [80, 24],
    [60, 20],
    [120, 40],
  ])('of %i by %i cells holds panels, queue and editor [PANEL-size]', (columns, rows) => {
    const many = viewOf(planned, ...['a', 'b', 'c', 'd'].map((letter) => starts(letter.repeat(8), 'x'.repeat(200))))
    const theme = createTheme('dark', 'plain')
    for (const count of [0, 1, 4, 9]) {
      const queue = Array.from({ length: count }, (_, index) => ({
        queueId: `q${index}`,
        queue: 'steering' as const,
        content: 'x',
      }))
      const view = { ...many, queue, running: { since: 0 } }
      const { room, panels: rowsOf, editor } = layOut(view, { columns, rows, theme, isRead: false })
      const waiting = Math.min(count, 4) + (count > 4 ? 1 : 0)
      expect(room).toBeGreaterThanOrEqual(2)
      // an empty row, the queue, the panels, two rules, the editor, a hint, the status row
      expect(1 + waiting + rowsOf.plan + rowsOf.jobs + 2 + editor + 2).toBeLessThanOrEqual(rows)
      const drawn = panels(view, rows, Math.min(100, columns)) // the terminal of the test has 100
      if (count === 0) expect(drawn.length).toBe(rowsOf.plan + rowsOf.jobs)
      for (const line of drawn) expect(line.length).toBeLessThanOrEqual(columns)
    }
  })
})
