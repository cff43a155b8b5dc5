// Tests that session logs of an earlier build are read, verified, opened and continued.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { align, names } from '../../scripts/compat/align.ts'
import { closedFacts, installFixture, numberedLines, openedFacts, snapshotOf } from '../../scripts/compat/facts.ts'
import type { Facts } from '../../scripts/compat/facts.ts'
import { logScenes } from '../../scripts/compat/scenes/log-scenes.ts'
import type { Workspace, ServerProcess } from '../../scripts/compat/harness/place.ts'
import type { WireClient } from '../../scripts/compat/harness/wire-client.ts'
import { wireClient } from '../../scripts/compat/harness/wire-client.ts'
import { buildLimitMs, ensureBuilt, fixtures, recordedIn, recordedWorkspace, root } from './recorded-place.ts'

const facts = new Map<string, Facts>()
let workspace: Workspace
let server: ServerProcess
let client: WireClient

beforeAll(ensureBuilt, buildLimitMs)
beforeAll(async () => {
  workspace = recordedWorkspace()
  for (const { name } of logScenes) facts.set(name, installFixture(fixtures, name, workspace))
  server = await workspace.serve(root)
  client = await wireClient(workspace.socket)
})

afterAll(async () => {
  await client.close()
  await server.stop()
  workspace[Symbol.dispose]()
})

it('the state snapshot of an earlier build is accepted: opening does not read the lines that it covers', async () => {
  using other = recordedWorkspace()
  const { session, file } = installFixture(fixtures, 'large', other)
  const log = path.join(other.home, file)
  writeFileSync(log, readFileSync(log, 'utf8').replace('a line of a long file', 'a line of a LONG file'))
  const serving = await other.serve(root)
  const asking = await wireClient(other.socket)
  const open = { type: 'open_session', session, cwd: other.folder, env: other.env, model: 'demo/guide' }
  expect(await asking.result(open)).not.toHaveProperty('readOnly')
  await asking.close()
  await serving.stop()
  rmSync(snapshotOf(log))
  const again = await other.serve(root)
  const reader = await wireClient(other.socket)
  expect(await reader.result(open)).toHaveProperty('readOnly')
  await reader.close()
  await again.stop()
})

/** Also compares the order of the fields. */
function expectSame(now: unknown, then: unknown, known = names([workspace.top, recordedIn])): void {
  const aligned = align(then, now, known)
  expect(aligned).toEqual(then)
  expect(JSON.stringify(aligned)).toBe(JSON.stringify(then))
}

function factsOf(name: string): Facts {
  const found = facts.get(name)
  if (found === undefined) throw new Error(`There is no fixture ${name}`)
  return found
}

const isSealed = (line: string): boolean => {
  const [, body = '', crc = ''] = /^(.*),"crc":"([0-9a-f]{8})"\}$/.exec(line) ?? []
  return crc32(body).toString(16).padStart(8, '0') === crc
}

describe.each(logScenes.map(({ name }) => name))('the log “%s” of an earlier build', (name) => {
  it('folds to the same state, entries, tree, costs and context, and is whole', async () => {
    const { session, closed } = factsOf(name)
    expectSame(await closedFacts(client, session), closed)
  })

  it('is opened and continued: the appended lines have the same fields in the same order', async () => {
    const { session, file, opened, appended } = factsOf(name)
    const before = readFileSync(path.join(workspace.home, file))
    const now = await openedFacts(client, workspace, { session, file })
    expectSame(now, { opened, appended })
    const after = readFileSync(path.join(workspace.home, file))
    expect(after.subarray(0, before.length).equals(before)).toBe(true)
    expect(numberedLines(path.join(workspace.home, file)).filter((line) => !isSealed(line))).toEqual([])
  })
})
