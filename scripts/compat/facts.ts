// Collects a server's answers about a stored session: state, entries, and lines of a further run.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isStored, storeFile, storedFile } from './fixture-files.ts'
import { largeImage } from './scenes/log-scenes.ts'
import type { Workspace } from './harness/place.ts'
import { isEvent } from './harness/wire-client.ts'
import type { Frame, WireClient } from './harness/wire-client.ts'

/** What one build answers about one log. */
export interface Facts {
  readonly session: string
  /** The log's path below `$RXPI_HOME`. */
  readonly file: string
  /** Answers about the session that is not open, by the name of the command. */
  readonly closed: Readonly<Record<string, Frame>>
  /** Answers after `open_session`. */
  readonly opened: Readonly<Record<string, Frame>>
  /** Numbered lines that opening and one more prompt append. */
  readonly appended: readonly Frame[]
}

const questions: readonly (readonly [string, object])[] = [
  ['get_state', {}],
  ['get_entries', { after: 0, limit: 1_000 }],
  ['get_tree', {}],
  ['get_stats', {}],
  ['get_context', {}],
  ['verify_session', {}],
]

/** Guarantees: nothing is appended to the log. */
export async function closedFacts(client: WireClient, session: string): Promise<Facts['closed']> {
  const answers: [string, Frame][] = []
  for (const [type, fields] of questions) answers.push([type, compact(await client.ask({ type, session, ...fields }))])
  return Object.fromEntries(answers)
}

/** Opens the session and runs one prompt in it. */
export async function openedFacts(
  client: WireClient,
  workspace: Workspace,
  { session, file }: Pick<Facts, 'session' | 'file'>,
): Promise<Pick<Facts, 'opened' | 'appended'>> {
  const log = path.join(workspace.home, file)
  const before = numberedLines(log).length
  const model = workspace.scripted('resumed', ['Here again.', 'And again.', 'Once more.'])
  const [cwd, env] = [workspace.folder, workspace.env]
  // a prompt of its own: without one, a newer build tells the model that the day is another
  const open_session = await client.ask({ type: 'open_session', cwd, env, session, model, system: 'Be brief.' })
  const from = client.frames.length
  const attach = await client.ask({ type: 'attach', session, after: 0, deltas: false })
  const caught = await client.until((frame) => frame['type'] === 'caught_up' && frame['session'] === session, from)
  const get_state = await client.ask({ type: 'get_state', session })
  const list_tools = await client.ask({ type: 'list_tools', session })
  const prompt = await client.ask({ type: 'prompt', session, text: 'Are you there?' })
  if (prompt['ok'] === true) await client.until(isEvent('agent_settled'), client.frames.indexOf(caught))
  const opened = { open_session, attach, get_state, list_tools, prompt }
  await client.ask({ type: 'detach', session })
  const appended = numberedLines(log).slice(before)
  return { opened, appended: appended.map((line) => JSON.parse(line) as Frame) }
}

export const numberedLines = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"seq":'))

/** The text of long results is replaced by its length and digest. */
function compact(value: Frame): Frame {
  return JSON.parse(
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'string' && each.length > 4_096 ? `${each.length} characters, SHA-256 ${sha256(each)}` : each,
    ),
  ) as Frame
}

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const fixtureNames = (folder: string, name: string) => ({
  log: path.join(folder, 'logs', `${name}.jsonl`),
  snapshot: path.join(folder, 'logs', `${name}.state`),
  facts: path.join(folder, 'facts', `${name}.json`),
})

export const snapshotOf = (log: string): string => log.replace(/\.jsonl$/, '.state')

/** Stores a log, its state snapshot if it has one, and the answers of its build. */
export function writeFixture(
  folder: string,
  name: string,
  bytes: { readonly log: Uint8Array; readonly snapshot?: Uint8Array | undefined },
  facts: Facts,
): void {
  const { log, snapshot, facts: file } = fixtureNames(folder, name)
  storeFile(log, bytes.log)
  if (bytes.snapshot !== undefined) storeFile(snapshot, bytes.snapshot)
  storeFile(file, Buffer.from(`${JSON.stringify(facts)}\n`))
}

/** Copies the log of a fixture, its snapshot and its blobs into a place, byte for byte. */
export function installFixture(folder: string, name: string, workspace: Workspace): Facts {
  const names = fixtureNames(folder, name)
  const facts = JSON.parse(storedFile(names.facts).toString()) as Facts
  const file = path.join(workspace.home, facts.file)
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, storedFile(names.log), { mode: 0o600 })
  if (isStored(names.snapshot)) writeFileSync(snapshotOf(file), storedFile(names.snapshot), { mode: 0o600 })
  if (name === 'images') {
    const blobs = path.join(workspace.home, 'blobs')
    mkdirSync(blobs, { recursive: true, mode: 0o700 })
    writeFileSync(path.join(blobs, sha256(largeImage)), largeImage, { mode: 0o600 })
  }
  return facts
}
