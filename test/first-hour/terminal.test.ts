// Tests the first hour in the terminal UI, screen by screen.
// `npx vitest run test/first-hour -u` rewrites the pages.
import { describe, expect, it } from 'vitest'
import { isFull } from '../support/sample-size.ts'
import { hasTmux, terminal } from '../support/tmux.ts'
import type { Terminal } from '../support/tmux.ts'
import { walk } from './walk.ts'
import type { Walk } from './walk.ts'

const size = { columns: 100, rows: 50 } as const

/**
 * The screen from the last line that begins with this text. Earlier lines are known already or depend on the length of
 * a path.
 */
function since(screen: string, begin: string): string {
  return screen.slice(Math.max(0, screen.lastIndexOf(`\n${begin}`) + 1))
}

const open = ({ place: workspace, env }: Walk, ...commandLine: readonly string[]): Terminal =>
  terminal(workspace, commandLine, { ...size, env })

/** Waits until the run has ended. */
async function requests(ui: Terminal, text: string, answer: string): Promise<string> {
  await ui.say(text)
  await ui.shows(answer)
  return ui.loses('Esc stop')
}

describe.skipIf(!hasTmux)('the first hour in a terminal', { timeout: 120_000 }, () => {
  it('starts with the demo model, stores a key, changes a file and undoes the change', async () => {
    await using hour = await walk()
    using ui = open(hour)
    hour.see('rxpi', since(await ui.shows('demo/guide · ~/project (main)'), '· demo/guide'))
    await ui.say('/login')
    hour.see('/login', since(await ui.shows('which provider? ('), 'Log in'))
    ui.press('anth', 'Enter')
    hour.see('anthropic', since(await ui.shows('Store a key'), 'Log in'))
    ui.press('key', 'Enter')
    await ui.shows('the key of anthropic')
    ui.press('wrong-key', 'Enter')
    hour.see('a wrong key', since(await ui.shows('not known here'), 'Log in'))
    ui.press('right-key', 'Enter')
    await ui.shows('The key of anthropic is stored')
    hour.see('the right key', since(await ui.shows('anthropic/claude-sonnet-5-5 ·'), '✓ The key'))
    hour.see('Fix the failing test', since(await requests(ui, 'Fix the failing test', 'Mended'), '› Fix'))
    await ui.say('/diff')
    hour.see('/diff', since(await ui.shows('Changes of this session'), 'Changes'))
    ui.press('Escape')
    await ui.loses('Changes of this session')
    await ui.say('/undo')
    await ui.shows('Undone')
    hour.see('/undo', since(await ui.loses('/1.0M ('), '● Mended')) // the status row is drawn after the notice
    await hour.type('git status --short')
    await expect(hour.transcript()).toMatchFileSnapshot('seen/terminal.txt')
  })

  it.runIf(isFull)('steers, stops, exits, and continues the next day with another server', async () => {
    await using hour = await walk()
    await hour.type('pass show openai | rxpi auth set openai >/dev/null')
    await hour.type('rxpi config set model openai/gpt-6-luna >/dev/null')
    {
      using ui = open(hour)
      await ui.shows('openai/gpt-6-luna ·')
      await ui.say('Wait for the file')
      await ui.shows('Running bash')
      await ui.say('Also say hello')
      hour.see('steered while a tool runs', since(await ui.shows('Alt-Up edit'), '› Wait'))
      hour.place.write('go', '')
      await ui.shows('You said: Also say hello')
      hour.see('after its tools', since(await ui.loses('Esc stop'), '› Wait'))
      await ui.say('Wait once more')
      await ui.shows('Running bash')
      await ui.say('Then this')
      await ui.shows('Alt-Up edit')
      ui.press('Escape')
      await ui.shows('Stopped by you')
      await ui.loses('Stopping')
      await ui.loses('Esc stop')
      hour.see('Esc', since(await ui.shows('› Then this'), '› Wait'))
      ui.press('C-u')
      await ui.loses('› Then this')
      ui.press('C-c', 'C-c')
      await ui.shows('ended 0')
    }
    await hour.type('rxpi stop')
    using ui = open(hour, '-c')
    hour.see('rxpi -c', since(await ui.shows('openai/gpt-6-luna · ~/project (main)'), '● You said'))
    await ui.say('/tree')
    hour.see('/tree', since(await ui.shows('Tree ('), 'Tree'))
    await expect(hour.transcript()).toMatchFileSnapshot('seen/leaving.txt')
  })
})
