// Tests the memory of a background job.
import { expect, it } from 'vitest'
import { addOutput, endOf, newJob, outputOf } from '../../../lib/session/runs/job-record.ts'

it('a job keeps 64 to 128 Ki characters of output without end, and their place [TOOLS-faults-commands]', () => {
  const job = newJob('job_1', { command: 'yes' })
  const content = 'y\n'.repeat(16_384)
  for (let piece = 0; piece < 1_000; piece += 1) {
    addOutput(job, { type: 'output', content, offset: piece * content.length })
    expect(job.tail.text.length).toBeLessThanOrEqual(131_072)
  }
  expect(endOf(job)).toBe(1_000 * content.length)
  const { offset, content: shown } = outputOf(job, 0)
  expect(offset + shown.length).toBe(1_000 * content.length)
  expect(shown.length).toBeGreaterThanOrEqual(65_536)
})
