// Picker of the session's jobs: Enter reads the output, Ctrl-D ends a running job.
import type { ReactElement } from 'react'
import { map } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { askServer, notify } from '../commands/ask-server.ts'
import { pollServer } from '../commands/poll-server.ts'
import { useRequest } from '../hooks/use-request.ts'
import { LoadedPicker } from '../lists/loaded-picker.tsx'
import type { PickerRow } from '../lists/list-state.ts'
import { jobEnd } from '../panels/job-lines.ts'
import { usePickerActions } from './use-picker-actions.ts'
import type { PickerFrame } from './use-picker-actions.ts'

type Jobs = ResultOf<'list_jobs'>['jobs']

export function JobsPicker({ view, columns, height, argument }: PickerFrame): ReactElement {
  const { ui, close } = usePickerActions()
  const session = view.session?.id ?? ''
  const loaded = useRequest(
    () => pollServer(ui, { type: 'list_jobs', session }).pipe(map(({ jobs }) => ({ jobs, now: Date.now() }))),
    session,
  )
  const kill = ({ key: jobId, label }: PickerRow): void => {
    askServer(ui, { type: 'kill_job', session, jobId }, ({ killed }) => {
      if (!killed) notify(ui, `This job has ended already: ${label}`)
    })
  }
  return (
    <LoadedPicker
      title="Jobs"
      loaded={loaded}
      rowsOf={({ jobs, now }) => jobRowsOf(jobs, now)}
      columns={columns}
      height={height}
      query={argument ?? ''}
      keepsOrder
      empty="This session has no jobs"
      foot="Enter output · Ctrl-D end"
      keys={{ 'ctrl+d': kill }}
      onCancel={close}
      onAccept={({ key: jobId }) => ui.input({ type: 'overlay', overlay: { name: 'job', jobId } })}
    />
  )
}

/** Running jobs first, in each part the newest first. */
export function jobRowsOf(jobs: Jobs, now: number): readonly PickerRow[] {
  const [running, ended] = [jobs.filter((job) => job.running), jobs.filter((job) => !job.running)]
  return [...running.toReversed(), ...ended.toReversed()].map((job) => ({
    key: job.jobId,
    label: job.command,
    mark: job.running ? '◐' : job.exitCode === 0 ? '✓' : '✗',
    second: jobEnd(job, now),
    hint: `${job.toolCallId === undefined ? 'yours' : 'of the agent'} · ${job.jobId}`,
    isAside: !job.running,
  }))
}
