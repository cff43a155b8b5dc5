// Runs lines of the docs in a shell and records their output.
// Text that differs from run to run is replaced.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workplace } from '../support/command.ts'
import type { Workplace } from '../support/command.ts'
import { vendorEndpoint } from '../support/vendor-endpoint.ts'
import type { VendorOptions } from '../support/vendor-endpoint.ts'
import type { RawSseServer } from '../support/raw-sse-server.ts'
import { brokenSum, repairingModel } from './repairing-model.ts'

export interface Walk extends AsyncDisposable {
  readonly place: Workplace
  readonly server: RawSseServer
  /** The environment of the programs: `rxpi` and `pass` on their path, keys in files. */
  readonly env: Readonly<Record<string, string>>
  /** Runs a line in the folder and records it with its output, and with its exit code if that is not 0. */
  type(line: string): Promise<void>
  /** Records the content of a screen. */
  see(heading: string, screen: string): void
  /** The whole transcript so far. */
  transcript(): string
}

/** The only key that the endpoint accepts; `pass show …` prints it. */
const key = 'right-key'

export interface WalkOptions {
  /** The model. Default: the one of the first hour. */
  readonly says?: VendorOptions['says']
  /** Files beside those of the repository. */
  readonly files?: Readonly<Record<string, string>>
}

/** Creates a repository with a fault in it, and an endpoint that replaces four vendors. */
export async function walk({ says = repairingModel, files = {} }: WalkOptions = {}): Promise<Walk> {
  const server = await vendorEndpoint({ key, says })
  const workspace = workplace({ ...brokenSum, ...files })
  const baseUrl = server.url
  workspace.configure('models.json', {
    providers: {
      anthropic: { baseUrl },
      google: { baseUrl },
      openai: { baseUrl: `${baseUrl}/v1` },
      xai: { baseUrl: `${baseUrl}/v1`, api: 'openai-responses' },
    },
  })
  const env = {
    ...workspace.env,
    PATH: `${programs(workspace)}:${workspace.env['PATH'] ?? ''}`,
    RXPI_KEY_STORAGE: 'file',
  }
  for (const line of ['init -q -b main', 'add .', 'commit -qm Sums']) git(workspace, line)
  const screens: string[] = []
  return {
    place: workspace,
    server,
    env,
    type: async (line) => {
      const { output, code } = await typed(line, workspace.folder, env)
      screens.push(`$ ${line}\n${output}${code === 0 ? '' : `(exit code ${code})\n`}`)
    },
    see: (heading, screen) => {
      screens.push(`── ${heading}\n${screen}\n`)
    },
    transcript: () => steady(screens.join('\n'), workspace, server.url),
    [Symbol.asyncDispose]: async () => {
      workspace[Symbol.dispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** Puts `rxpi` on the path, as `npm link` does, a password store, and an MCP server as `npm install -g` does. */
function programs({ folder }: Workplace): string {
  const bin = join(dirname(folder), 'bin')
  mkdirSync(bin)
  const launcher = join(dirname(dirname(import.meta.dirname)), 'bin/rxpi')
  const files = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'))
  const scripts = {
    rxpi: `exec '${launcher}' "$@"`,
    pass: `echo ${key}`,
    'mcp-server-filesystem': `exec '${process.execPath}' '${files}' "$@"`,
  }
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  return bin
}

function git({ folder }: Workplace, line: string): void {
  const own = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...own, ...line.split(' ')], { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder } })
}

function typed(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<{ output: string; code: number | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', `exec 2>&1\n${line}`], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', reject).on('close', (code) => {
      resolve({ output, code })
    })
  })
}

/** Replaces paths, addresses, ids and times by fixed names. */
function steady(text: string, workspace: Workplace, url: string): string {
  const named = idsOf(workspace).reduce((before, [id, name]) => before.replaceAll(id, name), text)
  return named
    .replaceAll(workspace.folder, '~/sums')
    .replaceAll(dirname(workspace.folder), '~')
    .replaceAll('~/project', '~/sums')
    .replaceAll(/(Made 1 edit in )[^\n]*/g, '$1…') // cut at a width that depends on the path
    .replaceAll(url, 'http://127.0.0.1:4000')
    .replaceAll(/the key [a-z2-7]{8}\b/g, 'the key k3v7pq2a')
    .replaceAll(/file [a-z2-7]{8}\b/g, 'file k3v7pq2a')
    .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s)\b/g, 'N ms')
    .replaceAll(/\b(?:now|\d+ (?:s|min) ago) {2,}/g, 'now  ')
    .replaceAll(/\b\d+ → [\d.]+k? tokens/g, '43k → 1.2k tokens') // the model counts no tokens
    .replaceAll(/\b([Jj]ob|of the agent ·) [a-z2-7]{8}\b/g, '$1 k3v7pq2a')
    .replaceAll(/SHA-256 \w{64}/g, 'SHA-256 5d4be00d…')
    .replaceAll(/Stopped process \d+/g, 'Stopped process 4711')
    .replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, '⠋')
}

/** Sessions and entries, in the order of their logs, with fixed names of the same length. */
function idsOf(workspace: Workplace): (readonly [id: string, name: string])[] {
  const found = new Map<string, string>()
  workspace.logs().forEach(({ lines }, index) => {
    const [, session = ''] = /"id":"([a-z2-7]{12})"/.exec(lines[0] ?? '') ?? []
    found.set(session, `session${String(index + 1).padStart(5, '0')}`)
    for (const [, entry = ''] of lines.join('\n').matchAll(/"entryId":"([a-z2-7]{8})"/g))
      if (!found.has(entry)) found.set(entry, `entry${String(found.size).padStart(3, '0')}`)
  })
  found.delete('')
  return [...found]
}
