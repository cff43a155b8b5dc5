// Tests `rxpi mcp serve` of the built command with the SDK's client over standard input and output.
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it } from 'vitest'
import { workplace } from '../support/command.ts'

const start = join(import.meta.dirname, '../../bin/start.js')

it('serves runs, and ends with its input [MCP-serve-stdio, CLI-mcp_serve]', async () => {
  using workspace = workplace()
  const model = workspace.scripted([{ text: 'Well.' }])
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [start, 'mcp', 'serve'], cwd: workspace.folder },
    env: { ...workspace.env },
    stderr: 'pipe',
  })
  let errors = ''
  transport.stderr?.on('data', (piece: Buffer) => (errors += piece.toString()))
  const client = new Client({ name: 'test', version: '0' })
  await client.connect(transport)
  const result = await client.callTool({ name: 'run', arguments: { prompt: 'hi', model } })
  expect(result).toMatchObject({
    content: [{ type: 'text', text: 'Well.' }],
    structuredContent: { reason: 'completed' },
  })
  const { pid } = transport
  await client.close()
  expect(errors).toBe('')
  await expect.poll(() => isAlive(pid ?? 0), { timeout: 10_000 }).toBe(false)
  expect(workspace.logs()).toHaveLength(1)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
