// Installs pi, the compared rival, for this run; RXPI_BENCH_PI names an existing installation.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runProcess } from './run-process.ts'
import type { Workspace } from './report.ts'
import { describeThrown } from '../lib/streams/values/failure.ts'

export const piVersion = '0.87.1'

export type PiInstall = PiFiles | { readonly missing: string }

export interface PiFiles {
  /** The installation folder: the value of `RXPI_BENCH_PI`. */
  readonly folder: string
  /** Its command. */
  readonly program: string
  /** Its packages: the folder that contains pi-agent-core, pi-ai and others. */
  readonly packages: string
}

/**
 * pi's files, or the reason why they are missing. `RXPI_BENCH_PI` names a folder whose `node_modules` already has it.
 */
export async function installPi(workspace: Workspace): Promise<PiInstall> {
  const installed = process.env.RXPI_BENCH_PI
  if (installed !== undefined && installed !== '') {
    const files = filesIn(path.resolve(installed))
    const absent = [files.program, files.packages].find((file) => !existsSync(file))
    return absent === undefined ? files : { missing: `RXPI_BENCH_PI names ${installed}, where ${absent} is missing` }
  }
  const folder = path.join(workspace.folder, 'pi')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n')
  try {
    await runProcess(() => npmInstall(workspace, folder), { name: 'npm install', limitMs: 180_000 })
    return filesIn(folder)
  } catch (error) {
    const reason = describeThrown(error)
    const firstLines = reason.trim().split('\n').slice(0, 3).join(' ') // npm writes the details to its log
    return { missing: `pi ${piVersion} could not be installed: ${firstLines}` }
  }
}

function filesIn(folder: string): PiFiles {
  const modules = path.join(folder, 'node_modules')
  return { folder, program: path.join(modules, '.bin/pi'), packages: path.join(modules, '@earendil-works') }
}

function npmInstall({ spawn }: Workspace, cwd: string) {
  const name = `@earendil-works/pi-coding-agent@${piVersion}`
  const flags = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  return spawn('npm', ['install', ...flags, name], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
}
