// Tests the limit on parallel syncs.
import { describe, expect, it } from 'vitest'
import { boundedSync, nodeFileSystem } from '../../../lib/store/disk/file-system-port.ts'

describe('boundedSync', () => {
  it('runs at most two syncs of any kind at once, in order, and passes on their errors [LOG-bounded]', () => {
    const running: { descriptor: number; done: (error: Error | null) => void }[] = []
    const start = (descriptor: number, done: (error: Error | null) => void) => void running.push({ descriptor, done })
    const files = boundedSync({ ...nodeFileSystem, fdatasync: start, fsync: start })
    const answers: [number, string | undefined][] = []
    for (const descriptor of [1, 2, 3, 4, 5]) {
      const sync = descriptor % 2 === 0 ? files.fsync : files.fdatasync
      sync(descriptor, (error) => answers.push([descriptor, error?.message]))
    }
    const started: number[][] = []
    for (let next = running.shift(); next !== undefined; next = running.shift()) {
      started.push([next.descriptor, ...running.map(({ descriptor }) => descriptor)])
      next.done(next.descriptor === 2 ? new Error('no') : null)
    }
    expect(started).toEqual([[1, 2], [2, 3], [3, 4], [4, 5], [5]])
    expect(answers).toEqual([
      [1, undefined],
      [2, 'no'],
      [3, undefined],
      [4, undefined],
      [5, undefined],
    ])
  })

  it('passes on what a call throws, and starts the next', () => {
    const fsync = (descriptor: number): never => {
      throw new Error(`no descriptor ${descriptor}`)
    }
    const files = boundedSync({ ...nodeFileSystem, fsync }, 1)
    const problems: unknown[] = []
    for (const descriptor of [1, 2]) files.fsync(descriptor, (error) => problems.push(error?.message))
    expect(problems).toEqual(['no descriptor 1', 'no descriptor 2'])
  })
})
