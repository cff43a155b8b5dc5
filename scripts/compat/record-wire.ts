// Records both directions of conversations with a build's server as fixtures of `test/compat`.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Workspace } from './harness/place.ts'
import { wireClient } from './harness/wire-client.ts'
import { prepare } from './scenes/wire-scene.ts'
import { wireScenes } from './scenes/wire-scenes.ts'

export async function recordWire(workspace: Workspace, build: string, fixtures: string): Promise<void> {
  const folder = path.join(fixtures, 'wire')
  mkdirSync(folder, { recursive: true })
  const server = await workspace.serve(build)
  for (const scene of wireScenes) {
    const surroundings = prepare(workspace, scene)
    const client = await wireClient(workspace.socket)
    await client.until(({ type }) => type === 'hello')
    await scene.talk(client, surroundings)
    await client.quiet(60)
    await client.close()
    writeFileSync(path.join(folder, `${scene.name}.txt`), client.transcript.map((line) => `${line}\n`).join(''))
    console.log(`${scene.name}: ${client.transcript.length} lines`)
  }
  await server.stop()
}
