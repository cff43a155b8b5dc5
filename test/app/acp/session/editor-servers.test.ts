// Tests how the MCP servers of an editor become entries of rxpi's settings.
import { expect, it } from 'vitest'
import { editorServers } from '../../../../app/acp/session/editor-servers.ts'

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
