// Tests the table of a session's jobs: which run, which are remembered, and when none runs any more.
import { describe, expect, it } from 'vitest'
import { closeJob, newJob } from '../../../lib/session/runs/job-record.ts'
import { jobTable } from '../../../lib/session/runs/job-table.ts'

const ended = { type: 'end', output: '', exitCode: 0, truncated: false } as const

function tableOf(...ids: readonly string[]) {
  const table = jobTable()
  const jobs = ids.map((id) => newJob(id, { command: 'sleep 1' }))
  for (const job of jobs) table.add(job)
  const end = (index: number): void => {
    const job = jobs[index]
    if (job === undefined) throw new Error(`there is no job ${index}`)
    closeJob(job, ended)
    table.onEnd(job)
  }
  return { table, jobs, end }
}

describe('a table of jobs', () => {
  it('is idle at once without a running job, and with the end of the last of those that ran', () => {
    const { table, end } = tableOf('one', 'two')
    const log: string[] = []
    table.idle().subscribe({ complete: () => log.push('idle') })
    end(1)
    expect(log).toEqual([])
    end(0)
    expect(log).toEqual(['idle'])
    table.idle().subscribe({ complete: () => log.push('still idle') })
    expect(log).toEqual(['idle', 'still idle'])
  })

  it('ends only the running ones', () => {
    const { table, jobs, end } = tableOf('one', 'two')
    end(0)
    const stopped: string[] = []
    for (const { info, stop$ } of jobs) stop$.subscribe(() => stopped.push(info.jobId))
    table.close()
    expect(stopped).toEqual(['two'])
  })

  it('has forgotten the oldest ended one when a waiter hears of an end', () => {
    const ids = Array.from({ length: 17 }, (_, index) => `job ${index}`)
    const { table, jobs, end } = tableOf(...ids, 'last')
    const isKnown: boolean[] = []
    jobs[16]?.changed$.subscribe(() => isKnown.push(table.known.has('job 0')))
    for (const index of ids.keys()) end(index)
    expect(isKnown).toEqual([false])
    expect(table.running().map(({ info }) => info.jobId)).toEqual(['last'])
  })
})
