// Tests the example clients against rxpi serve; an example is skipped if its program is missing.
import { execFile, execFileSync, spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { workplace } from '../support/command.ts'
import type { Running, Workplace } from '../support/command.ts'
import { withCompileCache } from '../support/compile-cache.ts'
import { isFull, sampleRows } from '../support/sample-size.ts'

const root = dirname(dirname(import.meta.dirname))
const execute = promisify(execFile)
const answer = 'Ünï — “one” 👋🏽 two\n'.repeat(40)

function hasAll(...programs: readonly string[]): boolean {
  return programs.every((program) => {
    try {
      execFileSync('which', [program], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
}

let workspace: Workplace
let server: Running

beforeAll(async () => {
  workspace = workplace()
  // the answer also has thinking and a call; a client that prints all deltas fails the test
  const model = workspace.scripted([
    { thinking: 'Hidden.', toolCalls: [{ name: 'bash', arguments: { command: 'echo hidden' } }] },
    { text: answer, pieceLength: 5, pieceDelayMs: 1 },
  ])
  workspace.configure('settings.json', { model })
  server = workspace.start(['serve'])
  await server.outputText('listening at')
}, 60_000)

afterAll(async () => {
  await workspace.stop()
  await server.ended
  workspace[Symbol.dispose]()
})

const run = (program: string, file: string, socket = workspace.socket) =>
  execute(program, [join(root, 'examples', file), 'Say it'], {
    cwd: workspace.folder,
    env: withCompileCache({ PATH: process.env['PATH'], HOME: workspace.folder, RXPI_SOCKET: socket }),
    timeout: 30_000,
  })

describe('examples/prompt.ts', () => {
  it('prints the answer of a run', async () => {
    expect(await run(process.execPath, 'prompt.ts')).toEqual({ stdout: answer, stderr: '' })
  })

  it('prints the same through lost connections [CLIENT-stranger]', async () => {
    await using cut = await cutting(workspace.socket)
    expect((await run(process.execPath, 'prompt.ts', cut.path)).stdout).toBe(answer)
    expect(cut.cuts).toBeGreaterThan(0)
  })

  it('is quoted in docs/client.md unchanged', () => {
    const shown = readFileSync(join(root, 'docs/client.md'), 'utf8')
    expect(shown).toContain(readFileSync(join(root, 'examples/prompt.ts'), 'utf8'))
  })
})

describe('examples/chat.ts', () => {
  const chat = () =>
    spawn(process.execPath, [join(root, 'examples/chat.ts')], {
      cwd: workspace.folder,
      env: withCompileCache({ PATH: process.env['PATH'], HOME: workspace.folder, RXPI_SOCKET: workspace.socket }),
    })

  it('is a front end in 30 lines: it answers input, shows tools, and exits when the input ends', async () => {
    expect(readFileSync(join(root, 'examples/chat.ts'), 'utf8').trimEnd().split('\n')).toHaveLength(30)
    const child = chat()
    child.stdin.write('Say it\n')
    const shown = await heard(child, '(completed)')
    expect(shown).toBe(`\n[bash]\n${answer}\n(completed)\n`)
    child.stdin.end()
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it.runIf(isFull)('reports that no server runs, and exits', async () => {
    const failed = run(process.execPath, 'chat.ts', join(dirname(workspace.socket), 'none.sock'))
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^[^\n]*none\.sock[^\n]*\n$/) as string,
    })
  })
})

describe('programs without a server', () => {
  const programs = [
    ['tool.ts', 'calls count_lines\nI counted: package.json has 2 lines.\n'],
    ['provider.ts', 'IS ANYBODY THERE?\n'],
    ['transform.ts', 'the request has: Write to [address]\nthe session has: Write to jane@example.org … Noted.\n'],
  ] as const
  it.each(sampleRows(programs, 1))('examples/%s prints its result', async (file, printed) => {
    workspace.write('package.json', '{\n}\n')
    expect(await run(process.execPath, file)).toEqual({ stdout: printed, stderr: '' })
  })
})

describe('examples/mcp.ts', () => {
  it('calls a tool of the server that its arguments name', async () => {
    const program = [process.execPath, join(root, 'test/mcp/fixtures/plain-server.ts')]
    const { stdout, stderr } = await execute(process.execPath, [join(root, 'examples/mcp.ts'), ...program], {
      cwd: workspace.folder,
      env: withCompileCache(),
      timeout: 30_000,
    })
    expect(stderr).toBe('')
    expect(stdout).toMatch(/"mcp__example__echo","isError":false[^]*\nIt answered\.\n$/)
  })
})

describe.runIf(hasAll('python3'))('examples/prompt.py (needs python3)', () => {
  it('prints the answer of a run', async () => {
    expect(await run('python3', 'prompt.py')).toEqual({ stdout: answer, stderr: '' })
  })

  it.runIf(isFull)('prints the same through lost connections', async () => {
    await using cut = await cutting(workspace.socket)
    expect((await run('python3', 'prompt.py', cut.path)).stdout).toBe(answer)
    expect(cut.cuts).toBeGreaterThan(0)
  })

  it('refuses a socket in a folder that other users can write to', async () => {
    await using cut = await cutting(workspace.socket, 0o777)
    await expect(run('python3', 'prompt.py', cut.path)).rejects.toMatchObject({ code: 1, stderr: /not safe/ })
  })
})

describe.runIf(hasAll('bash', 'socat', 'jq'))('examples/prompt.sh (needs bash, socat and jq)', () => {
  it('prints the answer of a run', async () => {
    expect((await run('bash', 'prompt.sh')).stdout).toBe(`${answer}\n`)
  })
})

/** Returns the output of a program up to this text. */
async function heard(child: ChildProcessWithoutNullStreams, text: string): Promise<string> {
  let heardSoFar = ''
  for await (const piece of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    heardSoFar += String(piece)
    if (heardSoFar.includes(text)) return heardSoFar
  }
  throw new Error(`ended before it said ${text}: ${heardSoFar}`)
}

interface Cutting extends AsyncDisposable {
  readonly path: string
  readonly cuts: number
}

/** A proxy to the server that breaks the first connections after a number of bytes, each one a little later. */
async function cutting(to: string, mode = 0o700): Promise<Cutting> {
  const folder = mkdtempSync(join(tmpdir(), 'rxpi-cut-'))
  const path = join(folder, 'cut.sock')
  let cuts = 0
  const sockets = new Set<Socket>()
  const proxy: Server = createServer((client) => {
    const allowed = cuts < 3 ? 4_000 + cuts * 3_000 : Infinity
    const behind = connect(to)
    let bytes = 0
    const end = (): void => {
      client.destroy()
      behind.destroy()
    }
    for (const socket of [client, behind]) {
      sockets.add(socket)
      socket.on('error', end).on('close', end)
    }
    client.on('data', (chunk) => behind.write(chunk))
    behind.on('data', (chunk) => {
      bytes += chunk.length
      client.write(chunk)
      if (bytes < allowed) return
      cuts += 1
      end()
    })
  })
  const before = process.umask(0)
  await new Promise<void>((resolve) => proxy.listen(path, resolve))
  process.umask(before)
  execFileSync('chmod', ['600', path])
  execFileSync('chmod', [mode.toString(8), folder])
  return {
    path,
    get cuts() {
      return cuts
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
      rmSync(folder, { recursive: true })
    },
  }
}
