// Tests the terminal UI while another program has the terminal: the external editor, and the shell after Ctrl-Z.
import { describe, it } from 'vitest'
import { workplace } from '../support/command.ts'
import { hasTmux, terminal } from '../support/tmux.ts'

const demo = ['--model', 'demo/guide']

describe.skipIf(!hasTmux)('the terminal UI', { timeout: 60_000 }, () => {
  // the shell of this terminal has no job control: it could not continue a stopped process
  it('goes on after Ctrl-Z if the system does not stop it', async () => {
    using workspace = workplace()
    using ui = terminal(workspace, demo)
    await ui.shows('demo/guide · ')
    ui.press('a', 'b', 'c')
    await ui.shows('› abc')
    ui.press('C-z', 'd')
    await ui.shows('› abcd')
  })

  it('leaves all keys to the external editor, and has those after it', async () => {
    using workspace = workplace()
    const lines = [
      'before=$(stty -g)',
      'stty raw -echo',
      "printf 'five keys\\r\\n'",
      'dd bs=1 count=5 of="$1" 2>/dev/null',
      'stty "$before"',
    ]
    const editor = workspace.write('editor.sh', lines.join('\n'))
    using ui = terminal(workspace, demo, { env: { EDITOR: `sh ${editor}` } })
    await ui.shows('demo/guide · ')
    ui.press('C-g')
    await ui.shows('five keys')
    for (const key of 'abcde') ui.press(key)
    await ui.shows('› abcde')
    ui.press('f')
    await ui.shows('› abcdef')
  })
})
