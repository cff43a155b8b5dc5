// Tests the names of servers' tools.
import { describe, expect, it } from 'vitest'
import type { McpTool } from '../../../lib/mcp/contract/mcp-offer.ts'
import { mayBeToolOf, mcpToolName, withoutSharedNames } from '../../../lib/mcp/tools/tool-names.ts'

describe('mcpToolName', () => {
  it.each([
    ['files', 'read', 'mcp__files__read'],
    ['files', 'read.all/now', 'mcp__files__read_all_now'],
    ['files', 'größe', 'mcp__files__gr__e'],
    ['a', 'b'.repeat(56), `mcp__a__${'b'.repeat(56)}`],
  ])('of %s and %s', (server, tool, name) => {
    expect(mcpToolName(server, tool)).toBe(name)
  })

  it('cuts a long name and ends it with its hash [MCP-tools-names]', () => {
    const [one, other] = ['x', 'y'].map((end) => mcpToolName('server', `${'t'.repeat(100)}${end}`))
    expect(one).toMatch(/^mcp__server__t{42}_[0-9a-f]{8}$/)
    expect([one?.length, one === other]).toEqual([64, false])
  })
})

describe('withoutSharedNames', () => {
  const tool = (server: string, name: string) =>
    ({ name: mcpToolName(server, name), mcp: { server, tool: name } }) as unknown as McpTool

  it('leaves out every tool of a shared name, and names each [MCP-tools-names]', () => {
    const { tools, notices } = withoutSharedNames([tool('a', 'b__c'), tool('a__b', 'c'), tool('a', 'c')])
    expect(tools.map(({ name }) => name)).toEqual(['mcp__a__c'])
    expect(notices).toEqual([
      { server: 'a', message: 'The tool "b__c" is left out: another tool would have the name mcp__a__b__c too.' },
      { server: 'a__b', message: 'The tool "c" is left out: another tool would have the name mcp__a__b__c too.' },
    ])
  })
})

describe('mayBeToolOf', () => {
  it.each(['files', 'a__b', 's'.repeat(64)])('knows each tool of %s, also one whose name is cut', (server) => {
    for (const tool of ['read', 't'.repeat(100)]) expect(mayBeToolOf(server, mcpToolName(server, tool))).toBe(true)
  })

  it('knows those of another server apart', () => {
    expect(mayBeToolOf('files', mcpToolName('file', 'read'))).toBe(false)
    expect(mayBeToolOf('file', mcpToolName('files', 'read'))).toBe(false)
    expect(mayBeToolOf('files', 'read')).toBe(false)
  })
})
