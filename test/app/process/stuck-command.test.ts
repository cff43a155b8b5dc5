// Tests that a command fails if the process would exit before the command ends.
import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { failIfStuck } from '../../../app/process/stuck-command.ts'

function setup(command: Promise<number>): { source: EventEmitter; notices: string[]; code: Promise<number> } {
  const source = new EventEmitter()
  const notices: string[] = []
  return { source, notices, code: failIfStuck(command, source, () => notices.push('stuck')) }
}

describe('failIfStuck', () => {
  it('calls onStuck and resolves with 1 if the process ends before the command', async () => {
    const { source, notices, code } = setup(new Promise(() => undefined))
    source.emit('beforeExit')
    expect([await code, notices]).toEqual([1, ['stuck']])
  })

  it('resolves with the exit code of the command and removes its listener', async () => {
    const { source, notices, code } = setup(Promise.resolve(3))
    expect(await code).toBe(3)
    await Promise.resolve()
    expect(source.emit('beforeExit')).toBe(false)
    expect(notices).toEqual([])
  })

  it('rejects with the failure of the command', async () => {
    await expect(setup(Promise.reject(new Error('no'))).code).rejects.toThrow('no')
  })
})
