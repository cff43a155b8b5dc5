// Tests how a process is distinguished from an earlier one with its pid.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { isAlive, ownIdentity } from '../../../lib/host/process/process-identity.ts'

it('distinguishes this process from an earlier one with the same pid', () => {
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

it('counts a process as alive if its identity is unknown', () => {
  const own = ownIdentity()
  expect(
    [
      { ...own, startTime: '' },
      { ...own, bootId: '' },
    ].map(isAlive),
  ).toEqual([true, true])
})

it('notices the start and the end of another process', async () => {
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
