// Situations of a log that one build has written and another continues: each scene, both ways.
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { align, names, renamed, withoutGainedNotices } from './align.ts'
import type { Facts } from './facts.ts'
import { closedFacts, openedFacts } from './facts.ts'
import type { LogScene } from './scenes/log-scenes.ts'
import type { Workspace } from './harness/place.ts'
import { wireClient } from './harness/wire-client.ts'

/**
 * Plays the scene with the writer. Both builds then read the log, and each continues a copy of it. Rejects if their
 * answers differ, or if the writer cannot continue after the lines of the reader.
 */
export async function logExchange(
  { name, play }: LogScene,
  {
    writer,
    reader,
    newer,
    places,
  }: {
    readonly writer: string
    readonly reader: string
    /** A build may gain tools and fields: the answers of the newer one are compared without them. */
    readonly newer: 'writer' | 'reader'
    readonly places: readonly [Workspace, Workspace]
  },
): Promise<void> {
  const [workspace, copy] = places
  await play(workspace, writer)
  const log = workspace.logs().at(-1)
  assert(log !== undefined, `${name} leaves a log`)
  cpSync(workspace.home, copy.home, { recursive: true })
  const about = { session: path.basename(log, '.jsonl').split('_')[1] ?? '', file: path.relative(workspace.home, log) }
  const written = await factsWith(writer, workspace, about)
  const facts = JSON.stringify(await factsWith(reader, copy, about))
  const read: unknown = JSON.parse(renamed(facts, names([copy.top, workspace.top])))
  const [now, then] = newer === 'reader' ? [read, written] : [written, withoutGainedNotices(read)]
  const aligned = align(then, now, names())
  assert.deepEqual(aligned, then)
  assert.equal(JSON.stringify(aligned), JSON.stringify(then), 'the order of the fields')
  await factsWith(writer, copy, about)
}

async function factsWith(
  build: string,
  workspace: Workspace,
  about: Pick<Facts, 'session' | 'file'>,
): Promise<Pick<Facts, 'closed' | 'opened' | 'appended'>> {
  const server = await workspace.serve(build)
  const client = await wireClient(workspace.socket)
  const closed = await closedFacts(client, about.session)
  const { result } = closed['verify_session'] ?? {}
  assert.equal((result as { readonly clean?: boolean } | undefined)?.clean, true, 'the log is whole')
  const resumed = await openedFacts(client, workspace, about)
  assert.equal(resumed.opened['prompt']?.['ok'], true, 'the session can be continued')
  await client.close()
  await server.stop()
  return { closed, ...resumed }
}
