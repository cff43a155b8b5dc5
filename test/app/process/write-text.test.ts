// Tests writing a text to standard output, and its failures.
import { describe, expect, it } from 'vitest'
import { writeText } from '../../../app/process/write-text.ts'
import { recordingStream } from '../../support/fake-world.ts'

describe('writeOut', () => {
  it('gives 0 when the text is written', async () => {
    const [stdout, stderr] = [recordingStream(), recordingStream()]
    expect([await writeText('a\n', { stdout, stderr }), stdout.kept, stderr.kept]).toEqual([0, 'a\n', ''])
  })

  it.each([
    ['ENOSPC', 1, 'rxpi: cannot write to standard output: write ENOSPC\n'],
    ['EPIPE', 0, ''],
  ])('at %s gives %i', async (error, code, said) => {
    const [stdout, stderr] = [recordingStream(), recordingStream()]
    stdout.breakWith(error)
    expect([await writeText('a\n', { stdout, stderr }), stderr.kept]).toEqual([code, said])
  })
})
