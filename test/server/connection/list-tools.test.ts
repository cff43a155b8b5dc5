// Tests the list of a session's tools, with the active ones marked.
import { expect, it } from 'vitest'
import { listTools } from '../../../lib/server/connection/list-tools.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'

it('lists the registered tools in their order and marks the active ones [COMMAND-list_tools]', () => {
  const [read, own] = [fakeTool('read', '', { capability: 'read' }), fakeTool('own', '')]
  expect(listTools({ registeredTools: [read, own], activeTools: [own] })).toEqual([
    { name: 'read', description: 'The fake tool read', capability: 'read', active: false },
    { name: 'own', description: 'The fake tool own', capability: 'execute', active: true },
  ])
})

it('marks the active ones that requests leave out', () => {
  const tools = [fakeTool('own', ''), fakeTool('heavy', '')]
  const listed = listTools({ registeredTools: tools, activeTools: tools, unlistedTools: () => tools.slice(1) })
  expect(listed.map(({ name, active, unlisted }) => [name, active, unlisted])).toEqual([
    ['own', true, undefined],
    ['heavy', true, true],
  ])
})
