// Drives `rxpi mcp serve` of the built command with the inspector and the conformance suite of MCP.
// It installs both into a temporary folder, without their scripts: none is a dependency of rxpi.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

const packages = ['@modelcontextprotocol/inspector-cli@1.0.3', '@modelcontextprotocol/conformance@0.1.16']
/** The other scenarios of the suite call tools, prompts and resources of its own example server. */
const scenarios = ['server-initialize', 'ping', 'tools-list']
/** Pages of this machine are refused too: a page has no token, and the suite wants its request accepted. */
const halfPassed = 'dns-rebinding-protection'
const token = crypto.randomUUID()

const root = path.dirname(path.dirname(import.meta.dirname))
const start = path.join(root, 'bin/start.js')
const top = mkdtempSync(path.join(tmpdir(), 'rxpi-mcp-check-'))
const folder = path.join(top, 'project')
const env = {
  ...{ PATH: process.env['PATH'] ?? '', HOME: top, RXPI_HOME: path.join(top, 'home') },
  ...{ XDG_CONFIG_HOME: path.join(top, 'config'), RXPI_MODEL: 'demo/guide', RXPI_MCP_TOKEN: token },
}
let faults = 0

function report(name: string, ok: boolean, more = ''): void {
  if (!ok) faults += 1
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name}${ok ? '' : `\n${more}`}`)
}

function inspect(name: string, args: readonly string[], expected: RegExp): void {
  const cli = path.join(top, 'node_modules/@modelcontextprotocol/inspector-cli/build/cli.js')
  // the inspector's program for calls; its first one only chooses between it and a page
  const program = path.join(path.dirname(cli), 'index.js')
  const options = { cwd: folder, env, encoding: 'utf8', timeout: 60_000 } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, process.execPath, start, 'mcp', 'serve', ...args], options) // prettier-ignore
  report(`inspector: ${name}`, status === 0 && expected.test(stdout), `${stdout}\n${stderr}`)
}

/** The suite sends no token: requests to this address get it, and the name of the real one for its own. */
async function withToken(target: URL): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((incoming, response) => {
    const { port } = server.address() as AddressInfo
    const own = [`localhost:${port}`, `127.0.0.1:${port}`].includes(incoming.headers.host ?? '')
    const headers = { ...incoming.headers, authorization: `Bearer ${token}`, ...(own && { host: target.host }) }
    const sent = request(target, { method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    sent.on('error', () => response.destroy())
    incoming.pipe(sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function runSuite(): Promise<void> {
  const served = spawn(process.execPath, [start, 'mcp', 'serve', '--http', '0'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] }) // prettier-ignore
  try {
    const address = await new Promise<URL>((resolve, reject) => {
      let text = ''
      served.once('exit', () => reject(new Error(`rxpi mcp serve ended: ${text}`)))
      served.stderr.on('data', (piece: Buffer) => {
        text += piece.toString()
        const [, found] = /MCP at (\S+);/.exec(text) ?? []
        if (found !== undefined) resolve(new URL(found))
      })
    })
    const forwarding = await withToken(address)
    for (const scenario of scenarios) {
      const { code, text } = await runScenario(scenario, forwarding.url)
      report(`conformance 0.1.16: ${scenario}`, code === 0, text)
    }
    const { text } = await runScenario(halfPassed, forwarding.url)
    report(`conformance 0.1.16: ${halfPassed}, hosts`, /host-rebinding-rejected.*SUCCESS/.test(text), text)
    forwarding.close()
  } finally {
    served.kill('SIGTERM')
  }
}

/** Not `spawnSync`: this process forwards the suite's requests. */
async function runScenario(
  scenario: string,
  url: string,
): Promise<{ readonly code: number | null; readonly text: string }> {
  const suite = path.join(top, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  const child = spawn(process.execPath, [suite, 'server', '--url', url, '--scenario', scenario], { cwd: top, env })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (text += piece.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, text }
}

try {
  execFileSync(process.execPath, [path.join(root, 'scripts/build/ensure-built.ts')], { stdio: 'inherit' })
  mkdirSync(folder)
  const quiet = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', top]
  execFileSync('npm', ['install', ...quiet, ...packages], { stdio: 'ignore' })
  // the inspector reads the package around it, which is not installed
  const around = { name: '@modelcontextprotocol/inspector', version: '1.0.3' }
  writeFileSync(path.join(top, 'node_modules/@modelcontextprotocol/package.json'), JSON.stringify(around))
  inspect('tools/list', ['--method', 'tools/list'], /"name": "read_session"/)
  inspect('run', ['--method', 'tools/call', '--tool-name', 'run', '--tool-arg', 'prompt=hello'], /I am the demo model/)
  inspect('status', ['--method', 'tools/call', '--tool-name', 'status'], /"firstWords": "hello"/)
  await runSuite()
} finally {
  rmSync(top, { recursive: true, force: true })
}
process.exitCode = faults === 0 ? 0 : 1
