// The actions of the soak's clients: mostly prompts, and any other command at any moment.
import { randomUUID } from 'node:crypto'
import type { ReconnectingClient, RequestOptions } from '../../lib/client.ts'
import type { Command, ResultOf } from '../../lib/streams/commands/command.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import type { Chance } from './chance.ts'
import { firstOf } from './first-of.ts'
import type { SessionPool } from './session-pool.ts'
import type { SessionKind, SoakFolders } from './setting/soak-folders.ts'

export interface SoakWorld {
  readonly chance: Chance
  readonly pool: SessionPool
  readonly folders: SoakFolders
  /** Of the sessions that the soak has begun. */
  readonly kinds: Map<string, SessionKind>
  /** The number of actions and of their outcomes. */
  readonly counts: Record<string, number>
  /** The faults of the server. */
  readonly faults: string[]
  /** The faults of the soak itself. */
  readonly ownFaults: string[]
  newSession(client: ReconnectingClient): Promise<void>
}

const weights = {
  prompt: 40,
  prompt_queued: 8,
  steer: 10,
  follow_up: 6,
  abort: 10,
  clear_queue: 2,
  user_bash: 4,
  get_state: 6,
  get_entries: 3,
  get_stats: 2,
  get_tree: 2,
  get_context: 1,
  get_diff: 1,
  list_sessions: 1,
  list_tools: 1,
  find_files: 2,
  rename_session: 1,
  set_thinking_level: 2,
  undo: 1,
  branch_session: 1,
  verify_session: 1,
  export_session: 1,
  server_status: 1,
  compact: 5,
  job: 4,
  reload: 3,
  mcp: 2,
}

/** Expected refusals: a prompt during a run, an empty undo, a cut connection, an unknown id. */
const usual = new Set([
  'busy',
  'disconnected',
  'unknown_session',
  'bad_request',
  'not_allowed',
  'conflict',
  'cancelled',
])

/** Expected of one command alone: the model fails in a summary, no connection has that name at the moment. */
const usualOf: Readonly<Record<string, ReadonlySet<string>>> = {
  compact: new Set(['provider_error', 'no_model', 'overloaded', 'timeout']),
}

/** A request without a response for that long is a fault. */
const answeredWithinMs = 90_000

/** Runs one action; resolves at its response. */
export async function act(world: SoakWorld, client: ReconnectingClient, session: string): Promise<void> {
  const { chance, pool } = world
  const action = chance.weighted(weights)
  if (action === 'job') return useJob(world, client, session)
  const command = action === 'reload' ? changedReload(world, session) : commandOf(chance, action, session)
  const answered = await ask(world, client, command)
  const begun = (action === 'prompt' || action === 'prompt_queued') && answered !== undefined
  if (begun && pool.ran(session)) await world.newSession(client)
}

/** Reads the output of a job, or ends it. */
async function useJob(world: SoakWorld, client: ReconnectingClient, session: string): Promise<void> {
  const { chance } = world
  const listed = await ask(world, client, { type: 'list_jobs', session })
  const jobId = chance.one(listed?.jobs ?? [])?.jobId
  if (jobId === undefined) return
  const isRead = chance.next() < 0.3
  await ask(world, client, isRead ? { type: 'job_output', session, jobId } : { type: 'kill_job', session, jobId })
}

/** Of a session with extensions; one of their files is another one from now on. */
function changedReload({ chance, folders, kinds, pool }: SoakWorld, session: string): Command {
  folders.extensions.change(chance.between(0, 1))
  const extended = pool.live.filter((each) => kinds.get(each) === 'extensions')
  return { type: 'reload', session: chance.one(extended) ?? session }
}

/** Adds one to the count of that name. */
export function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}

/** Undefined if it was refused or the connection was lost. */
async function ask<Sent extends Command>(
  world: SoakWorld,
  client: ReconnectingClient,
  command: Sent,
): Promise<ResultOf<Sent['type']> | undefined> {
  const { chance, counts, faults } = world
  const options: RequestOptions = {
    timeoutMs: answeredWithinMs,
    ...(chance.next() < 0.5 && { opId: randomUUID() }),
  }
  try {
    const result = await firstOf(client.request(command, options))
    count(counts, `${command.type}: ok`)
    return result
  } catch (error) {
    const { code, message } = Failure.from(error)
    count(counts, `${command.type}: ${code}`)
    if (!usual.has(code) && usualOf[command.type]?.has(code) !== true)
      faults.push(`${command.type} was answered with ${code}: ${message}`)
    return undefined
  }
}

type Action = Exclude<keyof typeof weights, 'job' | 'reload'>

function commandOf(chance: Chance, action: Action, session: string): Command {
  const text = `Do what is to be done, number ${chance.between(1, 1e6)}`
  switch (action) {
    case 'prompt_queued':
      return { type: 'prompt', session, text, whileRunning: chance.next() < 0.5 ? 'steer' : 'follow_up' }
    case 'prompt':
    case 'steer':
    case 'follow_up':
      return { type: action, session, text }
    case 'user_bash':
      return { type: action, session, command: `echo by hand; sleep ${chance.between(0, 2)}` }
    case 'get_entries':
      return { type: action, session, limit: chance.between(1, 50) }
    case 'rename_session':
      return { type: action, session, title: `Named ${chance.between(1, 1e6)}` }
    case 'set_thinking_level':
      return { type: action, session, thinkingLevel: chance.next() < 0.5 ? 'off' : 'low' }
    case 'find_files':
      return { type: action, session, query: chance.one(['o', 'new', 'none at all']) ?? '' }
    case 'branch_session':
      return { type: action, session, entryId: null }
    case 'undo':
      return { type: action, session, force: true }
    case 'export_session':
      return { type: action, session, format: 'markdown' }
    case 'compact':
      return { type: action, session, ...(chance.next() < 0.3 && { focus: 'the files' }) }
    case 'mcp':
      return { type: 'mcp_restart', server: chance.next() < 0.5 ? 'shared' : 'own' }
    case 'list_sessions':
      return { type: action, all: true, limit: 50 }
    case 'server_status':
      return { type: action }
    default:
      return { type: action, session: chance.next() < 0.02 ? 'nobodyhasit7' : session }
  }
}
