// Exchanges clients, servers and logs between a build of a commit and this one.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { baseline, builtCommit, root } from './harness/built-commit.ts'
import { clientSituations } from './client-situations.ts'
import { logExchange } from './log-situations.ts'
import { logScenes } from './scenes/log-scenes.ts'
import type { Workspace, ServerProcess } from './harness/place.ts'
import { createWorkspace } from './harness/place.ts'

interface Outcome {
  readonly direction: string
  readonly situation: string
  readonly problem?: string
}

const live = new Set<Disposable>()
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    for (const each of live) each[Symbol.dispose]()
    process.exit(code)
  })
}

function newWorkspace(): Workspace {
  const workspace = createWorkspace(realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-compat-'))))
  live.add(workspace)
  return workspace
}

const commit = process.argv[2] ?? baseline
execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
using old = builtCommit(commit)
live.add(old)
const outcomes = await all({ name: commit, folder: old.folder }, { name: 'this build', folder: root })
const failed = outcomes.filter(({ problem }) => problem !== undefined)
console.log(`${outcomes.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length === 0 ? 0 : 1

interface Build {
  readonly name: string
  readonly folder: string
}

async function all(then: Build, now: Build): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [client, server] of [
    [then, now],
    [now, then],
  ] as const) {
    for (const { name, play } of clientSituations) {
      outcomes.push(
        await outcome(`client ${client.name} × server ${server.name}`, name, () => paired(client, server, play)),
      )
    }
  }
  for (const [writer, reader] of [
    [then, now],
    [now, then],
  ] as const) {
    for (const scene of logScenes) {
      const play = async (): Promise<void> => {
        using workspace = newWorkspace()
        using copy = newWorkspace()
        const newer = writer === now ? 'writer' : 'reader'
        await logExchange(scene, { writer: writer.folder, reader: reader.folder, newer, places: [workspace, copy] })
      }
      outcomes.push(await outcome(`log of ${writer.name} → ${reader.name}`, scene.name, play))
    }
  }
  return outcomes
}

async function paired(client: Build, server: Build, play: (typeof clientSituations)[number]['play']): Promise<void> {
  using workspace = newWorkspace()
  const servers: ServerProcess[] = []
  const serve = async (): Promise<ServerProcess> => {
    const started = await workspace.serve(server.folder)
    servers.push(started)
    return started
  }
  try {
    await play({ place: workspace, client: client.folder, build: server.folder, serve })
  } finally {
    for (const each of servers) await each.kill()
  }
}

/** Prints the situation's line of the table. */
async function outcome(direction: string, situation: string, play: () => Promise<void>): Promise<Outcome> {
  const started = performance.now()
  const problem = await play().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
  )
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(5)
  console.log(`${problem === undefined ? 'ok    ' : 'FAILED'} ${seconds} s  ${direction.padEnd(40)} ${situation}`)
  if (problem === undefined) return { direction, situation }
  console.log(problem.replace(/^/gm, '    '))
  return { direction, situation, problem }
}
