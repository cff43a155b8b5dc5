// Runs `rxpi mcp`: lists, changes, tests and imports MCP servers.
import { catchError, defer, map, mergeMap, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { socketPath } from '../../../lib/server/socket/socket-path.ts'
import type { Client } from '../../../lib/server/client/client.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { McpImportRow, McpRow } from '../../../lib/streams/commands/mcp-commands.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type {
  McpAddInvocation,
  McpImportInvocation,
  McpInvocation,
  McpServerInvocation,
} from '../../cli/mcp-arguments.ts'
import { followLogin, loginText } from '../auth-login.ts'
import { reachServer } from '../../connect/reach-server.ts'
import { endAtSignal } from '../../process/end-at-signal.ts'
import { report } from '../../process/progress.ts'
import type { World } from '../../process/world.ts'
import { countOf } from '../../../lib/streams/values/count-of.ts'
import { serverText } from '../../text/server-text.ts'
import { serverMark } from '../../text/mcp-server-mark.ts'

/** Emits the exit code. */
export function mcp(invocation: McpInvocation, world: World): Observable<number> {
  return runAction(invocation, world).pipe(endAtSignal(world.signals$))
}

function runAction(invocation: McpInvocation, world: World): Observable<number> {
  switch (invocation.action) {
    case 'list':
      return list(invocation, world)
    case 'add':
      return add(invocation, world)
    case 'import':
      return importServers(invocation, world)
    default:
      return onServer(invocation, world)
  }
}

/** Servers run in the server of open sessions: it is asked if one runs, else the one of this command. */
function atRunningServer<Value>(
  { env, client }: World,
  work: (client: Client) => Observable<Value>,
): Observable<Value> {
  return defer(() => reachServer(socketPath({ env }), work)).pipe(
    catchError((error: unknown) => {
      const failure = Failure.from(error)
      const isAbsent = failure.code === 'no_server' || failure.code === 'unknown_command'
      return isAbsent ? work(client) : throwError(() => failure)
    }),
  )
}

function where({ cwd, trust }: Pick<McpInvocation, 'cwd' | 'trust'>, { env }: World) {
  return { cwd, env: { ...env }, ...(trust ? { trust } : {}) }
}

function list(invocation: McpInvocation, world: World): Observable<number> {
  const { stdout, stderr } = world
  return atRunningServer(world, (client) => client.request({ type: 'mcp_list', ...where(invocation, world) })).pipe(
    map((result) => {
      if (invocation.json) stdout.json(JSON.stringify(result))
      else stdout.text(result.servers.map(rowText).join(''))
      if (!invocation.json) reportList(result, stderr)
      return 0
    }),
  )
}

function reportList({ servers, problems, file }: ResultOf<'mcp_list'>, stderr: World['stderr']): void {
  for (const problem of problems) report(stderr, problem)
  if (servers.length === 0) report(stderr, `there are no MCP servers; rxpi mcp add writes one into ${file}`)
}

function add({ server, entry, replace, json, ...invocation }: McpAddInvocation, world: World): Observable<number> {
  const { client, stdout } = world
  const { cwd, env } = where(invocation, world)
  return client
    .request({ type: 'mcp_add', cwd, env, server, entry: { ...entry }, ...(replace ? { replace } : {}) })
    .pipe(
      map((result) => {
        if (json) stdout.json(JSON.stringify(result))
        else stdout.text(`added to ${result.file}\n${rowText(result.server)}`)
        return 0
      }),
    )
}

function onServer({ action, server, json, ...invocation }: McpServerInvocation, world: World): Observable<number> {
  const { client, stdout } = world
  const folder = where(invocation, world)
  const print = (result: object, text: string): void => {
    if (json) stdout.json(JSON.stringify(result))
    else stdout.text(text)
  }
  switch (action) {
    case 'show':
      return atRunningServer(world, (each) => each.request({ type: 'mcp_show', ...folder, server })).pipe(
        map((result) => (print(result, rowText(result.server)), 0)),
      )
    case 'test':
      return client.request({ type: 'mcp_test', ...folder, server }).pipe(
        map((result) => {
          print(result, testText(result))
          return result.state === 'ready' ? 0 : 1
        }),
      )
    case 'login':
    case 'logout':
      return account({ action, server, folder, print }, world)
    case 'rm':
      return client
        .request({ type: 'mcp_remove', cwd: folder.cwd, env: folder.env, server })
        .pipe(map((result) => (print(result, `removed ${server} from ${result.file}\n`), 0)))
    case 'logs':
      return atRunningServer(world, (each) => each.request({ type: 'mcp_logs', server })).pipe(
        map((result) => {
          print(result, result.lines.map((line) => `${line}\n`).join(''))
          if (!json && result.lines.length === 0)
            report(world.stderr, `the server rxpi runs has no output of ${server}`)
          return 0
        }),
      )
    case 'restart':
      return atRunningServer(world, (each) => each.request({ type: 'mcp_restart', server })).pipe(
        map((result) => (print(result, `${server} is connected anew\n`), 0)),
      )
  }
}

interface AccountAction {
  readonly action: 'login' | 'logout'
  readonly server: string
  readonly folder: ReturnType<typeof where>
  readonly print: (result: object, text: string) => void
}

/** Signs in at the server of open sessions, which connects anew with the account. */
function account({ action, server, folder, print }: AccountAction, world: World): Observable<number> {
  if (action === 'logout') {
    return atRunningServer(world, (client) => client.request({ type: 'mcp_logout', ...folder, server })).pipe(
      map((result) => (print(result, `removed the account at ${server} from this machine\n`), 0)),
    )
  }
  return atRunningServer(world, (client) =>
    followLogin(client.request({ type: 'mcp_login', ...folder, server }), { ...world, client }),
  ).pipe(
    map((login) => {
      print({ login }, loginText(login))
      return login.step === 'done' ? 0 : 3
    }),
  )
}

function rowText(row: McpRow): string {
  const { name, origin, state, problem, disabled, error, tools } = row
  const count = tools === undefined ? '' : `, ${countOf(tools, 'tool')}`
  const now = problem ?? (disabled === true ? 'disabled' : (state ?? 'not running'))
  const why = error === undefined ? '' : `\n  ${error}`
  return `${serverMark(row)} ${name}  (${origin}; ${now}${count})\n  ${serverText(row)}${why}\n`
}

function testText({
  server,
  state,
  error,
  title,
  protocol,
  tools,
  resources,
  prompts,
  durationMs,
  notices,
  log = [],
}: ResultOf<'mcp_test'>): string {
  const facts = [title, protocol === undefined ? undefined : `MCP ${protocol}`, `${Math.round(durationMs)} ms`]
  const head = `${serverMark({ state })} ${server}: ${state}  (${facts.filter((fact) => fact !== undefined).join(', ')})\n`
  const why = error === undefined ? '' : `  ${error}\n`
  const counts =
    state === 'ready'
      ? `  ${countOf(tools.length, 'tool')}, ${countOf(prompts, 'prompt')}, ${countOf(resources, 'resource')}\n`
      : ''
  const output = log.length === 0 ? '' : `  The end of its log:\n${log.map((line) => `    ${line}\n`).join('')}`
  const lines = tools.map(({ name, description }) => `  ${name}  ${firstLine(description)}\n`)
  return `${head}${why}${output}${counts}${lines.join('')}${notices.map((notice) => `  ${notice}\n`).join('')}`
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1)
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}

/** Shows what there is; with `--write` adds the named ones, or all that can be added. */
function importServers(
  { from, names, write, json, ...invocation }: McpImportInvocation,
  world: World,
): Observable<number> {
  const { client, stdout, stderr } = world
  const { cwd, env } = where(invocation, world)
  return client.request({ type: 'mcp_import', cwd, env, from }).pipe(
    mergeMap((found) => {
      const free = found.servers.filter(({ present, problem }) => present !== true && problem === undefined)
      const add = names.length > 0 ? [...names] : free.map(({ name }) => name)
      if (!write || add.length === 0) return [found]
      return client.request({ type: 'mcp_import', cwd, env, from, add })
    }),
    map((result) => {
      if (json) stdout.json(JSON.stringify(result))
      else stdout.text(result.servers.map(importText).join(''))
      const isOpen = result.servers.some(
        ({ present, added, problem }) => present !== true && added !== true && problem === undefined,
      )
      if (!json && !write && isOpen) report(stderr, `nothing was written; add --write to add them to ${result.file}`)
      return 0
    }),
  )
}

function importText(row: McpImportRow): string {
  const { name, present, added, problem } = row
  const what =
    added === true ? 'added' : present === true ? 'your settings have one of this name' : (problem ?? 'can be added')
  return `${added === true ? '●' : problem === undefined ? '○' : '✗'} ${name}  (${what})\n  ${serverText(row)}\n`
}
