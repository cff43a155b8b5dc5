// Picker of MCP servers: their states; Enter shows what can be done with one of them.
import { serverMark } from '../../text/mcp-server-mark.ts'
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { McpRow } from '../../../lib/streams/commands/mcp-commands.ts'
import { countOf } from '../../../lib/streams/values/count-of.ts'
import { serverText } from '../../text/server-text.ts'
import { askServer, notify } from '../commands/ask-server.ts'
import { pollServer } from '../commands/poll-server.ts'
import type { Ui } from '../contract/ui.ts'
import { useRequest } from '../hooks/use-request.ts'
import { useSettled } from '../keys/use-settled-keys.ts'
import type { PickerRow } from '../lists/list-state.ts'
import { LoadedPicker } from '../lists/loaded-picker.tsx'
import { span, spanLines } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { usePickerActions } from './use-picker-actions.ts'
import type { PickerFrame } from './use-picker-actions.ts'

export function McpPicker({ view, columns, height, argument }: PickerFrame): ReactElement {
  const { ui, close } = usePickerActions()
  const [changes, setChanges] = useState(0)
  const [chosenKey, choose] = useState<string>()
  const where = { cwd: view.session?.cwd ?? ui.surroundings.cwd, env: { ...ui.surroundings.env } }
  const loaded = useRequest(() => pollServer(ui, { type: 'mcp_list', ...where }), `${where.cwd} ${changes}`)
  const servers = loaded.state === 'loaded' ? loaded.value.servers : []
  const chosen = servers.find((row) => rowKey(row) === chosenKey)
  const hasSettled = useSettled(chosenKey)
  const act = (row: McpRow, key: string): void => {
    actOn(row, key, { ui, where, onChanged: () => setChanges((count) => count + 1) })
    if (key !== 'logs' && key !== 'login') choose(undefined)
  }
  return (
    <LoadedPicker
      key={chosenKey ?? 'list'}
      title={chosen === undefined ? 'MCP servers' : `${chosen.name}: ${stateText(chosen)}`}
      loaded={loaded}
      rowsOf={(list) => (chosen === undefined ? serverRows(list) : actionRows(chosen))}
      columns={columns}
      height={height}
      query={chosen === undefined ? (argument ?? '') : ''}
      keepsOrder
      empty="There are no MCP servers; rxpi mcp add writes one into your settings"
      foot={
        chosen === undefined
          ? 'Enter test, sign in, restart, log · ● ready, ◐ starting, ! sign in, ✗ failed'
          : serverText(chosen)
      }
      onCancel={() => {
        if (chosen === undefined) close()
        else choose(undefined)
      }}
      onAccept={({ key }) => {
        if (chosen !== undefined && hasSettled()) act(chosen, key)
        else if (chosen === undefined && servers.some((row) => rowKey(row) === key)) choose(key)
      }}
    />
  )
}

interface Action {
  readonly ui: Ui
  readonly where: { readonly cwd: string; readonly env: Record<string, string> }
  /** The list is out of date. */
  readonly onChanged: () => void
}

/** @param key that of an action's row */
function actOn({ name: server }: McpRow, key: string, { ui, where, onChanged }: Action): void {
  switch (key) {
    case 'logs':
      askServer(ui, { type: 'mcp_logs', server }, ({ lines }) => showPage(ui, `Log of ${server}`, logLines(lines)))
      return
    case 'test':
      notify(ui, `Starting ${server} to look at its tools`)
      askServer(ui, { type: 'mcp_test', ...where, server }, (report) =>
        showPage(ui, `Test of ${server}`, testLines(report)),
      )
      return
    case 'restart':
      askServer(ui, { type: 'mcp_restart', server }, () => {
        notify(ui, `${server} is connected anew`)
        onChanged()
      })
      return
    case 'login':
      ui.input({ type: 'overlay', overlay: { name: 'server_login', server, cwd: where.cwd } })
      return
    case 'logout':
      askServer(ui, { type: 'mcp_logout', ...where, server }, () => {
        notify(ui, `The account at ${server} is removed from this machine`)
        onChanged()
      })
  }
}

function showPage(ui: Ui, title: string, lines: readonly Line[]): void {
  ui.input({ type: 'overlay', overlay: { name: 'page', title, lines } })
}

function rowKey({ name, origin }: McpRow): string {
  return `${origin} ${name}`
}

function stateText({ state, problem, disabled, error, tools }: McpRow): string {
  if (problem !== undefined) return problem
  const now = disabled === true ? 'disabled' : (state ?? 'not running').replaceAll('_', ' ')
  const count = tools === undefined ? '' : `, ${countOf(tools, 'tool')}`
  return `${now}${count}${error === undefined ? '' : `: ${error}`}`
}

/** The servers, then what is wrong with a file. */
export function serverRows({
  servers,
  problems,
}: Pick<ResultOf<'mcp_list'>, 'servers' | 'problems'>): readonly PickerRow[] {
  return [
    ...servers.map((row) => ({
      key: rowKey(row),
      label: row.name,
      mark: serverMark(row),
      second: stateText(row),
      hint: `${row.origin} · ${serverText(row)}`,
      isAside: row.problem !== undefined || row.disabled === true,
    })),
    ...problems.map((problem) => ({ key: `problem ${problem}`, label: problem, mark: '!', isAside: true })),
  ]
}

/** Actions for one server, the harmless first. */
export function actionRows({ state, problem, disabled, url, isSignedIn }: McpRow): readonly PickerRow[] {
  const isUsable = problem === undefined && disabled !== true
  const takesLogin = isUsable && url !== undefined && (isSignedIn === true || state !== 'ready')
  const login = { key: 'login', label: isSignedIn === true ? 'Sign in again' : 'Sign in: shows the page to open' }
  return [
    { key: 'back', label: 'Leave it so' },
    ...(takesLogin && state === 'needs_login' ? [login] : []),
    ...(isUsable ? [{ key: 'test', label: 'Test it: start it once, and show its tools' }] : []),
    ...(state === undefined ? [] : [{ key: 'restart', label: 'Connect it anew' }]),
    ...(isUsable ? [{ key: 'logs', label: 'Show what it wrote to standard error' }] : []),
    ...(takesLogin && state !== 'needs_login' ? [login] : []),
    ...(isSignedIn === true ? [{ key: 'logout', label: 'Sign out: removes its account from this machine' }] : []),
  ]
}

function logLines(lines: readonly string[]): readonly Line[] {
  return lines.length === 0 ? [[span('No output', 'dim')]] : lines.flatMap((line) => spanLines(line))
}

export function testLines(report: ResultOf<'mcp_test'>): readonly Line[] {
  const { state, error, title = '', protocol = '', tools, prompts, resources, durationMs, notices, log = [] } = report
  const facts = [title, protocol === '' ? '' : `MCP ${protocol}`, `${Math.round(durationMs)} ms`].filter(
    (fact) => fact !== '',
  )
  return [
    [span(state.replaceAll('_', ' '), state === 'ready' ? 'strong' : 'danger'), span(`  ${facts.join(' · ')}`, 'dim')],
    ...(error === undefined ? [] : spanLines(error, 'danger')),
    ...log.flatMap((line) => spanLines(line, 'dim')),
    ...(state === 'ready'
      ? [[span([countOf(tools.length, 'tool'), countOf(prompts, 'prompt'), countOf(resources, 'resource')].join(', '))]]
      : []),
    ...notices.flatMap((notice) => spanLines(notice, 'warning')),
    ...tools.flatMap(({ name, description }) => [[], [span(name, 'accent')], ...spanLines(description)]),
  ]
}
