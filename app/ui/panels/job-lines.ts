// Formats the running jobs, the oldest first, with the time since their start.
import { span } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { cutLine } from '../text/wrap-line.ts'
import { duration } from '../text/duration.ts'
import type { View } from '../view/view.ts'

type Jobs = View['jobs']

/** Jobs of tools; a shell command of the user is shown with its output. */
function shownJobs(jobs: Jobs): Jobs {
  return jobs.filter(({ by }) => by !== 'client')
}

export function jobRows(jobs: Jobs, room: number): number {
  return Math.max(0, Math.min(shownJobs(jobs).length, room))
}

/**
 * @param rows from `jobRows`
 * @param now Unix ms; undefined: without the time
 */
export function jobPanel(jobs: Jobs, rows: number, columns: number, now?: number): readonly Line[] {
  const shown = shownJobs(jobs)
  return shown.slice(0, rows).map(({ command, since }, index) => {
    const hidden = index === rows - 1 ? shown.length - rows : 0
    const words = [
      ...(since === undefined || now === undefined ? [] : [wholeSeconds(now - since)]),
      ...(hidden === 0 ? [] : [`${hidden} more`]),
      ...(index === 0 ? ['/jobs'] : []),
    ]
    const end = words.map((word) => ` · ${word}`).join('')
    return [...cutLine([span('⚙ ', 'accent'), span(command)], Math.max(8, columns - end.length)), span(end, 'dim')]
  })
}

/** A duration without tenths, because it is drawn once a second. */
export function wholeSeconds(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1_000)
  return seconds < 1 ? '0 s' : duration(seconds * 1_000).replace('.0 s', ' s')
}

/** A job as `list_jobs` returns it. */
export interface KnownJob {
  readonly running: boolean
  readonly startedAt: number
  readonly exitCode?: number | null | undefined
  readonly durationMs?: number | undefined
}

/** `for 12 s`, `ended after 3 s`, `exit 2 after 3 s`, `killed after 3 s`. */
export function jobEnd({ running, startedAt, exitCode, durationMs }: KnownJob, now: number): string {
  if (running) return `for ${wholeSeconds(now - startedAt)}`
  const how = exitCode === 0 ? 'ended' : typeof exitCode === 'number' ? `exit ${exitCode}` : 'killed'
  return durationMs === undefined ? how : `${how} after ${duration(durationMs)}`
}
