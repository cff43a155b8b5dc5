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
    const order: string[] = []
    const turns = (async () => {
      for (let turn = 0; turn < 8; turn++) {
        await nextTurn()
        order.push('.')
      }
    })()
    for (const name of ['a', 'b', 'c']) queueStart(() => order.push(name))
    await turns
    expect(order.join('')).toMatch(/^a\.{1,3}b\.{1,3}c\.+$/)
  })

  it('skips starts that were revoked before they began, and revokes none that has begun', async () => {
    await quiet()
    const order: string[] = []
    const takeFirst = queueStart(() => order.push('first'))
    const takeSecond = queueStart(() => order.push('second'))
    queueStart(() => order.push('third'))
    takeFirst()
    takeSecond()
    await quiet()
    await quiet()
    expect(order).toEqual(['first', 'third'])
  })

  it('allows a start to request another one', async () => {
    await quiet()
    const order: string[] = []
    queueStart(() => {
      order.push('outer')
      queueStart(() => order.push('inner'))
    })
    expect(order).toEqual(['outer'])
    await quiet()
    expect(order).toEqual(['outer', 'inner'])
  })
})
