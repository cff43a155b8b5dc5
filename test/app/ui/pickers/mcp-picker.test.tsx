// Tests the picker of MCP servers: its rows, what can be done, and the pages that it opens.
import { stripVTControlCharacters } from 'node:util'
import { cleanup, render } from '../../../support/ink-screen.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UiContext } from '../../../../app/ui/hooks/use-ui.ts'
import { Keyboard } from '../../../../app/ui/keys/keyboard.tsx'
import { actionRows, serverRows, testLines } from '../../../../app/ui/pickers/mcp-picker.tsx'
import { Overlays } from '../../../../app/ui/screen/overlays.tsx'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { McpRow } from '../../../../lib/streams/commands/mcp-commands.ts'
import { fakeUi } from '../../../support/fake-ui.ts'

afterEach(cleanup)

const files: McpRow = { name: 'files', origin: 'user', command: 'npx', args: ['-y', 'x'], state: 'ready', tools: 11, restarts: 0 } // prettier-ignore
const rows: readonly McpRow[] = [
  files,
  { name: 'issues', origin: 'user', url: 'https://i.example', state: 'waiting', error: 'it ended', restarts: 1 },
  { name: 'theirs', origin: 'project', command: './x', problem: 'the folder is not trusted' },
  { name: 'off', origin: 'user', command: 'x', disabled: true },
  { name: 'notes', origin: 'user', url: 'https://n.example', state: 'needs_login', restarts: 0 },
  { name: 'mine', origin: 'user', url: 'https://m.example', isSignedIn: true },
  { name: 'open', origin: 'user', url: 'https://o.example', state: 'ready', restarts: 0 },
]

describe('the rows', () => {
  it('show state, tools and what is wrong', () => {
    const listed = serverRows({ servers: [...rows], problems: ['bad file'] })
    expect(listed.map(({ mark, label, second }) => [mark, label, second])).toEqual([
      ['●', 'files', 'ready, 11 tools'],
      ['◐', 'issues', 'waiting: it ended'],
      ['✗', 'theirs', 'the folder is not trusted'],
      ['○', 'off', 'disabled'],
      ['!', 'notes', 'needs login'],
      ['○', 'mine', 'not running'],
      ['●', 'open', 'ready'],
      ['!', 'bad file', undefined],
    ])
  })

  it('offer what works for the server, the harmless first', () => {
    expect(rows.map((row) => actionRows(row).map(({ key }) => key))).toEqual([
      ['back', 'test', 'restart', 'logs'],
      ['back', 'test', 'restart', 'logs', 'login'],
      ['back'],
      ['back'],
      ['back', 'login', 'test', 'restart', 'logs'],
      ['back', 'test', 'logs', 'login', 'logout'],
      ['back', 'test', 'restart', 'logs'],
    ])
  })

  it('of a test show its facts, what was left out, and the tools', () => {
    const report = { server: 'files', state: 'ready' as const, title: 'F 1', tools: [{ name: 'read', description: 'Reads.' }], resources: 0, prompts: 2, durationMs: 12.3, notices: ['“x” is left out'] } // prettier-ignore
    const lines = testLines(report).map((line) => line.map(({ text }) => text).join(''))
    expect(lines).toEqual([
      'ready  F 1 · 12 ms',
      '1 tool, 2 prompts, 0 resources',
      '“x” is left out',
      '',
      'read',
      'Reads.',
    ])
  })
})

it('restarts a server by its name, and shows its log as a page', async () => {
  const overlay = { name: 'picker', picker: 'mcp' } as const
  const { ui, requests } = fakeUi({
    view: { ...emptyView(), overlay },
    answers: {
      mcp_list: { file: '/s', servers: [files], problems: [] },
      mcp_logs: { lines: ['a line'] },
      mcp_restart: {},
    },
  })
  const drawn = render(
    <UiContext value={ui}>
      <Keyboard>
        <Overlays view={ui.now()} columns={100} rows={12} />
      </Keyboard>
    </UiContext>,
  )
  const text = (): string => stripVTControlCharacters(drawn.lastFrame() ?? '')
  await vi.waitFor(() => expect(text()).toContain('files'), { timeout: 10_000 })
  drawn.stdin.write('\r')
  await vi.waitFor(() => expect(text()).toContain('Leave it so'), { timeout: 10_000 })
  await new Promise((resolve) => setTimeout(resolve, 500)) // keys that come too early are ignored
  for (const key of ['\u001b[B', '\u001b[B', '\r']) drawn.stdin.write(key)
  await vi.waitFor(
    () => expect(requests).toContainEqual(expect.objectContaining({ type: 'mcp_restart', server: 'files' })),
    { timeout: 10_000 },
  )
})
