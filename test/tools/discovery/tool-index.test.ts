// Tests the ranking of tools by fields, and that the index follows its list.
import { lastValueFrom } from 'rxjs'
import { expect, it } from 'vitest'
import type { AnyTool, McpToolSource, ToolOrigin } from '../../../lib/streams/ports/tool.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { createToolIndex } from '../../../lib/tools/discovery/tool-index.ts'

interface Made {
  readonly description?: string
  readonly keys?: readonly string[]
  readonly origin?: ToolOrigin
  readonly mcp?: McpToolSource
}

function tool(name: string, { description = '', keys = [], ...origins }: Made = {}): AnyTool {
  const properties = Object.fromEntries(keys.map((key) => [key, {}]))
  const parameters = { type: 'object', properties } as unknown as AnyTool['parameters']
  return { name, description, parameters, ...origins, execute: () => textResult('') }
}

async function search(tools: readonly AnyTool[], query: string, index = createToolIndex()): Promise<string[]> {
  const found = await lastValueFrom(index.search(tools, query), { defaultValue: [] })
  return found.map(({ name }) => name)
}

it('weighs name, title, name at the server, server, description and parameters in this order', async () => {
  const tools = [
    tool('by_keys', { keys: ['parcel'] }),
    tool('by_summary', { description: 'parcel' }),
    tool('by_server', { origin: { server: 'parcel' } }),
    tool('by_label', { origin: { server: 'x', label: 'parcel' } }),
    tool('parcel'),
  ]
  const [first, second, ...rest] = await search(tools, 'parcel')
  expect([first, second]).toEqual(['parcel', 'by_label'])
  expect(rest.at(-1)).toBe('by_keys')
  expect(rest).toHaveLength(3)
})

it('reads what a tool of an MCP server has about its origin', async () => {
  expect(
    await search([tool('a', { mcp: { server: 'studio', tool: 'paint', digest: '' } }), tool('b')], 'studio paint'),
  ).toEqual(['a'])
})

it('finds beginnings and typing errors, after words that are equal', async () => {
  const tools = [tool('issues_list'), tool('isue'), tool('issue')]
  expect(await search(tools, 'issue')).toEqual(['issue', 'isue', 'issues_list'])
})

it('follows the list: what left is not found, what came is', async () => {
  const index = createToolIndex()
  const [one, two] = [tool('paint_one'), tool('paint_two')]
  expect(await search([one], 'paint', index)).toEqual(['paint_one'])
  expect(await search([one, two], 'paint', index)).toEqual(expect.arrayContaining(['paint_one', 'paint_two']))
  expect(await search([two], 'paint', index)).toEqual(['paint_two'])
  expect(await search([tool('paint_two'), two], 'paint', index)).toEqual(['paint_two', 'paint_two'])
  expect(await search([], 'paint', index)).toEqual([])
})

it.each([
  ['no properties', { type: 'object' }],
  ['properties of another shape', { type: 'object', properties: [] }],
  ['null', { type: 'object', properties: null }],
])('takes a schema with %s', async (_, parameters) => {
  const made = { ...tool('paint'), parameters: parameters as unknown as AnyTool['parameters'] }
  expect(await search([made], 'paint')).toEqual(['paint'])
})
