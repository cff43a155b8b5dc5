// Which command is done by whom: one line a command; a command that is not here is unknown to this server.
import {
  EMPTY,
  asapScheduler,
  catchError,
  concat,
  defer,
  filter,
  finalize,
  forkJoin,
  map,
  mergeMap,
  of,
  throwError,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed, CommandType, ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { AnyTool, ToolResult } from '../../streams/ports/tool.ts'
import { attach } from './attach.ts'
import { attachmentStart } from './attachment-start.ts'
import type { ChannelCalls } from '../client-tools/channel-calls.ts'
import type { ClientIdentity } from './client-identity.ts'
import type { Pressure } from '../feed/feed.ts'
import type { Offers } from '../client-tools/offers.ts'
import type { ServedSession } from '../feed/served-session.ts'
import type { ServerContext } from './server-context.ts'
import { socketCheck } from '../socket/socket-check.ts'
import type { SessionCommandType } from '../../session/contract/session.ts'
import { toolsOf } from './tools-of.ts'
import { whileAnswering } from './while-answering.ts'

/** What a request is answered with. */
export interface Answer<Result extends object = object> {
  readonly result: Result
  /** What is done and sent right after the response. */
  readonly then$?: Observable<string>
}

/** What a command may use beside its fields. */
export interface RequestContext extends ServerContext {
  readonly opId: string | undefined
  readonly client: ClientContext
}

/** What belongs to one connection. */
export interface ClientContext {
  readonly identity: ClientIdentity
  /** Of the tools that it offers. */
  readonly calls: ChannelCalls
  readonly offers: Offers
  /** This client opened the session, or attaches to it: it is there until it detaches or its connection ends. */
  joins(served: ServedSession): ServedSession
  /** Ends the attachment to this session, if there is one. */
  detach(session: string): void
  /** Ends the attachment's frames alone: another one follows. */
  endAttachment(session: string): void
  /** Begins to send an attachment's frames, until it is detached, and completes at once; one that was there before ends. */
  attached(session: string, frames$: Observable<string>): Observable<never>
  /** How much it has not taken of what it was sent. */
  readonly pressure: Pressure
  /** Ends the request with this id; false where none waits. */
  cancel(id: string): boolean
}

type Handler<Name extends CommandType> = (
  command: CommandNamed<Name>,
  context: RequestContext,
) => Observable<Answer<ResultOf<Name>>>
type Handlers = { readonly [Name in CommandType]: Handler<Name> }

/** What a session itself answers; it counts those that wait. */
export const sessionCommands = {
  prompt: routed<'prompt'>,
  steer: routed<'steer'>,
  follow_up: routed<'follow_up'>,
  abort: routed<'abort'>,
  continue: routed<'continue'>,
  clear_queue: routed<'clear_queue'>,
  edit_queued: routed<'edit_queued'>,
  remove_queued: routed<'remove_queued'>,
  user_bash: routed<'user_bash'>,
  kill_job: routed<'kill_job'>,
  set_model: routed<'set_model'>,
  set_thinking_level: routed<'set_thinking_level'>,
  set_active_tools: routed<'set_active_tools'>,
  set_queue_mode: routed<'set_queue_mode'>,
  branch_session: routed<'branch_session'>,
  rename_session: routed<'rename_session'>,
  set_label: routed<'set_label'>,
  undo: routed<'undo'>,
  ui_response: answered,
} satisfies { readonly [Name in SessionCommandType]: Handler<Name> }

/** Each emits one answer or fails with a Failure; unsubscribing ends the request. */
export const handlers: Handlers = {
  hello: (command, { client }) => {
    client.identity.said(command)
    return answer({})
  },
  ping: () => answer({}),
  new_session: (command, { sessions, opId, client }) =>
    sessions.create(command, opId).pipe(map((served) => ({ result: client.joins(served).opened }))),
  open_session: ({ type, ...command }, { sessions, client }) =>
    sessions.open(command).pipe(map((served) => ({ result: client.joins(served).opened }))),
  replay_session: ({ type, ...command }, { sessions, client }) =>
    sessions.replay(command).pipe(map((served) => ({ result: client.joins(served).opened }))),
  attach: ({ type, ...command }, { sessions, client }) =>
    // before the session is looked for: from then on nothing may wait, or it would go to rest meanwhile
    client.offers.tools(command).pipe(
      mergeMap((tools) =>
        // the log names the session's folder; an attachment brings none, and no environment
        sessions.open({ session: command.session, cwd: '/' }).pipe(
          catchError((error: unknown) => throwError(() => unopened(command.session, error))),
          mergeMap((served) => attached(served, { ...command, tools }, client)),
        ),
      ),
    ),
  detach: ({ session }, { client }) => {
    client.detach(session)
    return answer({})
  },
  ...sessionCommands,
  channel_result: ({ type, ...result }, { client }) => {
    client.calls.answer(result)
    return answer({})
  },
  cancel: ({ target }, { client }) => answer({ cancelled: client.cancel(target) }),
  run_tool: ({ type, ...command }, { backend }) =>
    backend.sessions.runTool(command).pipe(
      filter((event): event is ToolResult => event.type === 'result'),
      map(({ content, details, isError = false }) => ({
        result: { content: [...content], isError, ...(details === undefined ? {} : { details }) },
      })),
    ),
  find_files: ({ session, query, limit }, { sessions, backend }) =>
    sessions.opened(session).pipe(
      mergeMap(({ header: { cwd } }) => backend.sessions.findFiles({ cwd, query, limit })),
      map((result) => ({ result })),
    ),
  get_diff: ({ type, ...command }, { backend }) => backend.stored.getDiff(command).pipe(map((result) => ({ result }))),
  list_tools: ({ session }, { sessions }) =>
    sessions.opened(session).pipe(map((served) => ({ result: { tools: toolsOf(served.session) } }))),
  list_sessions: ({ type, ...command }, { backend, sessions }) =>
    backend.stored.listSessions(command).pipe(map((listed) => ({ result: withLive(listed, sessions.served) }))),
  switch_session: ({ type, ...command }, { backend }) =>
    backend.stored.switchSession(command).pipe(map((result) => ({ result }))),
  delete_session: ({ type, ...command }, { backend }) =>
    backend.stored.deleteSession(command).pipe(map((result) => ({ result }))),
  get_state: ({ session }, { sessions }) => sessions.status(session).pipe(map((result) => ({ result }))),
  get_tree: ({ type, ...command }, { backend }) => backend.stored.getTree(command).pipe(map((result) => ({ result }))),
  get_entries: ({ type, ...command }, { backend }) =>
    backend.stored.getEntries(command).pipe(map((result) => ({ result }))),
  get_context: ({ type, ...command }, { backend }) =>
    backend.stored.getContext(command).pipe(map((result) => ({ result }))),
  get_stats: ({ type, ...command }, { backend }) =>
    backend.stored.getStats(command).pipe(map((result) => ({ result }))),
  get_blob: ({ type, ...command }, { backend }) => backend.stored.getBlob(command).pipe(map((result) => ({ result }))),
  import_session: ({ type, ...command }, { backend }) =>
    backend.stored.importSession(command).pipe(map((result) => ({ result }))),
  export_session: ({ type, ...command }, { backend }) =>
    backend.stored.exportSession(command).pipe(map((result) => ({ result }))),
  verify_session: ({ type, ...command }, { backend }) =>
    backend.stored.verifySession(command).pipe(map((result) => ({ result }))),
  repair_session: ({ type, ...command }, { backend }) =>
    backend.stored.repairSession(command).pipe(map((result) => ({ result }))),
  list_models: ({ type, ...command }, { backend }) => backend.models.list(command).pipe(map((result) => ({ result }))),
  auth_set: ({ type, ...command }, { backend }) => backend.auth.set(command).pipe(map((result) => ({ result }))),
  auth_list: ({ type, ...command }, { backend }) => backend.auth.list(command).pipe(map((result) => ({ result }))),
  auth_remove: ({ type, ...command }, { backend }) => backend.auth.remove(command).pipe(map((result) => ({ result }))),
  auth_verify: ({ type, ...command }, { backend }) => backend.auth.verify(command).pipe(map((result) => ({ result }))),
  config_list: ({ type, ...command }, { backend }) => backend.config.list(command).pipe(map((result) => ({ result }))),
  config_get: ({ type, ...command }, { backend }) => backend.config.get(command).pipe(map((result) => ({ result }))),
  config_set: ({ type, ...command }, { backend }) => backend.config.set(command).pipe(map((result) => ({ result }))),
  server_status: (_command, { status }) => answer(status()),
  doctor: ({ type, ...command }, { backend }) =>
    forkJoin([backend.config.doctor(command), socketCheck(command.env ?? {})]).pipe(
      map(([{ checks }, socket]) => ({ result: { checks: [...checks, socket] } })),
    ),
  shutdown: (_command, { sessions, end }) => {
    const ended$ = defer(() => {
      end()
      return EMPTY
    })
    return concat(sessions.close(), of({ result: {}, then$: ended$ })).pipe(
      // also where closing failed, a moment later, behind the response, and where nobody waits for it any more
      finalize(() => asapScheduler.schedule(end)),
    )
  },
}

function answer<Result extends object>(result: Result): Observable<Answer<Result>> {
  return of({ result })
}

/** Refused, it changes nothing; else the attachment before ends, then the tools change, and then is told where the log ends. */
function attached(
  served: ServedSession,
  command: Omit<CommandNamed<'attach'>, 'type' | 'tools'> & { readonly tools: readonly AnyTool[] },
  client: ClientContext,
): Observable<Answer<ResultOf<'attach'>>> {
  const { session } = served
  attachmentStart(command, session.state$.value.seq)
  return client.offers
    .begin(session, command.tools, () => client.endAttachment(session.id))
    .pipe(
      map((whileOffered) => {
        const { result, frames$ } = attach(client.joins(served), command, client.pressure)
        const counted$ = frames$.pipe(whileOffered, whileAnswering(session, client.identity))
        return { result, then$: client.attached(session.id, counted$) }
      }),
    )
}

function routed<Name extends SessionCommandType>(
  command: CommandNamed<Name>,
  { sessions, opId }: RequestContext,
): Observable<Answer<ResultOf<Name>>> {
  return sessions.send(command, opId).pipe(map((result) => ({ result })))
}

function answered(command: CommandNamed<'ui_response'>, context: RequestContext): Observable<Answer> {
  return context.client.identity.hasUi$.value ? routed(command, context) : throwError(() => hasNoUi())
}

/** An attachment brings no environment: where that is what opening lacked, it is said. */
function unopened(session: string, error: unknown): Failure {
  const failure = Failure.from(error)
  if (failure.data.kind !== 'auth') return failure
  const hint = `An attachment brings no environment: send open_session {session: "${session}", cwd, env} first, then attach`
  return new Failure(failure.code, `${failure.message} ${hint}`, { data: failure.data, cause: failure })
}

function hasNoUi(): Failure {
  return new Failure('not_allowed', 'This client answers for nobody; say hello {ui: true} first')
}

// A list of sessions says of those that are open here what only this server knows: who runs, and who waits for people.

type Listed = ResultOf<'list_sessions'>
type Row = Listed['sessions'][number]

export function withLive(listed: Listed, served: Iterable<Pick<ServedSession, 'session'>>): Listed {
  const open = new Map([...served].map(({ session }) => [session.id, session.state$]))
  return { ...listed, sessions: listed.sessions.map((row) => rowOf(row, open.get(row.id)?.value)) }
}

function rowOf(row: Row, state: ServedSession['session']['state$']['value'] | undefined): Row {
  if (state === undefined) return row
  return { ...row, live: { running: state.running !== undefined, asking: state.requests.length } }
}
