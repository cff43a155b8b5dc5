// Tests that print mode ends the background jobs of its run, and names them on stderr.
import { of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../../lib/streams/events/event.ts'
import type { SessionCommand } from '../../../../lib/session/contract/session.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import type { FakeSession } from '../../../support/fake-session.ts'
import { fakeWorld } from '../../../support/fake-world.ts'
import { answer, begin, end, invocation, made, play } from './print-scene.ts'

const jobStart = (jobId: string, more: object = {}): AgentEvent => ({
  type: 'job_start',
  jobId,
  command: `npm run dev\n${jobId}`,
  by: 'tool',
  ...more,
})
const jobEnd = (jobId: string): AgentEvent => ({ type: 'job_end', jobId, exitCode: null, durationMs: 1 })

const world = (events: readonly AgentEvent[], kill: (session: FakeSession, jobId: string) => object) =>
  fakeWorld({
    session: {
      answer: (command: SessionCommand, session) =>
        command.type === 'kill_job'
          ? (kill(session, command.jobId) as never)
          : play([...events, ...answer('Hello'), ...end()], command, session),
    },
  })
function ends(session: FakeSession, jobId: string): object {
  session.record(jobEnd(jobId))
  return of({ killed: true })
}

describe('print with background jobs', () => {
  it('ends those that run at the end of the run, and names them [JOBS-print]', async () => {
    const own = world([jobStart('jobaaaaa'), jobStart('jobbbbbb'), jobEnd('jobaaaaa')], ends)
    expect(await begin(own)).toBe(0)
    expect(own.stdout.written).toBe('Hello\n')
    expect(own.stderr.written).toBe('rxpi: ended background job jobbbbbb: npm run dev\n')
  })

  it('leaves the commands of people alone [JOBS-print]', async () => {
    const own = world([jobStart('jobaaaaa', { by: 'client' })], () => throwError(() => new Error('not asked')))
    expect([await begin(own), own.stderr.written]).toEqual([0, ''])
  })

  it('prints the lines of their end in JSON mode [JOBS-print]', async () => {
    const own = world([jobStart('jobaaaaa')], ends)
    await begin(own, invocation({ format: 'json' }))
    expect(own.stdout.written.trimEnd().split('\n').at(-1)).toContain('"job_end"')
    expect(made(own).lines.at(-1)).toContain('"job_end"')
  })

  it('reports a job that cannot be ended, and ends all the same [JOBS-print]', async () => {
    const own = world([jobStart('jobaaaaa')], () => throwError(() => new Failure('storage', 'the disk is full')))
    expect(await begin(own)).toBe(0)
    expect(own.stderr.written).toBe('rxpi: could not end background job jobaaaaa (npm run dev): the disk is full\n')
  })
})
