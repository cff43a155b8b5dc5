// A terminal of tmux in control mode, which reports writes at once, to time a key's echo.
import { spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Workspace } from './report.ts'

export interface UiTerminal {
  /** The program's process. */
  readonly pid: number
  /** The time of its start, by the clock of `performance.now()`. */
  readonly startedAt: number
  /** Types text; resolves, with the elapsed milliseconds, when the program has written `echo` after that. */
  type(text: string, echo: string): Promise<number>
  /** Presses a key by its name: `Enter`. */
  press(key: string): void
  /** Resolves when the visible text contains this. */
  shows(text: string): Promise<void>
  end(): void
}

export interface UiProgram {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

const columns = 100
const rows = 40
const patience = 120_000

export const hasTmux = spawnSync('tmux', ['-V']).status === 0

export async function uiTerminal(workspace: Workspace, name: string, program: UiProgram): Promise<UiTerminal> {
  const folder = path.join(workspace.folder, 'tmux')
  mkdirSync(folder, { recursive: true })
  const at = ['-S', path.join(folder, name), '-f', '/dev/null']
  const env = { PATH: process.env.PATH, TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' }
  const variables = Object.entries(program.env).map(([key, value]) => quoted(`${key}=${value}`))
  const line = [
    'exec',
    'env',
    '-i',
    'TERM=tmux-256color',
    'LC_ALL=C.UTF-8',
    ...variables,
    ...program.command.map(quoted),
  ]
  const ask = (...words: string[]): string => spawnSync('tmux', [...at, ...words], { env, encoding: 'utf8' }).stdout
  const startedAt = performance.now()
  const size = ['-x', String(columns), '-y', String(rows)]
  const control = workspace.spawn('tmux', [...at, '-C', 'new-session', ...size, '-c', program.cwd, line.join(' ')], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const output = listen(control)
  await output.first
  control.stdin?.write(`refresh-client -C ${columns}x${rows}\n`)
  const pid = Number(ask('display-message', '-p', '#{pane_pid}'))
  return {
    pid,
    startedAt,
    type: async (text, echo) => {
      const written = output.next(echo)
      const begun = performance.now()
      control.stdin?.write(`send-keys -l ${quoted(text)}\n`)
      return (await written) - begun
    },
    press: (key) => {
      control.stdin?.write(`send-keys ${key}\n`)
    },
    shows: async (text) => {
      const deadline = performance.now() + patience
      while (!ask('capture-pane', '-p').includes(text)) {
        if (performance.now() > deadline) throw new Error(`${name} never showed ${text}:\n${ask('capture-pane', '-p')}`)
        await delay(20)
      }
    },
    end: () => {
      ask('kill-server')
    },
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

interface Output {
  /** Resolves at the next output. */
  readonly first: Promise<void>
  /** Resolves when this is written next. */
  next(text: string): Promise<number>
}

function listen({ stdout }: ChildProcess): Output {
  const waiting = new Set<{ readonly text: string; readonly met: (at: number) => void }>()
  const begun = Promise.withResolvers<undefined>()
  stdout?.on('data', (chunk: Buffer) => {
    begun.resolve(undefined)
    const text = chunk.toString()
    for (const each of waiting) {
      if (!text.includes(each.text)) continue
      waiting.delete(each)
      each.met(performance.now())
    }
  })
  return {
    first: begun.promise,
    next: (text) =>
      new Promise((resolve) => {
        waiting.add({ text, met: resolve })
      }),
  }
}
