// Tests how the processes of a call are found.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { trackProcesses } from '../../../lib/host/process/process-tree.ts'
import { hasVariable, listPids, readProcess } from '../../../lib/host/process/process-table.ts'
import { uniqueSeconds, until } from './processes-with.ts'

const started: ChildProcess[] = []

afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})

function start(program: string, env: Record<string, string> = {}): { child: ChildProcess; pid: number } {
  const child = spawn(program, [uniqueSeconds()], { env, detached: true, stdio: 'ignore' })
  started.push(child)
  if (child.pid === undefined) throw new Error('not started')
  return { child, pid: child.pid }
}

const pidsOf = (entries: readonly { pid: number }[]) => entries.map(({ pid }) => pid)

describe('trackProcesses', () => {
  it('finds processes with the mark, and none that existed before, whatever mark they have', async () => {
    const earlier = start('/bin/sleep', { MARK_1: '1' })
    await until(() => hasVariable(earlier.pid, 'MARK_1'))
    const before = new Set(listPids())
    const ours = start('/bin/sleep', { MARK_1: '1' })
    const others = [start('/bin/sleep', { MARK_12: '1' }), start('/bin/sleep', { OTHER: 'MARK_1' })]
    for (const { pid } of [ours, ...others]) await until(() => readProcess(pid)?.name === 'sleep')
    const processes = trackProcesses({ leader: 999_999_999, mark: 'MARK_1', before })
    await until(() => processes.members().length > 0)
    expect(pidsOf(processes.members())).toEqual([ours.pid])
    expect(pidsOf(processes.signal('SIGKILL'))).toEqual([ours.pid])
    await until(() => processes.members().length === 0)
    expect(others.map(({ child }) => child.exitCode)).toEqual([null, null])
  })

  it('finds the group of its leader', async () => {
    const before = new Set(listPids())
    const { pid } = start('/bin/sleep')
    const processes = trackProcesses({ leader: pid, mark: 'MARK_2', before })
    expect(pidsOf(processes.members())).toEqual([pid])
    processes.signal('SIGKILL')
    await until(() => processes.members().length === 0)
  })

  it('finds only the group if there is no table of processes', async () => {
    const { pid, child } = start('/bin/sleep')
    const processes = trackProcesses({ leader: pid, mark: 'MARK_3', before: undefined })
    expect(pidsOf(processes.members())).toEqual([pid])
    processes.signal('SIGKILL')
    await once(child, 'exit')
    await until(() => processes.members().length === 0)
    expect(processes.signal('SIGKILL')).toEqual([])
  })
})

describe('readProcess', () => {
  it('reads a program with a strange name correctly', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-name-'))
    const program = path.join(folder, 'a) Z 1 (b')
    copyFileSync('/bin/sleep', program)
    const { pid } = start(program)
    await until(() => readProcess(pid)?.name === 'a) Z 1 (b')
    expect(readProcess(pid)).toMatchObject({ pid, parent: process.pid, group: pid })
    rmSync(folder, { recursive: true })
  })

  it('returns nothing for a process that has ended', async () => {
    const { child, pid } = start('/bin/sleep')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(readProcess(pid)).toBe(undefined)
  })
})
