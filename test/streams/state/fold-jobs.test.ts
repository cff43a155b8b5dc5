// Tests the fold of job events into the list of running jobs.
import { expect, it } from 'vitest'
import { foldJobs } from '../../../lib/streams/state/fold-output.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'

const start = (jobId: string): EventNamed<'job_start'> => ({ type: 'job_start', jobId, command: 'sleep 9' })
const end = (jobId: string): EventNamed<'job_end'> => ({ type: 'job_end', jobId, exitCode: 0, durationMs: 1 })

it('lists the jobs that have started and not ended, in order', () => {
  const events = [start('aaaaaaaa'), start('bbbbbbbb'), start('cccccccc'), end('bbbbbbbb')]
  expect(events.reduce(foldJobs, []).map(({ jobId }) => jobId)).toEqual(['aaaaaaaa', 'cccccccc'])
})

it('returns the same list if an unknown job ends', () => {
  const jobs = [start('aaaaaaaa')]
  expect(foldJobs(jobs, end('bbbbbbbb'))).toBe(jobs)
})
