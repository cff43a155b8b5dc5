// Draws the panels above the editor: the agent's plan and the running jobs.
import { Text, useAnimation, useIsScreenReaderEnabled } from 'ink'
import type { ReactElement } from 'react'
import { useTheme } from '../hooks/use-theme.ts'
import { paintLine } from '../text/span.ts'
import type { View } from '../view/view.ts'
import { jobPanel, jobRows } from './job-lines.ts'
import { planPanel, planRows } from './plan-lines.ts'

export interface PanelRows {
  readonly plan: number
  readonly jobs: number
}

/** Maximum of rows of both panels, and of the jobs if the plan needs rows too. */
const maxRows = 9
const jobsBesidePlan = 3

/** Rows of the panels on a terminal with `rows` rows, of which the queue takes `taken`; none under an overlay. */
export function panelRows({ plan, jobs, overlay }: View, rows: number, taken: number): PanelRows {
  const room = Math.max(0, Math.min(maxRows, Math.floor((rows - 12) / 4)) - taken)
  if (overlay !== undefined || room === 0) return { plan: 0, jobs: 0 }
  const jobsRoom = planRows(plan, room) === 0 ? room : Math.min(jobsBesidePlan, Math.ceil(room / 3))
  const forJobs = jobRows(jobs, jobsRoom)
  return { plan: planRows(plan, room - forJobs), jobs: forJobs }
}

export interface PanelsProps {
  readonly view: View
  /** Cells. */
  readonly columns: number
  readonly rows: PanelRows
}

/** The times of the jobs are drawn once a second. */
const interval = 1_000

export function Panels({ view, columns, rows }: PanelsProps): ReactElement | null {
  const theme = useTheme()
  const isRead = useIsScreenReaderEnabled() // a screen reader would read a moving panel again and again
  useAnimation({ interval, isActive: rows.jobs > 0 && !isRead })
  const lines = [
    ...planPanel(view.plan, rows.plan, columns),
    ...jobPanel(view.jobs, rows.jobs, columns, isRead ? undefined : Date.now()),
  ]
  return lines.length === 0 ? null : <Text>{lines.map((line) => paintLine(line, theme)).join('\n')}</Text>
}
