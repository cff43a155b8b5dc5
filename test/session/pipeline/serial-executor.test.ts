import { describe, expect, it } from 'vitest'
import { stepQueue } from '../../../lib/session/pipeline/serial-executor.ts'

/** A queue of named items; what it does is told in order. */
function scene(within: (name: string) => void = () => undefined) {
  const told: string[] = []
  const queue = stepQueue<{ name: string }>({
    handle: ({ name }) => {
      told.push(`<${name}`)
      within(name)
      told.push(`${name}>`)
    },
    ended: () => told.push('ended'),
  })
  return { told, queue }
}

describe('stepQueue', () => {
  it('handles an item in the call that puts it', () => {
    const { told, queue } = scene()
    queue.put({ name: 'a' })
    queue.run(() => told.push('act'))
    expect(told).toEqual(['<a', 'a>', 'act'])
  })

  it('keeps items and acts that a step causes behind it, in order', () => {
    const { told, queue } = scene((name) => {
      if (name !== 'a') return
      queue.put({ name: 'b' })
      queue.run(() => told.push('act'))
      queue.put({ name: 'c' })
    })
    queue.put({ name: 'a' })
    expect(told).toEqual(['<a', 'a>', '<b', 'b>', 'act', '<c', 'c>'])
  })

  it('treats an act like any step: what it causes waits behind it', () => {
    const { told, queue } = scene()
    queue.run(() => {
      told.push('<act')
      queue.put({ name: 'a' })
      told.push('act>')
    })
    expect(told).toEqual(['<act', 'act>', '<a', 'a>'])
  })

  it('ends behind the step that closes it, and does nothing then', () => {
    const { told, queue } = scene((name) => {
      if (name !== 'a') return
      queue.put({ name: 'b' })
      queue.close()
    })
    queue.put({ name: 'a' })
    queue.put({ name: 'late' })
    queue.run(() => told.push('late act'))
    expect(told).toEqual(['<a', 'a>', '<b', 'b>', 'ended'])
  })
})
