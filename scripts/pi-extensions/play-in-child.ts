// Plays one example in a child process, with a time limit, a home folder of its own, and no network.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import type { Workspace } from '../../bench/report.ts'
import { killGroup } from '../../bench/kill-group.ts'
import type { ExtensionRecord } from './contract/extension-record.ts'
import type { ChildInput } from './play/prepare-folder.ts'

const limitMs = 60_000
/** pi downloads its own, which it cannot here. */
const ripgrep = path.dirname(rgPath)

export type ChildOutcome = ExtensionRecord | { readonly crashed: string }

export interface ChildRequest extends Omit<ChildInput, 'folder' | 'result'> {
  readonly side: 'pi' | 'rxpi'
  readonly name: string
}

/** Two runs in one process each: with the extension and without it. */
export async function playInChild(workspace: Workspace, { side, name, ...input }: ChildRequest): Promise<ChildOutcome> {
  const kind = input.extension === undefined ? 'without' : 'with'
  const folder = path.join(workspace.folder, 'runs', `${name}-${side}-${input.mode}-${kind}`)
  mkdirSync(folder, { recursive: true })
  const result = path.join(folder, 'result.json')
  const program = path.join(import.meta.dirname, `in-${side}`, `${side}-child.ts`)
  const network = path.join(import.meta.dirname, 'no-network.mjs')
  const argument = JSON.stringify({ ...input, folder, result } satisfies ChildInput)
  const child = workspace.spawn(process.execPath, ['--disable-sigusr1', '--import', network, program, argument], {
    env: childEnvironment(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: folder,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text)) // prettier-ignore
  const ending = await new Promise<string>((resolve) => {
    const timer = setTimeout(() => {
      killGroup(child)
      resolve(`no end within ${limitMs / 1000} s`)
    }, limitMs)
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      resolve(code === 0 ? '' : `exit ${code ?? signal ?? ''}`)
    })
  })
  if (ending === '' && existsSync(result)) return JSON.parse(readFileSync(result, 'utf8')) as ExtensionRecord // the child wrote it
  return { crashed: `${ending}: ${output.trim().split('\n').slice(-8).join('\n')}` }
}

/** A program that an extension starts finds no proxy and no key either. */
function childEnvironment(home: string): NodeJS.ProcessEnv {
  const nowhere = 'http://127.0.0.1:9'
  return {
    PATH: `${ripgrep}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    TMPDIR: home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    PI_CODING_AGENT_DIR: path.join(home, 'agent'),
    PI_OFFLINE: '1',
    http_proxy: nowhere,
    https_proxy: nowhere,
  }
}
