// Runs a measured command in its own environment and checks its output; a failed run is no figure.
import { runProcess } from './run-process.ts'
import type { Workspace } from './report.ts'

export interface Command {
  readonly name: string
  /** The program and its arguments. */
  readonly line: readonly [program: string, ...args: string[]]
  /** Added to PATH. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** A text that its standard output must contain. */
  readonly expected: string
}

export interface CommandRun {
  readonly wallMs: number
  readonly pid: number | undefined
}

/** Rejects if the command fails or its output lacks the expected text. `more` is added to its environment. */
export async function runCommand(
  { spawn }: Workspace,
  { name, line: [program, ...args], env, cwd, expected }: Command,
  more: Readonly<Record<string, string>> = {},
): Promise<CommandRun> {
  let pid: number | undefined
  const start = () => {
    const child = spawn(program, args, {
      cwd,
      env: { PATH: process.env.PATH, ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    pid = child.pid
    return child
  }
  const { stdout, wallMs } = await runProcess(start, { name, limitMs: 60_000 })
  if (!stdout.includes(expected)) throw new Error(`${name} did not write ${JSON.stringify(expected)}:\n${stdout}`)
  return { wallMs, pid }
}
