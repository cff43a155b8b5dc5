// Runs commands for a test's client as an editor does: in processes of its own, with a bounded output.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import type { OfferedTerminals } from '../../lib/server/client-tools/terminal-tools.ts'
import type { TerminalCommand, TerminalExit } from '../../lib/streams/environment/terminal-exchange.ts'

interface OpenTerminal {
  readonly child: ChildProcess
  readonly ended: Promise<TerminalExit>
  readonly outputBytes: number
  output: string
}

export interface RealTerminals extends OfferedTerminals {
  /** What was asked, in order: the method and the id. */
  readonly log: string[]
  readonly commands: TerminalCommand[]
  /** Terminals that were not released. */
  open(): string[]
  /** Ends every process. Call it at the end of the test. */
  end(): void
}

/** @param env what the editor's own terminals have */
export function realTerminals(env: Readonly<Record<string, string>> = {}): RealTerminals {
  const terminals = new Map<string, OpenTerminal>()
  const log: string[] = []
  const commands: TerminalCommand[] = []
  const find = (id: string): OpenTerminal => {
    const terminal = terminals.get(id)
    if (terminal === undefined) throw new Error(`no terminal ${id}`)
    return terminal
  }
  const kill = ({ child }: OpenTerminal): void => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL')
  }
  const note = <Result>(method: string, id: string, work: (terminal: OpenTerminal) => Result): Result => {
    log.push(`${method} ${id}`)
    return work(find(id))
  }
  return {
    log,
    commands,
    open: () => [...terminals.keys()],
    create: (command, toolCallId) => {
      const id = `term-${commands.push(command)}`
      log.push(`create ${id} ${toolCallId ?? ''}`)
      terminals.set(id, start(command, env))
      return Promise.resolve(id)
    },
    output: (id) =>
      note('output', id, ({ output, outputBytes }) => {
        const text = Buffer.from(output).subarray(-outputBytes).toString()
        return Promise.resolve({ text, truncated: text.length < output.length })
      }),
    exit: (id) => note('exit', id, ({ ended }) => ended),
    kill: (id) =>
      note('kill', id, (terminal) => {
        kill(terminal)
        return Promise.resolve()
      }),
    release: (id) =>
      note('release', id, (terminal) => {
        kill(terminal)
        terminals.delete(id)
        return Promise.resolve()
      }),
    end: () => {
      for (const terminal of terminals.values()) kill(terminal)
      terminals.clear()
    },
  }
}

function start(
  { program, args, cwd, env, outputBytes }: TerminalCommand,
  own: Readonly<Record<string, string>>,
): OpenTerminal {
  const child = spawn(program, args, {
    cwd,
    env: { ...own, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<TerminalExit>((resolve) => {
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal }))
  })
  const terminal: OpenTerminal = { child, ended, outputBytes, output: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => (terminal.output += piece.replaceAll('\n', '\r\n')))
  return terminal
}
