// A measured command runs in surroundings of its own, and what it writes is checked: a run that fails is no figure.
import { finished } from './finished.ts'
import type { Workspace } from './report.ts'

export interface Command {
  readonly name: string
  /** The program and its arguments. */
  readonly line: readonly [program: string, ...args: string[]]
  /** Beside PATH. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Stands somewhere on its standard output. */
  readonly expected: string
}

export interface CommandRun {
  readonly wallMs: number
  readonly pid: number | undefined
}

/** Rejects where the command fails or does not write what is expected. `more` is added to its environment. */
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
  const { stdout, wallMs } = await finished(start, { name, limitMs: 60_000 })
  if (!stdout.includes(expected)) throw new Error(`${name} did not write ${JSON.stringify(expected)}:\n${stdout}`)
  return { wallMs, pid }
}
