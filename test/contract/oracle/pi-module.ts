// Installs pi's agent for this run, or loads it from the folder in RXPI_BENCH_PI.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { runProcess } from '../../../bench/run-process.ts'
import type { Workspace } from '../../../bench/report.ts'
import type { PiModule } from './pi-shapes.ts'

export const piAgentVersion = '0.87.1'
const name = '@earendil-works/pi-agent-core'

/** pi's module, or the reason why it is missing. */
export async function piModule(workspace: Workspace): Promise<PiModule | { readonly missing: string }> {
  const folderName = process.env['RXPI_BENCH_PI']
  if (folderName !== undefined && folderName !== '') return loadModule(path.resolve(folderName))
  const folder = path.join(workspace.folder, 'pi')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n')
  try {
    await runProcess(() => npmInstall(workspace, folder), { name: 'npm install', limitMs: 180_000 })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const firstLines = reason.trim().split('\n').slice(0, 3).join(' ') // npm writes the details to its log
    return { missing: `${name} ${piAgentVersion} could not be installed: ${firstLines}` }
  }
  return loadModule(folder)
}

function npmInstall({ spawn }: Workspace, cwd: string) {
  const flags = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  return spawn('npm', ['install', ...flags, `${name}@${piAgentVersion}`], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function loadModule(folder: string): Promise<PiModule | { readonly missing: string }> {
  const home = path.join(folder, 'node_modules', name)
  const manifest = path.join(home, 'package.json')
  if (!existsSync(manifest)) return { missing: `${name} is not in ${path.join(folder, 'node_modules')}` }
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  if (version !== piAgentVersion) return { missing: `${name} is there as ${version}, and ${piAgentVersion} is wanted` }
  const entry = path.join(home, 'dist/index.js')
  const typebox = createRequire(entry).resolve('typebox')
  const [{ Agent }, { Type }] = (await Promise.all(
    [entry, typebox].map((file) => import(pathToFileURL(file).href)),
  )) as [PiModule, PiModule] // described in pi-shapes.ts
  return { Agent, Type }
}
