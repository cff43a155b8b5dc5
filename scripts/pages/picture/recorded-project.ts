// Makes a temporary home with a small git project for the pictures of the terminal UI.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

export interface RecordedProject extends Disposable {
  readonly folder: string
  /** A shell in which `rxpi` is the command of this clone; it has none of the caller's variables. */
  readonly shell: readonly string[]
  /** Writes a file beside the project and returns its path. */
  write(name: string, content: string): string
  /** Replaces the temporary home by a usual one. */
  clean(painted: string): string
}

/** @param variables more variables of the shell */
export function recordedProject(
  files: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
): RecordedProject {
  // as long as `/home/someone` on Linux, so that lines break as they would there
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'r-'))
  const folder = join(home, 'greeter')
  const write = (name: string, content: string): string => {
    const file = join(home, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return file
  }
  for (const [name, content] of Object.entries(files)) write(join('greeter', name), content)
  mkdirSync(join(home, 'bin'))
  symlinkSync(join(root, 'bin/rxpi'), join(home, 'bin/rxpi'))
  const environment = {
    PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    RXPI_HOME: join(home, '.rxpi'),
    RXPI_SOCKET: join(home, 'run/s'),
    TERM: 'tmux-256color',
    LC_ALL: 'C.UTF-8',
    PS1: '$ ',
    ...variables,
  }
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder, env: environment })
  return {
    folder,
    shell: ['env', '-i', ...Object.entries(environment).map(([name, value]) => `${name}=${value}`), 'sh', '-i'],
    write,
    clean: (painted) => painted.replaceAll(home, '/home/someone'),
    [Symbol.dispose]: () => {
      execFileSync(join(home, 'bin/rxpi'), ['stop'], { env: environment, stdio: 'ignore' })
      rmSync(home, { recursive: true, force: true })
    },
  }
}
