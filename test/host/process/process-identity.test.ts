import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { isAlive, ownIdentity } from '../../../lib/host/process/process-identity.ts'

it('tells this process from any other that had its pid', () => {
  const own = ownIdentity()
  expect(own).toEqual({
    pid: process.pid,
    startTime: expect.stringMatching(/./) as string,
    bootId: expect.stringMatching(/./) as string,
  })
  expect(isAlive(own)).toBe(true)
  expect(isAlive({ ...own, startTime: '1' })).toBe(false)
  expect(isAlive({ ...own, bootId: 'another' })).toBe(false)
})

it('takes for alive what cannot be told apart', () => {
  const own = ownIdentity()
  expect(
    [
      { ...own, startTime: '' },
      { ...own, bootId: '' },
    ].map(isAlive),
  ).toEqual([true, true])
})

it('sees another process live and end', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] })
  await once(child, 'spawn')
  const { bootId } = ownIdentity()
  const identity = { pid: child.pid ?? 0, startTime: '', bootId }
  expect(isAlive(identity)).toBe(true)
  expect(isAlive({ ...identity, startTime: '1' })).toBe(false)
  child.stdin.end()
  await once(child, 'exit')
  expect(isAlive(identity)).toBe(false)
})
