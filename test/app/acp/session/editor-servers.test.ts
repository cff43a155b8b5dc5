// Tests how the MCP servers of an editor become entries of rxpi's settings.
import { join } from 'node:path'
import { methods } from '@agentclientprotocol/sdk'
import type { McpServer } from '@agentclientprotocol/sdk'
import { lastValueFrom } from 'rxjs'
import { expect, it } from 'vitest'
import { editorServers } from '../../../../app/acp/session/editor-servers.ts'
import { acpScene } from '../acp-scene.ts'

it('takes programs and addresses, under names that tools can have [ACP-servers]', () => {
  expect(
    editorServers([
      { name: 'my files!', command: '/bin/files', args: ['.'], env: [{ name: 'A', value: '1' }] },
      {
        name: 'my files?',
        type: 'http',
        url: 'https://x.example/mcp',
        headers: [{ name: 'Authorization', value: 'Bearer x' }],
      },
      { name: '', type: 'sse', url: 'https://x.example/sse', headers: [] },
    ]),
  ).toEqual({
    mcpServers: {
      my_files_: { command: '/bin/files', args: ['.'], env: { A: '1' } },
      my_files__2: { type: 'http', url: 'https://x.example/mcp', headers: { Authorization: 'Bearer x' } },
      server: { type: 'sse', url: 'https://x.example/sse', headers: {} },
    },
  })
  expect(editorServers([])).toEqual({})
})

it('refuses more servers than a session takes', () => {
  const many = Array.from({ length: 101 }, () => ({ name: 'x', command: 'x', args: [], env: [] }))
  expect(() => editorServers(many)).toThrow(expect.objectContaining({ code: 'bad_request' }) as Error)
})

it('offers the tools of such a server to the session [ACP-servers]', async () => {
  const program = join(
    import.meta.dirname,
    '../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
  )
  const scene = acpScene({ script: [] })
  const editor = await scene.editor()
  const server: McpServer = { name: 'every thing', command: process.execPath, args: [program, 'stdio'], env: [] }
  const { sessionId } = await editor.agent.request(methods.agent.session.new, {
    cwd: scene.folder,
    mcpServers: [server],
  })
  const terminal = scene.client()
  const names = async (): Promise<string[]> => {
    const listed$ = terminal.request({ type: 'list_tools', session: sessionId })
    return (await lastValueFrom(listed$, { defaultValue: { tools: [] } })).tools.map(({ name }) => name)
  }
  await expect.poll(names, { timeout: 15_000 }).toContain('mcp__every_thing__echo')
})
