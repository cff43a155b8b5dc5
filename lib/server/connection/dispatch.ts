// Maps each wire command to its handler; a command without a handler is unknown to this server.
import {
  EMPTY,
  asapScheduler,
  concat,
  defer,
  filter,
  finalize,
  forkJoin,
  map,
  mergeMap,
  of,
  tap,
  throwError,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed, CommandType, ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'
import type { SessionCommandType } from '../../session/contract/session.ts'
import type { ServedSession } from '../feed/served-session.ts'
import { checkInstallation } from '../../services/doctor/check-installation.ts'
import { checkServerSocket } from '../socket/probe-server.ts'
import { accountHandlers, mcpHandlers } from './backend-handlers.ts'
import { extensionHandlers, surfaceHandlers } from './extension-handlers.ts'
import { handleAttach } from './handle-attach.ts'
import { findServed, listCommands, listScenarios, listTools, requestPart } from './session-lists.ts'
import { respond } from './request-context.ts'
import type { Answer, Handler, RequestContext } from './request-context.ts'

type Handlers = { readonly [Name in CommandType]: Handler<Name> }

/** Commands that a session answers itself; the session counts the unanswered ones. */
export const sessionCommands = {
  prompt: sendToSession<'prompt'>,
  steer: sendToSession<'steer'>,
  follow_up: sendToSession<'follow_up'>,
  abort: sendToSession<'abort'>,
  continue: sendToSession<'continue'>,
  clear_queue: sendToSession<'clear_queue'>,
  edit_queued: sendToSession<'edit_queued'>,
  remove_queued: sendToSession<'remove_queued'>,
  user_bash: sendToSession<'user_bash'>,
  kill_job: sendToSession<'kill_job'>,
  set_model: setModel,
  set_thinking_level: sendToSession<'set_thinking_level'>,
  set_active_tools: sendToSession<'set_active_tools'>,
  set_queue_mode: sendToSession<'set_queue_mode'>,
  set_approval_mode: sendToSession<'set_approval_mode'>,
  set_scenario_phase: sendToSession<'set_scenario_phase'>,
  branch_session: sendToSession<'branch_session'>,
  rename_session: sendToSession<'rename_session'>,
  set_label: sendToSession<'set_label'>,
  undo: sendToSession<'undo'>,
  compact: sendToSession<'compact'>,
  context_edit: sendToSession<'context_edit'>,
  context_pin: sendToSession<'context_pin'>,
  ui_response: sendUiResponse,
} satisfies { readonly [Name in SessionCommandType]: Handler<Name> }

const noResources: ResultOf<'find_resources'> = { servers: [], resources: [], more: false }

/** Each emits one answer or fails with a Failure; unsubscribing ends the request. */
export const handlers: Handlers = {
  hello: (command, { client }) => {
    client.identity.update(command)
    return answer({})
  },
  ping: () => answer({}),
  new_session: (command, { sessions, opId, client }) =>
    sessions.create(command, opId).pipe(map((served) => ({ result: client.join(served).opened }))),
  open_session: ({ type, ...command }, { sessions, client }) =>
    sessions.open(command).pipe(map((served) => ({ result: client.join(served).opened }))),
  replay_session: ({ type, ...command }, { sessions, client }) =>
    sessions.replay(command).pipe(map((served) => ({ result: client.join(served).opened }))),
  attach: handleAttach,
  detach: ({ session }, { client }) => {
    client.detach(session)
    return answer({})
  },
  close_session: ({ session }, { sessions, client }) => respond(sessions.close(session, client)),
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
    sessions
      .opened(session)
      .pipe(mergeMap(({ header: { cwd } }) => respond(backend.sessions.findFiles({ cwd, query, limit })))),
  find_resources: ({ type, session, ...wanted }, { sessions }) =>
    respond(
      sessions.opened(session).pipe(mergeMap(({ session: own }) => own.findResources?.(wanted) ?? of(noResources))),
    ),
  get_diff: ({ type, ...command }, { backend }) => respond(backend.stored.getDiff(command)),
  list_tools: ({ session }, { sessions }) =>
    sessions.opened(session).pipe(map((served) => ({ result: { tools: listTools(served.session) } }))),
  list_commands: ({ session }, { sessions }) =>
    respond(sessions.opened(session).pipe(mergeMap((served) => listCommands(served.session)))),
  list_scenarios: ({ session }, { sessions }) =>
    respond(sessions.opened(session).pipe(mergeMap((served) => listScenarios(served.session)))),
  list_jobs: ({ session }, { sessions }) =>
    sessions.opened(session).pipe(map((served) => ({ result: { jobs: [...served.session.jobs.list()] } }))),
  job_output: ({ type, session, jobId, ...query }, { sessions }) =>
    respond(sessions.opened(session).pipe(mergeMap((served) => served.session.jobs.output(jobId, query)))),
  list_sessions: ({ type, ...command }, { backend, sessions }) =>
    backend.stored.listSessions(command).pipe(map((listed) => ({ result: addLiveStates(listed, sessions.served) }))),
  switch_session: ({ type, ...command }, { backend }) => respond(backend.stored.switchSession(command)),
  delete_session: (command, { sessions, client }) => respond(sessions.remove(command, client)),
  get_state: ({ session }, { sessions }) => respond(sessions.status(session)),
  get_tree: ({ type, ...command }, { backend }) => respond(backend.stored.getTree(command)),
  get_entries: ({ type, ...command }, { backend }) => respond(backend.stored.getEntries(command)),
  get_context: ({ type, ...command }, { backend, sessions }) =>
    backend.stored
      .getContext(command)
      .pipe(map((result) => ({ result: { ...result, ...requestPart(command, sessions.served) } }))),
  get_stats: ({ type, ...command }, { backend }) => respond(backend.stored.getStats(command)),
  get_blob: ({ type, ...command }, { backend }) => respond(backend.stored.getBlob(command)),
  import_session: ({ type, ...command }, { backend }) => respond(backend.stored.importSession(command)),
  export_session: ({ type, ...command }, { backend }) => respond(backend.stored.exportSession(command)),
  verify_session: ({ type, ...command }, { backend }) => respond(backend.stored.verifySession(command)),
  repair_session: ({ type, ...command }, { backend }) => respond(backend.stored.repairSession(command)),
  list_models: ({ type, ...command }, { backend, sessions }) =>
    respond(backend.models.list(command, findServed(command.session, sessions.served)?.extensionModels?.())),
  update_models: ({ type, ...command }, { backend }) => respond(backend.models.update(command)),
  auth_set: ({ type, ...command }, { backend }) => respond(backend.auth.set(command)),
  auth_list: ({ type, ...command }, { backend }) => respond(backend.auth.list(command)),
  auth_remove: ({ type, ...command }, { backend }) => respond(backend.auth.remove(command)),
  auth_verify: ({ type, ...command }, { backend }) => respond(backend.auth.verify(command)),
  config_list: ({ type, ...command }, { backend }) => respond(backend.config.list(command)),
  config_get: ({ type, ...command }, { backend }) => respond(backend.config.get(command)),
  config_set: ({ type, ...command }, { backend }) => respond(backend.config.set(command)),
  policy_explain: ({ type, ...command }, { backend }) => respond(backend.policy.explain(command)),
  policy_import: ({ type, ...command }, { backend }) => respond(backend.policy.importRules(command)),
  policy_audit: ({ type, ...command }, { backend }) => respond(backend.stored.auditPolicy(command)),
  import_pi: ({ type, ...command }, { backend }) => respond(backend.imports.pi(command)),
  ...extensionHandlers,
  ...accountHandlers,
  ...mcpHandlers,
  ...surfaceHandlers,
  trust_folder: ({ type, ...command }, { backend }) => respond(backend.config.trustFolder(command)),
  server_status: (_command, { status }) => answer(status()),
  doctor: ({ type, ...command }, { backend }) =>
    forkJoin([checkInstallation(command, backend), checkServerSocket(command.env ?? {})]).pipe(
      map(([checks, socket]) => ({ result: { checks: [...checks, socket] } })),
    ),
  shutdown: (_command, { sessions, end }) => {
    const ended$ = defer(() => {
      end()
      return EMPTY
    })
    return concat(sessions.shutDown(), of({ result: {}, then$: ended$ })).pipe(
      // also if closing failed or the request was cancelled; a moment later, so that the response is sent first
      finalize(() => asapScheduler.schedule(end)),
    )
  },
}

function answer<Result extends object>(result: Result): Observable<Answer<Result>> {
  return of({ result })
}

function sendToSession<Name extends SessionCommandType>(
  command: CommandNamed<Name>,
  { sessions, opId, client }: RequestContext,
): Observable<Answer<ResultOf<Name>>> {
  return respond(sessions.send(command, opId, client.identity.name))
}

function sendUiResponse(command: CommandNamed<'ui_response'>, context: RequestContext): Observable<Answer> {
  return hasUi(context) ? sendToSession(command, context) : throwError(() => noUiFailure())
}

/** A person that chooses in a UI means later sessions too. */
function setModel(
  command: CommandNamed<'set_model'>,
  context: RequestContext,
): Observable<Answer<ResultOf<'set_model'>>> {
  const { sessions } = context
  return sendToSession<'set_model'>(command, context).pipe(
    tap(() => {
      if (hasUi(context)) sessions.rememberModel(command.session)
    }),
  )
}

function hasUi({ client }: RequestContext): boolean {
  return client.identity.ability$.value !== 'none'
}

function noUiFailure(): Failure {
  return new Failure('not_allowed', 'This client cannot answer questions; send hello {ui: true} first')
}

type SessionList = ResultOf<'list_sessions'>
type SessionRow = SessionList['sessions'][number]

/** Adds to a list of sessions whether those that are open here run or wait for an answer. */
export function addLiveStates(listed: SessionList, served: Iterable<Pick<ServedSession, 'session'>>): SessionList {
  const open = new Map([...served].map(({ session }) => [session.id, session.state$]))
  return { ...listed, sessions: listed.sessions.map((row) => addLiveState(row, open.get(row.id)?.value)) }
}

function addLiveState(row: SessionRow, state: ServedSession['session']['state$']['value'] | undefined): SessionRow {
  if (state === undefined) return row
  return {
    ...row,
    live: { running: state.running !== undefined, asking: state.requests.length + state.questions.length },
  }
}
