// Picker of MCP servers: their states; Enter shows what can be done with one of them.
import { serverMark } from '../../text/mcp-server-mark.ts'
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { McpRow } from '../../../lib/streams/commands/mcp-commands.ts'
import { serverText } from '../../text/server-text.ts'
import { askServer, notify } from '../commands/ask-server.ts'
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
  const [chosen, setChosen] = useState<McpRow>()
  const where = { cwd: view.session?.cwd ?? ui.surroundings.cwd, env: { ...ui.surroundings.env } }
  const loaded = useRequest(() => ui.request({ type: 'mcp_list', ...where }), `${where.cwd} ${changes}`)
  const hasSettled = useSettled(chosen)
  const act = ({ name: server }: McpRow, key: string): void => {
    if (key === 'logs')
      askServer(ui, { type: 'mcp_logs', server }, ({ lines }) => showPage(ui, `Log of ${server}`, logLines(lines)))
    else if (key === 'test') {
      notify(ui, `Starting ${server} to look at its tools`)
      askServer(ui, { type: 'mcp_test', ...where, server }, (report) =>
        showPage(ui, `Test of ${server}`, testLines(report)),
      )
    } else if (key === 'restart')
      askServer(ui, { type: 'mcp_restart', server }, () => {
        notify(ui, `${server} is connected anew`)
        setChanges((count) => count + 1)
      })
    if (key !== 'logs') setChosen(undefined)
  }
  return (
    <LoadedPicker
      key={chosen?.name ?? 'list'}
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
          ? 'Enter test, restart, log · ● ready, ◐ starting, ! sign in, ✗ failed'
          : serverText(chosen)
      }
      onCancel={() => {
        if (chosen === undefined) close()
        else setChosen(undefined)
      }}
      onAccept={({ key }) => {
        if (chosen !== undefined && hasSettled()) act(chosen, key)
        else if (chosen === undefined && loaded.state === 'loaded')
          setChosen(loaded.value.servers.find((row) => rowKey(row) === key))
      }}
    />
  )
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
  const count = tools === undefined ? '' : `, ${tools} ${tools === 1 ? 'tool' : 'tools'}`
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

/** What can be done with one server, the harmless first. */
export function actionRows({ state, problem, disabled }: McpRow): readonly PickerRow[] {
  const isUsable = problem === undefined && disabled !== true
  return [
    { key: 'back', label: 'Leave it so' },
    ...(isUsable ? [{ key: 'test', label: 'Test it: start it once, and show its tools' }] : []),
    ...(state === undefined ? [] : [{ key: 'restart', label: 'Connect it anew' }]),
    ...(isUsable ? [{ key: 'logs', label: 'Show what it wrote to standard error' }] : []),
  ]
}

function logLines(lines: readonly string[]): readonly Line[] {
  return lines.length === 0 ? [[span('No output', 'dim')]] : lines.flatMap((line) => spanLines(line))
}

export function testLines(report: ResultOf<'mcp_test'>): readonly Line[] {
  const { state, error, title = '', protocol = '', tools, prompts, resources, durationMs, notices } = report
  const facts = [title, protocol === '' ? '' : `MCP ${protocol}`, `${Math.round(durationMs)} ms`].filter(
    (fact) => fact !== '',
  )
  return [
    [span(state.replaceAll('_', ' '), state === 'ready' ? 'strong' : 'danger'), span(`  ${facts.join(' · ')}`, 'dim')],
    ...(error === undefined ? [] : spanLines(error, 'danger')),
    ...(state === 'ready' ? [[span(`${tools.length} tools, ${prompts} prompts, ${resources} resources`)]] : []),
    ...notices.flatMap((notice) => spanLines(notice, 'warning')),
    ...tools.flatMap(({ name, description }) => [[], [span(name, 'accent')], ...spanLines(description)]),
  ]
}
