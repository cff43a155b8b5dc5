// Tests the end of the terminal UI: the hint to return, the terminal settings and the exit code.
import { describe, expect, it } from 'vitest'
import { workplace } from '../support/command.ts'
import { hasTmux, terminal } from '../support/tmux.ts'
import { isFull } from '../support/sample-size.ts'

const demo = ['--model', 'demo/guide']
const files = { 'README.md': '# Sample\n' }

describe.skipIf(!hasTmux)('the terminal UI', { timeout: 60_000 }, () => {
  it('leaves a run to the server, prints how to come back, and stores the theme', async () => {
    using workspace = workplace(files)
    using ui = terminal(workspace, demo)
    await ui.shows('demo/guide · ')
    await ui.say('run: echo begun; while [ ! -e go ]; do sleep 0.05; done; echo finished')
    await ui.shows('  begun')
    await ui.say('/theme light')
    await ui.shows('theme is "light"')
    process.kill(ui.pid, 'SIGTERM')
    await ui.shows('ended 143')
    const screen = await ui.shows(/^ -?echo$/m) // the last line of the printed terminal settings
    expect(screen).toContain('the run continues in the server; to return: rxpi --session')
    expect(screen).toMatch(/^icanon$/m)
    workspace.write('go', '')
    using back = terminal(workspace, ['-c', ...demo])
    await back.shows('finished')
    expect(back.painted()).toContain('38;5;30m') // the light theme's accent
  })

  it('asks before it leaves a run, and stops the run first if the user chooses so [KEYS-leave]', async () => {
    using workspace = workplace(files)
    using ui = terminal(workspace, demo)
    await ui.shows('demo/guide · ')
    await ui.say('run: echo begun; sleep 600')
    await ui.shows('  begun')
    ui.press('C-d')
    await ui.shows('› Stop the run and leave')
    ui.press('Escape')
    await ui.loses('Stop the run and leave')
    ui.press('C-d')
    await ui.shows('› Stop the run and leave')
    ui.press('Enter')
    const screen = await ui.shows('ended 0')
    expect(screen).not.toContain('the run continues')
  })

  it('sends the prompt of its command line, prints how to come back, and nothing for an empty session', async () => {
    using workspace = workplace(files)
    using ui = terminal(workspace, [...demo, 'help me'])
    await ui.shows('› help me')
    await ui.shows('I am the demo model')
    await ui.loses('Esc stop')
    ui.press('C-d')
    const screen = await ui.shows('ended 0')
    const [, id = ''] = /to continue: rxpi -c in this folder, or rxpi --session ([a-z2-7]{12})/.exec(screen) ?? []
    expect(id).not.toBe('')
    if (!isFull) return // each UI takes a second
    using back = terminal(workspace, ['--session', id])
    await back.shows('I am the demo model')
    using silent = terminal(workspace, demo)
    await silent.shows('demo/guide · ')
    silent.press('C-d')
    expect(await silent.shows('ended 0')).not.toContain('to continue')
  })

  it('exits if the settings cannot be read, and names the problem', async () => {
    using workspace = workplace(files)
    workspace.configure('settings.json', { theme: 5 })
    using ui = terminal(workspace, demo)
    const screen = (await ui.shows('ended 2')).replaceAll('\n', '')
    expect(screen).toContain('settings.json is not valid: theme must be text')
  })
})
