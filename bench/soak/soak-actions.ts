// The actions of the soak's clients: mostly prompts, and any other command at any moment.
import { randomUUID } from 'node:crypto'
import type { ReconnectingClient, RequestOptions } from '../../lib/client.ts'
import type { Command } from '../../lib/streams/commands/command.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import type { Chance } from './chance.ts'
import { firstOf } from './first-of.ts'
import type { SessionPool } from './session-pool.ts'

export interface SoakWorld {
  readonly chance: Chance
  readonly pool: SessionPool
  /** The number of actions and of their outcomes. */
  readonly counts: Record<string, number>
  /** The faults. */
  readonly faults: string[]
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

/** A request without a response for that long is a fault. */
const answeredWithinMs = 90_000

/** Runs one action; resolves at its response. */
export async function act(world: SoakWorld, client: ReconnectingClient, session: string): Promise<void> {
  const { chance, pool } = world
  const action = chance.weighted(weights)
  const command = commandOf(chance, action, session)
  const answered = await ask(world, client, command)
  const begun = (action === 'prompt' || action === 'prompt_queued') && answered
  if (begun && pool.ran(session)) await world.newSession(client)
}

/** True if the response is a success. */
async function ask(world: SoakWorld, client: ReconnectingClient, command: Command): Promise<boolean> {
  const { chance, counts, faults } = world
  const options: RequestOptions = {
    timeoutMs: answeredWithinMs,
    ...(chance.next() < 0.5 && { opId: randomUUID() }),
  }
  let how = 'ok'
  try {
    await firstOf(client.request(command, options))
  } catch (error) {
    const { code, message } = Failure.from(error)
    how = code
    if (!usual.has(code)) faults.push(`${command.type} was answered with ${code}: ${message}`)
  }
  const name = `${command.type}: ${how}`
  counts[name] = (counts[name] ?? 0) + 1
  return how === 'ok'
}

function commandOf(chance: Chance, action: keyof typeof weights, session: string): Command {
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
    case 'list_sessions':
      return { type: action, all: true, limit: 50 }
    case 'server_status':
      return { type: action }
    default:
      return { type: action, session: chance.next() < 0.02 ? 'nobodyhasit7' : session }
  }
}
