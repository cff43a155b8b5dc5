// Records the session logs of a build, and its answers about each, as fixtures of `test/compat`.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Facts } from './facts.ts'
import { closedFacts, openedFacts, snapshotOf, writeFixture } from './facts.ts'
import { logScenes } from './scenes/log-scenes.ts'
import type { Workspace } from './harness/place.ts'
import { wireClient } from './harness/wire-client.ts'

interface Recorded extends Pick<Facts, 'session' | 'file'> {
  readonly name: string
  readonly log: Uint8Array
  readonly snapshot: Uint8Array | undefined
}

export async function recordLogs(workspace: Workspace, build: string, fixtures: string): Promise<void> {
  const recorded: Recorded[] = []
  for (const { name, play } of logScenes) {
    const before = new Set(workspace.logs())
    await play(workspace, build)
    const [file, ...others] = workspace.logs().filter((each) => !before.has(each))
    if (file === undefined || others.length > 0) throw new Error(`${name} left ${others.length + 1} logs, not one`)
    const snapshot = existsSync(snapshotOf(file)) ? readFileSync(snapshotOf(file)) : undefined
    const session = path.basename(file, '.jsonl').split('_')[1] ?? ''
    recorded.push({ name, session, file: path.relative(workspace.home, file), log: readFileSync(file), snapshot })
  }
  const server = await workspace.serve(build)
  const client = await wireClient(workspace.socket)
  for (const { name, session, file, log, snapshot } of recorded) {
    const closed = await closedFacts(client, session)
    const resumed = await openedFacts(client, workspace, { session, file })
    writeFixture(fixtures, name, { log, snapshot }, { session, file, closed, ...resumed })
    console.log(`${name}: ${log.length} bytes, ${resumed.appended.length} lines appended`)
  }
  await client.close()
  await server.stop()
}
