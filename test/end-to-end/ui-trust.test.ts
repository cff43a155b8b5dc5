// Tests the question about trust in a terminal: the built command, a real server and a folder with its own settings.
import { describe, expect, it } from 'vitest'
import { workplace } from '../support/command.ts'
import { hasTmux, terminal } from '../support/tmux.ts'

const files = { '.rxpi/settings.json': '{"permissions":{"deny":["read(./notes.txt)"]}}', 'notes.txt': 'a note' }
const settled = () => new Promise((resolve) => setTimeout(resolve, 400))

describe.skipIf(!hasTmux)('the terminal UI in a folder with its own settings', { timeout: 60_000 }, () => {
  it('asks before the first session, and not again after a yes [S3a]', async () => {
    using workspace = workplace(files)
    {
      using ui = terminal(workspace, ['--model', 'demo/guide'])
      await ui.shows('› Not now: go on without them')
      expect(ui.all()).toContain('.rxpi/settings.json')
      await settled()
      ui.press('Enter')
      await ui.shows('(.rxpi), which does not count')
      ui.press('C-c')
      ui.press('C-c')
      await ui.shows('ended 0')
    }
    {
      using ui = terminal(workspace, ['--model', 'demo/guide'])
      await ui.shows('› Not now: go on without them')
      await settled()
      ui.press('Down')
      await ui.shows('› Trust exactly this content (1 file)')
      ui.press('Enter')
      await ui.shows('Stop a run with Esc')
      expect(ui.all()).not.toContain('which does not count')
      ui.press('C-c')
      ui.press('C-c')
      await ui.shows('ended 0')
    }
    using ui = terminal(workspace, ['--model', 'demo/guide'])
    await ui.shows('Stop a run with Esc')
    expect(ui.all()).not.toContain('Not now')
  })
})
