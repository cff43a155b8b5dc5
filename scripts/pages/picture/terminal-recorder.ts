// Records the screens of a command in tmux while a scene types into it.
//
// Guarantees: keys and pauses last as long as the scene says, on slow machines too; only the waits for the command are
// measured.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Frame } from './moving-picture.ts'

export interface RecorderOptions {
  readonly command: readonly string[]
  /** Working directory of the command. */
  readonly folder: string
  readonly columns: number
  readonly rows: number
  /** Takes out what differs from machine to machine. */
  readonly clean?: (painted: string) => string
}

const millisecondsPerKey = 65
const patience = 20_000

export class TerminalRecorder implements Disposable {
  readonly frames: Frame[] = []
  readonly #clean: (painted: string) => string
  readonly #top = mkdtempSync(join(realpathSync(tmpdir()), 'tm-'))
  #at = 0

  constructor({ command, folder, columns, rows, clean = (painted) => painted }: RecorderOptions) {
    this.#clean = clean
    writeFileSync(join(this.#top, 'conf'), 'set -g status off\nset -g escape-time 0\n')
    const line = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
    this.#tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), '-c', folder, `exec ${line}`)
  }

  /** Milliseconds since the first frame. */
  get at(): number {
    return this.#at
  }

  /** Types a text key by key. Each key shows before the next one follows. */
  async type(text: string): Promise<void> {
    for (const key of text) {
      const before = await this.#steady()
      this.#tmux('send-keys', '-l', key)
      const deadline = performance.now() + patience
      let after = before
      while (isSame(before, after) && performance.now() < deadline) after = await this.#steady()
      this.#at += millisecondsPerKey
      this.#add(after)
    }
  }

  /** Presses a key by tmux's name (`Enter`, `Escape`), then records until the screen contains this. */
  async press(key: string, wanted: string): Promise<void> {
    this.#tmux('send-keys', key)
    await this.until((screen) => screen.includes(wanted), wanted)
  }

  /** Records until the screen is so. */
  async until(isSo: (screen: string) => boolean, wanted: string): Promise<void> {
    const [from, begin] = [this.#at, performance.now()]
    for (;;) {
      const screen = await this.#steady()
      const elapsed = performance.now() - begin
      this.#at = from + Math.round(elapsed)
      this.#add(screen)
      if (isSo(plain(screen.painted))) return
      if (elapsed > patience) throw new Error(`The screen never showed ${wanted}:\n${plain(screen.painted)}`)
    }
  }

  /** Lets a screen stand. */
  hold(milliseconds: number): void {
    this.#at += milliseconds
  }

  /** Returns the screen with colours; with lines that have left it if the terminal holds them. */
  painted(linesAbove = 0): string {
    return this.#clean(this.#tmux('capture-pane', '-p', '-e', '-N', '-S', String(-linesAbove)))
  }

  [Symbol.dispose](): void {
    this.#tmux('kill-server')
    rmSync(this.#top, { recursive: true, force: true })
  }

  #add(screen: Screen): void {
    const last = this.frames.at(-1)
    if (last === undefined || !isSame(last, screen)) this.frames.push({ at: this.#at, ...screen })
  }

  /** Reads the screen until two readings are equal, or it would read one that is half drawn. */
  async #steady(): Promise<Screen> {
    let screen = this.#read()
    for (let reading = 0; reading < 4; reading++) {
      await pause(8)
      const next = this.#read()
      if (isSame(screen, next)) break
      screen = next
    }
    return screen
  }

  #read(): Screen {
    const cursor = ['display-message', '-p', '#{cursor_flag} #{cursor_x} #{cursor_y}']
    const lines = this.#tmux('capture-pane', '-p', '-e', '-N', ';', ...cursor)
      .trimEnd()
      .split('\n')
    const [isShown, column = 0, row = 0] = (lines.pop() ?? '').split(' ').map(Number)
    const painted = this.#clean(lines.join('\n'))
    return isShown === 1 ? { painted, cursor: { column, row } } : { painted }
  }

  #tmux(...words: readonly string[]): string {
    return execFileSync('tmux', ['-S', join(this.#top, 's'), '-f', join(this.#top, 'conf'), ...words], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' },
    })
  }
}

type Screen = Omit<Frame, 'at'>

function isSame(one: Screen, other: Screen): boolean {
  return (
    one.painted === other.painted &&
    one.cursor?.column === other.cursor?.column &&
    one.cursor?.row === other.cursor?.row
  )
}

function plain(painted: string): string {
  return painted.replaceAll(/\u001b\[[\d;]*m/g, '')
}
