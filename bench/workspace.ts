// Ends everything that a run starts or writes: on success, on failure and on a signal.
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { killGroup } from './kill-group.ts'
import type { Spawn, Workspace } from './report.ts'

/** Creates a workspace, passes it to `use`, and removes everything in it. */
export async function withWorkspace<Result>(
  root: string,
  use: (workspace: Workspace) => Promise<Result>,
): Promise<Result> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-bench-')))
  const running = new Set<ChildProcess>()
  const end = (): void => {
    for (const child of running) killGroup(child)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const leave = (signal: NodeJS.Signals): void => {
    end()
    process.off(signal, leave)
    process.kill(process.pid, signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, leave)
  try {
    return await use({ root, folder, spawn: trackedSpawn(running) })
  } finally {
    end()
    for (const signal of signals) process.off(signal, leave)
  }
}

function trackedSpawn(running: Set<ChildProcess>): Spawn {
  return (command, args, options) => {
    const child = spawn(command, args, { ...options, detached: true }) // a separate process group, which ends as a whole
    running.add(child)
    child.once('exit', () => running.delete(child)).once('error', () => running.delete(child))
    return child
  }
}
