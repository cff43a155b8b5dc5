// Tests the hub with two servers of others, the reference servers of the protocol: over stdio, HTTP and SSE.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { filter, firstValueFrom, lastValueFrom, of, toArray } from 'rxjs'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { countLiveCalls, processesSettled } from '../../../lib/host/process/running-processes.ts'
import { createMcpHub } from '../../../lib/mcp/hub/create-hub.ts'
import { outputOf } from '../../../lib/streams/tool-definition/tool-output.ts'
import type { McpOffer, McpTool } from '../../../lib/mcp/contract/mcp-offer.ts'
import type { ElicitRequest, SampleRequest } from '../../../lib/mcp/contract/mcp-requests.ts'
import type { McpServer } from '../../../lib/mcp/contract/mcp-server.ts'
import type { ToolContext, ToolProgress, ToolResult } from '../../../lib/streams/ports/tool.ts'
import { isFull, sampleSize } from '../../support/sample-size.ts'

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-mcp-real-')))
afterAll(() => rmSync(folder, { recursive: true }))

afterEach(async () => {
  await firstValueFrom(processesSettled(), { defaultValue: undefined })
  expect(countLiveCalls()).toBe(0)
})

const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))
const filesystem = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'))

function serverOf(name: string, transport: McpServer['transport'], more: Partial<McpServer> = {}): McpServer {
  return { name, origin: 'user', transport, perSession: false, startTimeoutMs: 30_000, callTimeoutMs: 30_000, sampling: false, ...more } // prettier-ignore
}

function programOf(...args: readonly string[]): McpServer['transport'] {
  return { kind: 'stdio', command: process.execPath, args, env: {} }
}

/** A session with this server, when it is ready. */
async function open(server: McpServer) {
  const questions: ElicitRequest[] = []
  const sampled: SampleRequest[] = []
  const notices: string[] = []
  const hub = createMcpHub({ graceMs: 1, spillFolder: folder })
  const session = hub.open([server], {
    sessionId: 's1',
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    roots: [folder],
    elicit: (request) => {
      questions.push(request)
      return of({ action: 'accept', values: { name: 'Ada' } })
    },
    sample: (request) => {
      sampled.push(request)
      return of({ text: 'a sample', model: 'm', stopReason: 'endTurn' })
    },
    redact: (text) => text,
    onNotice: ({ message }) => notices.push(message),
  })
  const ready$ = session.offer$.pipe(filter(({ statuses: [status] }) => status?.state === 'ready'))
  const offer: McpOffer | undefined = await firstValueFrom(ready$, { defaultValue: undefined })
  const toolOf = (name: string): McpTool => {
    const tool = offer?.tools.find(({ mcp }) => mcp.tool === name)
    if (tool === undefined) throw new Error(`no tool ${name}: ${offer?.tools.map(({ mcp }) => mcp.tool).join(' ')}`)
    return tool
  }
  const outputs = async (name: string, args: object = {}): Promise<(ToolProgress | ToolResult)[]> => {
    const context = { sessionId: 's1', toolCallId: 'c1', cwd: folder, env: {}, signal: AbortSignal.timeout(30_000) } as ToolContext // prettier-ignore
    return lastValueFrom(outputOf(toolOf(name).execute(args as never, context), context).pipe(toArray()), { defaultValue: [] }) // prettier-ignore
  }
  const call = async (name: string, args?: object): Promise<ToolResult> => {
    const last = (await outputs(name, args)).at(-1)
    if (last?.type !== 'result') throw new Error(`${name} has no result`)
    return last
  }
  return { offer, notices, questions, sampled, session, outputs, call, [Symbol.dispose]: () => hub.close() }
}

function textOf({ content }: ToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** The reference server at a port of this machine. */
async function remote(kind: 'streamableHttp' | 'sse') {
  const port = await freePort()
  const env = { PATH: process.env['PATH'] ?? '', PORT: String(port) }
  const child = spawn(process.execPath, [everything, kind], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  await new Promise<void>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes(String(port))) resolve()
    })
  })
  const url = `http://127.0.0.1:${port}/${kind === 'sse' ? 'sse' : 'mcp'}`
  const end = async (): Promise<void> => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  return { server: serverOf('everything', { kind: kind === 'sse' ? 'sse' : 'http', url, headers: {} }), [Symbol.asyncDispose]: end } // prettier-ignore
}

type Scene = Awaited<ReturnType<typeof open>>

/** What each transport has to carry. */
async function expectEverything(scene: Scene): Promise<void> {
  expect(scene.offer?.statuses[0]).toMatchObject({ state: 'ready', protocol: '2025-11-25' })
  expect(textOf(await scene.call('echo', { message: 'hé' }))).toBe('Echo: hé')
  expect(textOf(await scene.call('get-sum', { a: 2, b: 3 }))).toContain('5')
  expect((await scene.call('get-tiny-image')).content.map(({ type }) => type)).toContain('image')
  const progress = await scene.outputs('trigger-long-running-operation', { duration: 0.3, steps: 3 })
  expect(progress.at(-1)).toMatchObject({ type: 'result' })
  expect(progress.some((each) => each.type === 'progress' && each.progressPercent !== undefined)).toBe(true)
}

describe('server-everything', () => {
  it('works over stdio: tools, images, progress, structured content, resources and prompts', async () => {
    using scene = await open(serverOf('everything', programOf(everything)))
    await expectEverything(scene)
    expect(await scene.call('get-structured-content', { location: 'Chicago' })).toMatchObject({
      details: { structured: { conditions: expect.any(String) as string } },
    })
    const { prompts = [], resources = [], instructions = [] } = scene.offer ?? {}
    expect(instructions.map(({ server }) => server)).toEqual(['everything'])
    const prompt = await lastValueFrom(scene.session.getPrompt('everything', 'args-prompt', { city: 'Turku' }), { defaultValue: undefined }) // prettier-ignore
    expect(prompts.map(({ name }) => name)).toContain('args-prompt')
    expect(JSON.stringify(prompt?.messages)).toContain('Turku')
    const plain = resources.find(({ template }) => !template)
    const read = await lastValueFrom(scene.session.readResource('everything', plain?.uri ?? ''), { defaultValue: undefined }) // prettier-ignore
    expect(read?.content.length).toBeGreaterThan(0)
  })

  it.runIf(isFull)('asks a person, and the model if that is switched on, through the session that calls', async () => {
    using scene = await open(serverOf('everything', programOf(everything), { sampling: true }))
    const answer = textOf(await scene.call('trigger-elicitation-request'))
    expect(scene.questions).toMatchObject([{ kind: 'form', server: 'everything', toolCallId: 'c1' }])
    expect(answer).toContain('Ada')
    expect(textOf(await scene.call('trigger-sampling-request', { prompt: 'one', maxTokens: 10 }))).toContain('a sample')
    expect(scene.sampled).toHaveLength(1)
    expect(textOf(await scene.call('get-roots-list'))).toContain(folder)
  })

  it('works over streamable HTTP', async () => {
    await using everywhere = await remote('streamableHttp')
    using scene = await open(everywhere.server)
    await expectEverything(scene)
  })

  it.skipIf(sampleSize(0, 1) === 0)('works over SSE, as older servers have it', async () => {
    await using everywhere = await remote('sse')
    using scene = await open(everywhere.server)
    await expectEverything(scene)
  })
})

describe('server-filesystem', () => {
  it('reads, writes and lists in the roots of the session, and nowhere else', async () => {
    writeFileSync(path.join(folder, 'a.txt'), 'one\ntwo\n')
    using scene = await open(serverOf('files', programOf(filesystem)))
    const allowed = async () => textOf(await scene.call('list_allowed_directories', {}))
    await vi.waitFor(async () => expect(await allowed()).toContain(folder), { timeout: 10_000 }) // it asks for the roots later
    expect(textOf(await scene.call('read_text_file', { path: path.join(folder, 'a.txt') }))).toBe('one\ntwo\n')
    await scene.call('write_file', { path: path.join(folder, 'b.txt'), content: 'new' })
    expect(readFileSync(path.join(folder, 'b.txt'), 'utf8')).toBe('new')
    expect(textOf(await scene.call('list_directory', { path: folder }))).toContain('[FILE] b.txt')
    const outside = await scene.call('read_text_file', { path: '/etc/hostname' })
    expect([outside.isError, textOf(outside)]).toEqual([true, expect.stringContaining('Access denied')])
  })
})
