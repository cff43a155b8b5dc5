// Tests writing a text to standard output, and its failures.
import { describe, expect, it } from 'vitest'
import { writeText } from '../../../app/process/write-text.ts'
import { recordingStream } from '../../support/fake-world.ts'

describe('writeText', () => {
  it('resolves with 0 when the text is written', async () => {
    const [stdout, stderr] = [recordingStream(), recordingStream()]
    expect([await writeText('a\n', { stdout, stderr }), stdout.written, stderr.written]).toEqual([0, 'a\n', ''])
  })

  it.each([
    ['ENOSPC', 1, 'rxpi: cannot write to standard output: no space is left on the disk\n'],
    ['EPIPE', 0, ''],
  ])('after the error %s resolves with %i', async (error, code, output) => {
    const [stdout, stderr] = [recordingStream(), recordingStream()]
    stdout.breakWith(error)
    expect([await writeText('a\n', { stdout, stderr }), stderr.written]).toEqual([code, output])
  })
})
