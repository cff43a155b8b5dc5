// The compared terminal UIs on the same model: ours with its server, and pi.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Surroundings } from './agents.ts'
import { piVersion } from './pi-install.ts'
import type { UiProgram } from './ui-terminal.ts'

export interface UiAgent {
  readonly name: string
  readonly program: UiProgram
  /** Its memory is also measured over 10⁵ deltas. */
  readonly isOurs: boolean
  /** A text on its screen when it accepts input. */
  readonly ready: string
  /** Its server process, if there is one. */
  serverPid(): number | undefined
}

export function ourUi({ workspace, cwd, env }: Surroundings): UiAgent {
  const socket = path.join(workspace.folder, 'ui/rxpi.sock')
  const variables = { ...definedVariables(env), RXPI_SOCKET: socket }
  const start = path.join(workspace.root, 'bin/rxpi') // with the memory limits of its users
  return {
    name: 'rxpi',
    isOurs: true,
    program: { command: [start, '--model', 'openai/mock'], cwd, env: variables },
    ready: 'openai/mock',
    serverPid: () => {
      const lock = `${socket}.lock`
      return existsSync(lock) ? (JSON.parse(readFileSync(lock, 'utf8')) as { readonly pid: number }).pid : undefined
    },
  }
}

export function piUi({ workspace, baseUrl, cwd, env }: Surroundings, program: string): UiAgent {
  const folder = path.join(workspace.folder, 'pi-ui')
  mkdirSync(folder, { recursive: true })
  const provider = { baseUrl, api: 'openai-completions', apiKey: 'bench', models: [{ id: 'mock' }] }
  writeFileSync(path.join(folder, 'models.json'), JSON.stringify({ providers: { mock: provider } }))
  const more = { PI_CODING_AGENT_DIR: folder, PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' }
  return {
    name: `pi ${piVersion}`,
    isOurs: false,
    program: {
      command: [process.execPath, program, '--offline', '--model', 'mock/mock'],
      cwd,
      env: { ...definedVariables(env), ...more },
    },
    ready: 'mock',
    serverPid: () => undefined,
  }
}

function definedVariables(env: Surroundings['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
