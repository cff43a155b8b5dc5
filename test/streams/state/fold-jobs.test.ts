import { expect, it } from 'vitest'
import { foldJobs } from '../../../lib/streams/state/fold-output.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'

const start = (jobId: string): EventNamed<'job_start'> => ({ type: 'job_start', jobId, command: 'sleep 9' })
const end = (jobId: string): EventNamed<'job_end'> => ({ type: 'job_end', jobId, exitCode: 0, durationMs: 1 })

it('has the jobs that have begun and not ended, in order', () => {
  const events = [start('aaaaaaaa'), start('bbbbbbbb'), start('cccccccc'), end('bbbbbbbb')]
  expect(events.reduce(foldJobs, []).map(({ jobId }) => jobId)).toEqual(['aaaaaaaa', 'cccccccc'])
})

it('is the very list where a job ends that is not known', () => {
  const jobs = [start('aaaaaaaa')]
  expect(foldJobs(jobs, end('bbbbbbbb'))).toBe(jobs)
})
