// Tests that recorded client lines get the same answers as from the recorded server build.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { align, names, renamed, reversed } from '../../scripts/compat/align.ts'
import type { Workspace, ServerProcess } from '../../scripts/compat/harness/place.ts'
import { olderNumbers } from '../../scripts/compat/gained-events.ts'
import { isComplete, receivedOf, stepsOf } from '../../scripts/compat/transcript.ts'
import type { Frame } from '../../scripts/compat/harness/wire-client.ts'
import { wireClient } from '../../scripts/compat/harness/wire-client.ts'
import { prepare } from '../../scripts/compat/scenes/wire-scene.ts'
import { wireScenes } from '../../scripts/compat/scenes/wire-scenes.ts'
import { buildLimitMs, ensureBuilt, fixtures, recordedIn, recordedWorkspace, root } from './recorded-place.ts'

/**
 * Responses of the recorded client's requests that differ on purpose, by scene and request: `delete_session` closes an idle
 * session first, so it also deletes one that its own client has open (docs/decisions/0261).
 */
const intended: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  sessions: {
    17: { ok: true, result: { removed: [expect.stringContaining('.jsonl')] } },
    19: { ok: true, result: { removed: [expect.stringContaining('.jsonl')] } },
    20: { ok: false, error: { code: 'unknown_session' } },
  },
}

let workspace: Workspace
let server: ServerProcess

beforeAll(ensureBuilt, buildLimitMs)
beforeAll(async () => {
  workspace = recordedWorkspace()
  server = await workspace.serve(root)
})

afterAll(async () => {
  await server.stop()
  workspace[Symbol.dispose]()
})

it.each(wireScenes)('the server answers the recorded client of “$name” as before', async (scene) => {
  prepare(workspace, scene)
  const lines = readFileSync(path.join(fixtures, 'wire', `${scene.name}.txt`), 'utf8')
  const known = names([workspace.top, recordedIn])
  const client = await wireClient(workspace.socket)
  const numbers = olderNumbers()
  const frames = (): Frame[] => numbers.frames(client.frames)
  let from = 0
  for (const { sent, received } of stepsOf(lines.trimEnd().split('\n'))) {
    for (const line of sent) client.send(numbers.request(renamed(line, reversed(known))))
    const then = receivedOf(received)
    let compared = -1
    const all = (): boolean => {
      if (compared === client.frames.length) return false // `until` calls this for each frame
      compared = client.frames.length
      return isComplete(receivedOf(frames().slice(from)), then)
    }
    // The comparison below reports missing frames.
    await client.until(all).catch(() => undefined)
    const now = align(then, receivedOf(frames().slice(from)), known)
    const changed = sent.map((line) => intended[scene.name]?.[idOf(line)]).find((each) => each !== undefined)
    if (changed !== undefined) {
      expect(frames().slice(from), sent.join('\n')).toMatchObject([changed])
      from = frames().length
      continue
    }
    expect(now, sent.join('\n')).toEqual(then)
    expect(JSON.stringify(now)).toBe(JSON.stringify(then)) // also compares the order of the fields
    from = frames().length
  }
  await client.close()
})

function idOf(line: string): string {
  const { id } = JSON.parse(line) as { readonly id?: string }
  return id ?? ''
}
