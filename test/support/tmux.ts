// Runs the built command in a terminal of tmux: a test sends keys and reads the screen.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import type { Workplace } from './command.ts'

/** Whether tmux is installed; without it the tests of the terminal are skipped with a message. */
export const hasTmux = spawnSync('tmux', ['-V']).status === 0
if (!hasTmux) console.warn('tmux is not installed: the terminal UI is not tested in a terminal')

export interface Terminal extends Disposable {
  /** Keys by tmux's names (`Enter`, `Escape`, `C-c`), one after the other. */
  press(...keys: readonly string[]): void
  /** Types the text, then Enter as soon as the text is on the screen. */
  say(text: string): Promise<void>
  /** The visible text, without spaces at the ends of lines and empty lines at the end. */
  screen(): string
  /** The same with the scrollback before it. */
  all(): string
  /** With colours and attributes as escape sequences. */
  painted(): string
  /** Resolves with the screen when it contains or matches this; fails after 20 s with the screen. */
  shows(wanted: string | RegExp): Promise<string>
  /** The same for text that disappears. */
  loses(unwanted: string): Promise<string>
  resize(columns: number, rows: number): void
  /** A value of the pane by tmux's format (`#{pane_title}`). */
  notices(format: string): string
  /** The process of the UI. */
  readonly pid: number
}

export interface TerminalOptions {
  /** Default 80. */
  readonly columns?: number
  /** Default 30. */
  readonly rows?: number
  readonly env?: Readonly<Record<string, string>>
}

const start = join(dirname(dirname(import.meta.dirname)), 'bin/start.js')
const patience = 20_000

/** Starts `rxpi` with these arguments in a terminal of its own. */
export function terminal(
  workspace: Workplace,
  commandLine: readonly string[],
  { columns = 80, rows = 30, env = {} }: TerminalOptions = {},
): Terminal {
  const folder = mkdtempSync(join(tmpdir(), 'tm-'))
  const socket = join(folder, 's')
  const tmux = (...words: readonly string[]): string =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], {
      encoding: 'utf8',
      env: { PATH: workspace.env['PATH'] ?? '', TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' },
    })
  const file = join(folder, 'pid')
  const variables = Object.entries({ ...workspace.env, ...env }).map(([name, value]) => `${name}='${value}'`)
  const command = [process.execPath, start, ...commandLine]
    .map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
    .join(' ')
  // a line above it, like a shell's prompt; the test checks the terminal afterwards
  const script = join(folder, 'run')
  writeFileSync(
    script,
    `echo '$ rxpi'\n(echo $BASHPID > ${file}; exec env -i TERM=tmux-256color LC_ALL=C.UTF-8 ${variables.join(' ')} ${command})\necho "ended $?"; stty -a | grep -o -e '-*icanon' -e ' -*echo '\nexec sleep 1000\n`,
  )
  tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), '-c', workspace.folder, `bash ${script}`)
  const captured = (...options: readonly string[]): string =>
    tmux('capture-pane', '-p', ...options)
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd()
  const until = async (isSo: (screen: string) => boolean, what: string): Promise<string> => {
    const deadline = performance.now() + patience
    for (let waitMs = 20; ; waitMs = Math.min(waitMs * 1.5, 120)) {
      const screen = captured()
      if (isSo(screen)) return screen
      if (performance.now() > deadline) throw new Error(`The screen never ${what}:\n${captured('-S', '-500')}`)
      await pause(waitMs)
    }
  }
  const shows = (wanted: string | RegExp): Promise<string> =>
    until(
      (screen) => (typeof wanted === 'string' ? screen.includes(wanted) : wanted.test(screen)),
      `showed ${String(wanted)}`,
    )
  const press = (...keys: readonly string[]): void => {
    tmux('send-keys', ...keys)
  }
  return {
    press,
    say: async (text) => {
      tmux('send-keys', '-l', text)
      await shows(text.slice(-30))
      press('Enter')
    },
    screen: () => captured(),
    all: () => captured('-S', '-2000'),
    painted: () => tmux('capture-pane', '-p', '-e'),
    shows,
    loses: (unwanted) => until((screen) => !screen.includes(unwanted), `lost ${unwanted}`),
    resize: (width, height) => {
      tmux('resize-window', '-x', String(width), '-y', String(height))
    },
    notices: (format) => stripVTControlCharacters(tmux('display-message', '-p', format)).trim(),
    get pid() {
      return Number(execFileSync('cat', [file], { encoding: 'utf8' }))
    },
    [Symbol.dispose]: () => {
      tmux('kill-server')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
