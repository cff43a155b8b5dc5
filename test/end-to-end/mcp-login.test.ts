// Tests the sign-in to an MCP server in a terminal: its page, a pasted answer, Esc, the sign-out.
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { loopbackNotes } from '../mcp/oauth/loopback-notes.ts'
import { workplace } from '../support/command.ts'
import { hasTmux, terminal } from '../support/tmux.ts'
import type { Terminal } from '../support/tmux.ts'
import { isFull } from '../support/sample-size.ts'

/** Opens `/mcp` with one server, and chooses what can be done with it. */
async function choose(ui: Terminal, state: string | RegExp, label: string): Promise<void> {
  await ui.shows('› / for commands') // nothing else takes the keys
  ui.press('-l', '/mcp')
  await ui.shows('› /mcp')
  ui.press('Enter')
  await ui.shows(state)
  await pause(500) // a key that comes too early is ignored
  ui.press('Enter')
  await ui.shows('Leave it so')
  ui.press('-l', label)
  await ui.loses('Leave it so')
  await pause(500)
  ui.press('Enter')
}

/** The address of the page, which takes several rows. */
async function pageOf(ui: Terminal): Promise<string> {
  const screen = await ui.shows(/Open this address[^›]*›/)
  return /http:\S+(?:\n\S+)*(?=\n›)/.exec(screen)?.[0].replaceAll('\n', '') ?? 'no address'
}

it.runIf(isFull && hasTmux)(
  'a server is signed in to by its page or by a pasted answer, and signed out',
  { timeout: 60_000 },
  async () => {
    await using notes = await loopbackNotes()
    using workspace = workplace({ 'README.md': '# Sample\n' })
    const model = workspace.scripted([{ text: 'Hello.' }])
    workspace.configure('settings.json', { model, keyStorage: 'file', mcpServers: { notes: { url: notes.url } } })
    using ui = terminal(workspace, [], { columns: 100, rows: 40 })
    await ui.shows('~/project · ')
    await ui.say('go')
    await ui.shows('Hello.')

    const doctor = await workspace.run(['doctor'])
    expect(doctor.stdout).toMatch(/^note {2}mcp notes .*; in open sessions needs login: .* wants a sign-in/m)
    await choose(ui, 'needs login', 'Sign in')
    expect(await (await fetch(await pageOf(ui))).text()).toContain('rxpi may use notes')
    await ui.shows('Signed in to the MCP server notes')
    await choose(ui, 'ready, 1 tool', 'Sign out')
    await ui.shows('The account at notes is removed')
    await ui.shows('needs login') // the list is loaded anew
    ui.press('Escape')
    await ui.loses('MCP servers') // an Escape together with a text after it is another key

    await choose(ui, 'needs login', 'Sign in')
    const page = await pageOf(ui)
    ui.press('Escape') // cancels it
    await ui.loses('Open this address')
    expect((await fetch(page, { redirect: 'manual' })).status).toBe(302)
    await choose(ui, 'needs login', 'Sign in')
    const answer = await fetch(await pageOf(ui), { redirect: 'manual' })
    ui.press('-l', answer.headers.get('location') ?? '')
    await ui.shows('› ••••')
    ui.press('Enter')
    await ui.loses('Open this address')
    await choose(ui, 'ready, 1 tool', 'Test')
    await ui.shows('1 tool, 0 prompts, 0 resources')
  },
)
