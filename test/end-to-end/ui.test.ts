// Tests the terminal UI: the built command in a terminal, a real server and the demo model.
// Over 250 lines: screens of one command, each with a terminal and a server of its own.
import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { workplace } from '../support/command.ts'
import type { Workplace } from '../support/command.ts'
import { isFull } from '../support/sample-size.ts'
import { hasTmux, terminal } from '../support/tmux.ts'

const demo = ['--model', 'demo/guide']

/** Replaces text that differs from run to run by a fixed name. */
function steady(text: string, workspace: Workplace): string {
  return text
    .replaceAll(workspace.folder, '/project')
    .replace(/\b\d+(?:\.\d)? (?:ms|s)\b/g, 'N s')
    .replace(/^› .*(?:for comma|\/login).*$/m, '›') // the hint in the empty editor
    .replace(/[⠋⠙⠸⠴⠦⠇]/g, '⠋')
    .replace(/\(?\/\S*\.log\)?/g, '(LOG)')
    .replace(/(rxpi 0.2.0 · scripted).*/, '$1')
    .replace(/session [a-z2-7]{12}/g, 'session ID')
    .concat('\n')
}

function serverPid({ socket }: Workplace): number {
  const { pid } = JSON.parse(readFileSync(`${socket}.lock`, 'utf8')) as { pid: number }
  return pid
}

const files = { 'README.md': '# Sample\n\nA folder to look at.\n', 'src/index.ts': 'export const a = 1\n' }

describe.skipIf(!hasTmux)('the terminal UI in a terminal', { timeout: 60_000 }, () => {
  it('starts a server without a word, answers with tools, and restores the terminal [CLI-ui]', async () => {
    using workspace = workplace(files)
    using ui = terminal(workspace, demo)
    await ui.shows('demo/guide · ')
    await ui.shows('Stop a run with Esc, take its changes back')
    expect(ui.all()).not.toMatch(/server|socket/)
    await ui.say('What is in this folder?')
    await ui.shows('(Put together by the demo')
    await ui.loses('Esc stop')
    for (const words of ['› What is in this folder?', '✓ bash ls', '✓ read README.md', 'Folders: src/'])
      expect(ui.all()).toContain(words)
    ui.press('C-c')
    ui.press('C-c')
    await ui.shows('ended 0')
    const screen = await ui.shows(/^ -?echo$/m) // the last line of the printed terminal settings
    expect(screen).toMatch(/^icanon$/m)
    expect(screen).toMatch(/^ echo$/m)
  })

  it('renders Markdown, code, tools and changes', async () => {
    using workspace = workplace(files)
    const table = '| Name | What it is |\n|---|---|\n| a | a number |\n| 日本 | wide 🚀 |'
    const markdown = `# Title\n\nSome **bold** text with \`code\` and a [link](https://x.example).\n\n- one\n- two\n  1. inner\n\n> said so\n\n${table}\n\n\`\`\`ts\nexport const a: number = 1 // one\n\`\`\``
    const edit = {
      name: 'edit',
      arguments: { path: 'README.md', edits: [{ oldText: '# Sample', newText: '# Example' }] },
    }
    const model = workspace.scripted([
      {
        thinking: 'First I look.\nThen I change.',
        text: 'I change the title.',
        toolCalls: [edit, { name: 'bash', arguments: { command: 'seq 20; exit 3' } }],
      },
      { text: markdown },
    ])
    using ui = terminal(workspace, ['--model', model], { rows: 60 })
    await ui.shows(' · ')
    await ui.say('go')
    await ui.shows('export const a')
    await ui.loses('Esc stop')
    const screen = steady(ui.screen(), workspace).replaceAll(/scripted\S*/g, 'scripted')
    await expect(screen).toMatchFileSnapshot('ui-screens/drawn.txt')
  })

  it('steers a run, edits queued messages, stops it, and returns the queue to the composer', async () => {
    using workspace = workplace(files)
    using ui = terminal(workspace, demo)
    await ui.shows('demo/guide · ')
    await ui.say('run: echo begun; sleep 600')
    await ui.shows('  begun')
    await ui.say('and then this')
    await ui.shows('Alt-Up edit')
    ui.press('M-Up')
    await ui.shows('Enter saves it in the queue')
    await ui.say(' or that')
    await ui.shows('after this step: and then this or that')
    ui.press('Escape')
    const screen = await ui.shows('Stopped by you after')
    expect(screen).toContain('✗ bash echo begun; sleep 600')
    await ui.loses('Alt-Up edit')
    await ui.loses('Esc stop') // appears shortly after the end of the run; the UI returns queued input in between
    await ui.shows('› and then this or that')
  })

  it.runIf(isFull)('opens and closes the tree, the help and the completions of an @', async () => {
    using workspace = workplace(files)
    using ui = terminal(workspace, demo)
    await ui.shows('demo/guide · ')
    await ui.say('help')
    await ui.loses('Esc stop')
    ui.press('Escape', 'Escape')
    await ui.shows('Tree (2)')
    ui.press('-l', '日')
    await ui.shows('Tree (0/2): 日')
    // an input method reads the position of the cursor
    await vi.waitFor(() => expect(ui.notices('#{cursor_flag} #{cursor_x}')).toBe('1 14'), 10_000)
    ui.press('Escape')
    await ui.shows('Tree (2)')
    ui.press('Escape')
    await ui.loses('Tree (2)')
    ui.press('-l', '/help')
    await ui.shows('› /help')
    ui.press('Enter')
    await ui.shows('Esc closes')
    ui.press('Escape')
    await ui.loses('Esc closes')
    ui.press('-l', '@READ')
    await ui.shows('README.md')
  })

  it.runIf(isFull)('rings the bell only if the terminal has no focus', async () => {
    using workspace = workplace(files)
    using ui = terminal(workspace, demo)
    await ui.shows('demo/guide · ')
    await ui.say('run: echo one')
    await ui.shows('echo one printed')
    await ui.loses('Esc stop')
    expect(ui.notices('#{window_bell_flag}')).toBe('0')
    ui.press('-H', '1b', '5b', '4f') // the terminal reports that it lost the focus
    await ui.say('run: echo two')
    await ui.shows('echo two printed')
    await ui.loses('Esc stop')
    await vi.waitFor(() => expect(ui.notices('#{window_bell_flag}')).toBe('1'), 10_000)
  })

  it('fits a narrow terminal, then a wide one again', async () => {
    using workspace = workplace(files)
    using ui = terminal(workspace, demo, { columns: 100, rows: 40 })
    await ui.shows('demo/guide · ')
    workspace.write('long.txt', 'a line that is longer than forty cells, and wide: 日本語のテキスト 🚀\n')
    await ui.say('run: cat long.txt')
    await ui.shows('(Put together by the demo')
    await ui.loses('Esc stop')
    ui.resize(40, 40)
    await ui.shows('  drives the real tools with them. For')
    const screen = ui.screen()
    await expect(steady(screen, workspace)).toMatchFileSnapshot('ui-screens/narrow.txt')
    ui.resize(120, 40)
    await ui.shows('it follows a few fixed rules and drives the real tools')
    await ui.say('help')
    await ui.shows('› help')
  })
})

describe.skipIf(!hasTmux)('the terminal UI and its server', { timeout: 60_000 }, () => {
  it('reconnects in the middle of an answer when the server was killed, with a notice', async () => {
    using workspace = workplace(files)
    const words = Array.from({ length: 60 }, (_, count) => `paragraph ${count} is here.\n\n`).join('')
    const model = workspace.scripted([{ text: words, pieceLength: 4, pieceDelayMs: 8 }])
    using ui = terminal(workspace, ['--model', model], { rows: 50 })
    await ui.shows(' · ')
    await ui.say('go')
    await ui.shows('paragraph 10 is here.')
    process.kill(serverPid(workspace), 'SIGKILL')
    await ui.shows('The server was restarted')
    await ui.shows('The server stopped while answering')
    const pieces = ui.all().match(/^ {2}p(?!aragraph \d+ is here\.$).*$/gm) ?? []
    expect(pieces.length).toBeLessThanOrEqual(1) // at most the one interrupted paragraph, once
    const shown = ui.all().match(/paragraph (\d+) is here/g) ?? []
    expect(shown).toEqual(shown.map((_, count) => `paragraph ${count} is here`))
    await ui.say('again')
    await ui.shows('paragraph 59 is here.')
  })

  it.runIf(isFull)('shows the same in two terminals, and again after the UI was killed', async () => {
    using workspace = workplace(files)
    using first = terminal(workspace, demo)
    await first.shows('demo/guide · ')
    await first.say('run: echo begun; while [ ! -e go ]; do sleep 0.05; done; echo finished')
    await first.shows('  begun')
    using second = terminal(workspace, demo)
    await second.shows('Active sessions in this folder')
    second.press('Enter')
    await second.shows('  begun')
    process.kill(first.pid, 'SIGKILL')
    await first.shows('ended 137')
    using third = terminal(workspace, ['-c', ...demo])
    await third.shows('  begun')
    workspace.write('go', '')
    for (const ui of [second, third]) await ui.shows('finished')
    for (const ui of [second, third]) await ui.loses('Esc stop')
    // a capture of the terminal can happen in the middle of a redraw
    const shown = (): string[] => [second, third].map((ui) => conversationOf(steady(ui.all(), workspace)))
    await expect.poll(() => new Set(shown()).size, { timeout: 10_000 }).toBe(1)
    expect(shown()[0]).toContain('finished')
  })

  it('lists the sessions of its folder, and continues the chosen one [CLI-resume]', async () => {
    using workspace = workplace(files)
    for (const words of ['Hello from before', 'Hello from later']) await workspace.run([...demo, '-p', words])
    using ui = terminal(workspace, ['--resume', ...demo])
    await ui.shows('Sessions of this folder')
    await ui.shows('Hello from before')
    await ui.shows('(2)') // no session of its own
    ui.press('Down', 'Enter')
    await ui.loses('Sessions of this folder')
    await ui.shows('› Hello from before')
  })
})

/** The screen from the prompt on. */
function conversationOf(text = ''): string {
  return text.slice(text.indexOf('› run:'))
}

describe.skipIf(!hasTmux)('hostile output in the terminal UI', { timeout: 60_000 }, () => {
  it('is shown and not executed: title, clipboard, cursor, links, colours, direction [S19a]', async () => {
    using workspace = workplace(files)
    const hostile = [
      '\u001b]0;HACKED\u0007',
      '\u001b]52;c;SEFDS0VE\u0007',
      '\u001b[2J\u001b[H',
      '\u001b]8;;http://bad.example\u0007here\u001b]8;;\u0007',
      '\u001b[?1049h',
      '\u009b31m',
      'file\u202etxt.exe',
    ].join(' ')
    const call = { name: 'bash', arguments: { command: `printf '%s' "$(cat hostile.txt)"` } }
    workspace.write('hostile.txt', hostile)
    const model = workspace.scripted([
      { text: `Look: ${hostile}`, toolCalls: [call] },
      { text: `\`\`\`sh\n${hostile}\n\`\`\`\n\nThe end.` },
    ])
    using ui = terminal(workspace, ['--model', model], { rows: 40 })
    await ui.shows(' · ')
    await ui.say('go')
    await ui.shows('The end.')
    const screen = await ui.loses('Esc stop')
    expect(screen).toContain('› go') // the output erased nothing
    expect(screen).toContain('␛]52;c;SEFDS0VE␇')
    expect(screen).toContain('␛[2J␛[H')
    expect(screen).toContain('<U+202E>')
    expect(ui.notices('#{pane_title}')).not.toContain('HACKED')
    expect(ui.notices('#{alternate_on}')).toBe('0')
    expect(ui.notices('#{buffer_size}')).toBe('')
    await expect(steady(screen, workspace).replaceAll(/scripted\S*/g, 'scripted')).toMatchFileSnapshot(
      'ui-screens/hostile.txt',
    )
  })
})
