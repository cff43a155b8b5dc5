// Opens the session of a command line: a new one, one by id, or the latest of the folder.
import { identity, map, mergeMap } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import type { Client } from '../../../lib/server/client/client.ts'
import type { CommandNamed, ResultOf } from '../../../lib/streams/commands/command.ts'
import { decodeText } from '../../cli/input/decode-text.ts'
import { readFile } from '../../cli/input/file-argument.ts'
import type { SessionChoice } from '../../cli/invocation.ts'
import type { ProcessWorld } from '../../process/world.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { FailureShape } from '../../../lib/streams/events/event.ts'

/** Whether a command opens the session without a usable model. */
export type ModelNeed = Pick<CommandNamed<'open_session'>, 'requireModel' | 'offerDemo'>

/** The options of a command line for each session that it opens. */
export type SessionOptions = Omit<CommandNamed<'open_session'>, 'type' | 'session' | 'cwd' | 'env' | keyof ModelNeed>

/** @throws Failure `bad_request` if a file of `--system` or `--append-system` cannot be read */
export function sessionOptions(choice: SessionChoice): SessionOptions {
  const { from: _from, cwd: _cwd, scenario: _scenario, tools, system, appendSystem, extensions, ...others } = choice
  return {
    ...others,
    ...(tools === undefined ? {} : { tools: [...tools] }),
    ...(extensions === undefined ? {} : { extensions: [...extensions] }),
    ...(system === undefined ? {} : { system: systemText(system) }),
    ...(appendSystem === undefined ? {} : { appendSystem: systemText(appendSystem) }),
  }
}

/**
 * Emits once and completes.
 * @throws Failure `bad_request` if a file of `--system` or `--append-system` cannot be read
 */
export function openSessionChoice(
  choice: SessionChoice,
  { client, env }: { readonly client: Pick<Client, 'request'>; readonly env: ProcessWorld['env'] },
  need: ModelNeed = {},
): Observable<ResultOf<'open_session'>> {
  const { cwd, from } = choice
  const setup = { cwd, ...sessionOptions(choice), ...need, env: { ...env } }
  const enter$ = enterScenario(choice, client)
  if (from === 'new') return client.request({ type: 'new_session', ...setup }).pipe(enter$)
  if (from === 'unstored') return client.request({ type: 'new_session', ...setup, store: false }).pipe(enter$)
  const chosen = from === 'latest' ? {} : { session: from.session }
  // a caller that continues a session needs its lock
  return client.request({ type: 'open_session', ...setup, ...chosen }).pipe(map(requireWritable), enter$)
}

/** Enters the phase of `--scenario` before anything else happens in the session. */
function enterScenario(
  { scenario }: SessionChoice,
  client: Pick<Client, 'request'>,
): MonoTypeOperatorFunction<ResultOf<'open_session'>> {
  if (scenario === undefined) return identity
  const { name, ...phase } = scenario
  return mergeMap((opened) =>
    client
      .request({ type: 'set_scenario_phase', session: opened.session, scenario: name, ...phase })
      .pipe(map(() => opened)),
  )
}

function systemText(system: string): string {
  return system.startsWith('@') ? decodeText(readFile(system.slice(1)), system) : system
}

/**
 * Rejects a session that is read-only because another process holds its lock.
 * @throws Failure `session_locked` with the holder
 */
export function requireWritable<Opened extends { readonly readOnly?: FailureShape }>(opened: Opened): Opened {
  const { readOnly } = opened
  if (readOnly?.code !== 'session_locked') return opened
  throw new Failure('session_locked', readOnly.message, { data: readOnly.data ?? {} })
}
