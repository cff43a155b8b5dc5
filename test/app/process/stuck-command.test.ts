// Tests that a command fails if the process would exit before the command ends.
import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { failIfStuck } from '../../../app/process/stuck-command.ts'

function setup(command: Promise<number>): { source: EventEmitter; told: string[]; code: Promise<number> } {
  const source = new EventEmitter()
  const told: string[] = []
  return { source, told, code: failIfStuck(command, source, () => told.push('stuck')) }
}

describe('failIfStuck', () => {
  it('gives 1 and tells it where the process is about to end before the command does', async () => {
    const { source, told, code } = setup(new Promise(() => undefined))
    source.emit('beforeExit')
    expect([await code, told]).toEqual([1, ['stuck']])
  })

  it('gives the exit code of a command that ends, and listens no longer', async () => {
    const { source, told, code } = setup(Promise.resolve(3))
    expect(await code).toBe(3)
    await Promise.resolve()
    expect(source.emit('beforeExit')).toBe(false)
    expect(told).toEqual([])
  })

  it('fails as the command does', async () => {
    await expect(setup(Promise.reject(new Error('no'))).code).rejects.toThrow('no')
  })
})
