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
  it('calls onStuck and resolves with 1 if the process ends before the command', async () => {
    const { source, told, code } = setup(new Promise(() => undefined))
    source.emit('beforeExit')
    expect([await code, told]).toEqual([1, ['stuck']])
  })

  it('resolves with the exit code of the command and removes its listener', async () => {
    const { source, told, code } = setup(Promise.resolve(3))
    expect(await code).toBe(3)
    await Promise.resolve()
    expect(source.emit('beforeExit')).toBe(false)
    expect(told).toEqual([])
  })

  it('rejects with the failure of the command', async () => {
    await expect(setup(Promise.reject(new Error('no'))).code).rejects.toThrow('no')
  })
})
