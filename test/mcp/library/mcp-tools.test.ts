// Tests the tools of MCP servers in the library: their set, calls in an agent, failures and the end.
import path from 'node:path'
import { concat, EMPTY, firstValueFrom, ignoreElements, mergeMap, of, take, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import { countLiveCalls, processesSettled } from '../../../lib/host/process/running-processes.ts'
import { mcpTools } from '../../../lib/mcp/library/mcp-tools.ts'
import type { ToolContext } from '../../../lib/streams/ports/tool.ts'
import type { McpEntry } from '../../../lib/streams/config/mcp-servers.ts'

const program = path.join(import.meta.dirname, '../fixtures/plain-server.ts')
const plain: McpEntry = { command: process.execPath, args: [program] }

afterEach(async () => {
  await firstValueFrom(processesSettled(), { defaultValue: undefined })
  expect(countLiveCalls()).toBe(0)
})

describe('mcpTools', () => {
  it('emits the tools of all servers, without those of one that failed, which it reports', async () => {
    const notices: string[] = []
    const servers = { one: plain, two: plain, none: { command: 'no-such-program' }, off: { ...plain, disabled: true } }
    const tools$ = mcpTools({ servers, onNotice: ({ server, message }) => notices.push(`${server}: ${message}`) })
    const tools = await firstValueFrom(tools$, { defaultValue: [] })
    expect(tools.map(({ name }) => name).filter((name) => name.endsWith('echo'))).toEqual([
      'mcp__one__echo',
      'mcp__two__echo',
    ])
    expect(notices).toEqual(['none: The program no-such-program is not in a folder of PATH.'])
  })

  it('emits again when the tools change', async () => {
    const context = { sessionId: 's', toolCallId: 'c', cwd: '/', env: {} } as ToolContext
    const descriptions$ = mcpTools({ servers: { one: plain } }).pipe(
      mergeMap((tools, index) => {
        const change = tools.find(({ mcp }) => mcp.tool === 'change')
        const call$ = index > 0 ? EMPTY : (change?.execute({} as never, context) as Observable<unknown>)
        return concat(of(tools[0]?.description), call$.pipe(ignoreElements()))
      }),
      take(2),
      toArray(),
    )
    expect(await firstValueFrom(descriptions$, { defaultValue: [] })).toEqual(['echo 1', 'echo 2'])
  })

  it.each([
    [{ one: {} }, 'mcpServers.one needs command or url.'],
    [{ one: { command: 1 } as unknown as McpEntry }, expect.stringContaining('mcpServers') as string],
    [{ one: { comand: 'x' } as unknown as McpEntry }, 'mcpServers.one.comand is no key of an MCP server.'],
    [{ 'a b': plain }, expect.stringContaining('a b') as string],
  ])('fails for the entry %j', async (servers, message) => {
    await expect(firstValueFrom(mcpTools({ servers }), { defaultValue: [] })).rejects.toMatchObject({
      code: 'bad_config',
      message,
    })
  })

  it('completes nothing and starts nothing without a subscriber, and is empty without servers', async () => {
    const tools$ = mcpTools({ servers: {}, elicit: () => of({ action: 'decline' }) })
    expect(countLiveCalls()).toBe(0)
    expect(await firstValueFrom(tools$, { defaultValue: undefined })).toEqual([])
  })
})
