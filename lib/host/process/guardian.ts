// However this process ends, kill -9 included, a guardian that it started ends what its tools have left.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { guardianProgram } from './guardian-program.ts'
import { processMarkPrefix } from './process-identity.ts'

const groups = new Set<number>()
let guardian: ChildProcess | undefined

/**
 * Makes sure that the guardian runs: one `/bin/sh` per process, in a session of its own, that keeps nothing of ours open
 * but its pipe and does not keep the event loop alive. One that was killed is started anew. Call it before a child is
 * started.
 */
export function ensureGuardian(): void {
  if (guardian !== undefined) return
  const child = spawn('/bin/sh', ['-c', guardianProgram], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const forget = (): void => {
    if (guardian === child) guardian = undefined
  }
  child.on('error', forget)
  child.on('exit', forget)
  // it could not be started, and has no pipe: whoever is to be guarded cannot be started either and says so
  if (child.pid === undefined) return
  guardian = child
  child.stdin.on('error', forget)
  child.unref()
  if (child.stdin instanceof Socket) child.stdin.unref() // a pipe to a child is one, but not by its type
  child.stdin.write(`${processMarkPrefix()}\n${[...groups].map((group) => `+ ${group}\n`).join('')}`)
}

/** Names a process group that is to end with us; the returned function takes it back. */
export function guardGroup(group: number): () => void {
  groups.add(group)
  announce(`+ ${group}\n`)
  return () => {
    groups.delete(group)
    announce(`- ${group}\n`)
  }
}

function announce(line: string): void {
  if (guardian?.stdin?.writable === true) guardian.stdin.write(line)
}
