// A page with the output of a job, read again each second while the job runs.
import type { ReactElement } from 'react'
import { takeWhile } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { pollServer } from '../commands/poll-server.ts'
import type { Ui } from '../contract/ui.ts'
import { useRequest } from '../hooks/use-request.ts'
import type { Loaded } from '../hooks/use-request.ts'
import { useUi } from '../hooks/use-ui.ts'
import { jobEnd } from '../panels/job-lines.ts'
import { span, spanLines } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { Page } from './page.tsx'
import type { PageProps } from './page.tsx'

type Output = ResultOf<'job_output'>

export interface JobPageProps extends Pick<PageProps, 'columns' | 'height' | 'onClose'> {
  readonly session: string
  readonly jobId: string
}

export function JobPage({ session, jobId, ...size }: JobPageProps): ReactElement {
  const ui = useUi()
  const loaded = useRequest(() => outputs(ui, session, jobId), jobId)
  const words = loaded.state === 'loaded' ? ` · ${jobEnd(loaded.value.job, Date.now())}` : ''
  return <Page title={`Job ${jobId}${words}`} lines={jobLines(loaded)} isFollowing foot="End follows it" {...size} />
}

/** Completes when the job has ended. */
function outputs(ui: Ui, session: string, jobId: string): Observable<Output> {
  return pollServer(ui, { type: 'job_output', session, jobId }).pipe(takeWhile(({ job }) => job.running, true))
}

export function jobLines(loaded: Loaded<Output>): readonly Line[] {
  if (loaded.state === 'loading') return [[span('…', 'dim')]]
  if (loaded.state === 'failed') return [[span(loaded.failure.message, 'danger')]]
  const { job, content, offset, fullOutputPath } = loaded.value
  const cut = fullOutputPath === undefined ? '' : `: the whole output is in ${fullOutputPath}`
  return [
    ...spanLines(job.command, 'strong'),
    ...(offset === 0 ? [] : [[span(`… ${offset} earlier characters are gone${cut}`, 'dim')]]),
    ...(content === '' ? [[span(job.running ? 'No output yet' : 'No output', 'dim')]] : spanLines(content.trimEnd())),
  ]
}
