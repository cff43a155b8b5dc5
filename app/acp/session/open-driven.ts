// Opens sessions for an editor: new ones, stored ones with or without their history, and copies.
import type { McpServer } from '@agentclientprotocol/sdk'
import { EMPTY, concat, concatMap, expand, forkJoin, map, mergeMap, of, takeLast } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { requireWritable } from '../../commands/sessions/open-session-choice.ts'
import type { SessionOptions } from '../../commands/sessions/open-session-choice.ts'
import type { ElicitationFeatures } from '../questions/elicitation.ts'
import type { UpdateFeatures } from '../updates/event-updates.ts'
import type { Peer } from '../wire/peer.ts'
import { planUpdate } from '../updates/event-updates.ts'
import { DrivenSession } from './driven-session.ts'
import type { FileFeatures } from './editor-files.ts'
import type { TerminalFeatures } from './editor-terminals.ts'
import { editorServers } from './editor-servers.ts'
import { SessionSettings } from './session-settings.ts'

/** Abilities of the editor. */
export type EditorFeatures = UpdateFeatures & ElicitationFeatures & FileFeatures & TerminalFeatures

export interface OpeningContext {
  readonly client: Pick<ReconnectingClient, 'events$' | 'request'>
  readonly peer: Peer
  readonly env: Readonly<Record<string, string>>
  /** From the command line. */
  readonly options: SessionOptions
  readonly features: EditorFeatures
  /** MCP servers of the editor. */
  readonly servers: readonly McpServer[]
}

/** Emits a new session, which follows its events. @param cwd absolute */
export function openNew(cwd: string, context: OpeningContext): Observable<DrivenSession> {
  const { client, env, options, servers } = context
  return client
    .request({ type: 'new_session', ...options, ...editorServers(servers), cwd, env: { ...env }, requireModel: true })
    .pipe(mergeMap((opened) => drive(opened, context)))
}

/** Emits a stored session, which follows its events. @param replays true: its messages are sent as updates first */
export function openStored(
  session: string,
  cwd: string,
  { replays, ...context }: OpeningContext & { readonly replays: boolean },
): Observable<DrivenSession> {
  const { client, env, options, servers } = context
  return client
    .request({ type: 'open_session', ...options, ...editorServers(servers), session, cwd, env: { ...env } })
    .pipe(
      map(requireWritable),
      mergeMap((opened) => drive(opened, context, replays)),
    )
}

/** Emits a copy of a session up to its head. */
export function openCopy(session: string, cwd: string, context: OpeningContext): Observable<DrivenSession> {
  const { client } = context
  return client.request({ type: 'get_state', session }).pipe(
    mergeMap(({ headEntryId: entryId }) => client.request({ type: 'branch_session', session, entryId, newFile: true })),
    mergeMap(({ session: copy }) => {
      if (copy === undefined) throw new Failure('internal', `The session ${session} has no copy`)
      return openStored(copy, cwd, { ...context, replays: false })
    }),
  )
}

function drive(
  { session, header, model, notices }: ResultOf<'open_session'>,
  context: OpeningContext,
  replays = false,
): Observable<DrivenSession> {
  const { client, env, peer, features } = context
  const facts$ = forkJoin({
    status: client.request({ type: 'get_state', session }),
    scenarios: client.request({ type: 'list_scenarios', session }),
    models: client.request({ type: 'list_models', session, cwd: header.cwd, env: { ...env }, usable: true }),
  })
  return facts$.pipe(
    mergeMap(({ status, scenarios: { scenarios }, models: { models } }) => {
      const driven = new DrivenSession({
        ...features,
        ...{ id: session, client, peer, cwd: header.cwd },
        ...{ usage: status.usage, contextWindow: model?.contextWindow, opened: notices },
        settings: new SessionSettings({ session, status, scenarios, models }),
      })
      const replayed$ = replays ? replay(driven, context) : of(status.seq)
      return replayed$.pipe(
        map((seq) => {
          if (status.plan !== undefined) driven.send([planUpdate(status.plan)])
          driven.follow(seq)
          return driven
        }),
      )
    }),
  )
}

/** Sends the messages of the present branch, a page when the editor has the last one; emits their last `seq`. */
function replay(driven: DrivenSession, { client, peer }: OpeningContext): Observable<number> {
  const sent$ = (after: number): Observable<ResultOf<'get_entries'>> =>
    client
      .request({ type: 'get_entries', session: driven.id, branch: 'head', after, limit: 1_000 })
      .pipe(concatMap((page) => concat(driven.replay(page.entries), of(page))))
  return sent$(0).pipe(
    expand(({ entries, more }) => (more ? concat(peer.flushed(), sent$(entries.at(-1)?.seq ?? 0)) : EMPTY)),
    map(({ head }) => head),
    takeLast(1),
  )
}
