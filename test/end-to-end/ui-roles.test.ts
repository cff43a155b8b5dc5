// Tests roles of models in a terminal: the picker lists them, a run uses one, and /stats counts by role.
import { expect, it } from 'vitest'
import { workplace } from '../support/command.ts'
import { hasTmux, terminal } from '../support/tmux.ts'
import { isFull } from '../support/sample-size.ts'

it.runIf(isFull && hasTmux)(
  'a role is chosen in the picker, and /stats counts its turns [CONFIG-roles]',
  async () => {
    using workspace = workplace({ 'README.md': '# Sample\n' })
    const small = workspace.scripted([{ text: 'Small answer.' }])
    workspace.configure('settings.json', { models: { default: 'demo/guide', smol: small } })
    using ui = terminal(workspace, [])
    await ui.shows('demo/guide · ')
    ui.press('-l', '/model')
    ui.press('Enter')
    await ui.shows('@smol')
    expect(ui.screen()).toMatch(/○ @smol  scripted\//)
    ui.press('-l', '@smol')
    await ui.shows('Models (1')
    ui.press('Enter')
    await ui.loses('Models (1')
    await ui.say('go')
    await ui.shows('Small answer.')
    await ui.loses('Esc stop')
    await ui.say('/stats')
    await ui.shows(/@smol: 1 turn, \d+ tokens/)
  },
  60_000,
)
