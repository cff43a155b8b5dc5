// Tests that processes are started one at a time.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { queueStart } from '../../../lib/host/process/serialise-starts.ts'

/** Waits until no earlier start is counted any more. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await nextTurn()
}

describe('startInTurn', () => {
  it('starts a single process in the same call', async () => {
    await quiet()
    let started = 0
    queueStart(() => (started += 1))
    expect(started).toBe(1)
  })

  it('starts one at a time, in order, with turns of the event loop between them', async () => {
    await quiet()
    const told: string[] = []
    const turns = (async () => {
      for (let turn = 0; turn < 8; turn++) {
        await nextTurn()
        told.push('.')
      }
    })()
    for (const name of ['a', 'b', 'c']) queueStart(() => told.push(name))
    await turns
    expect(told.join('')).toMatch(/^a\.{1,3}b\.{1,3}c\.+$/)
  })

  it('skips starts that were revoked before they began, and revokes none that has begun', async () => {
    await quiet()
    const told: string[] = []
    const takeFirst = queueStart(() => told.push('first'))
    const takeSecond = queueStart(() => told.push('second'))
    queueStart(() => told.push('third'))
    takeFirst()
    takeSecond()
    await quiet()
    await quiet()
    expect(told).toEqual(['first', 'third'])
  })

  it('allows a start to request another one', async () => {
    await quiet()
    const told: string[] = []
    queueStart(() => {
      told.push('outer')
      queueStart(() => told.push('inner'))
    })
    expect(told).toEqual(['outer'])
    await quiet()
    expect(told).toEqual(['outer', 'inner'])
  })
})
