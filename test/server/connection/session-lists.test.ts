// Tests what an open session offers: its tools, and what a prompt can begin with.
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { builtInScenarios } from '../../../lib/context/scenarios/built-in-scenarios.ts'
import { listCommands, listTools } from '../../../lib/server/connection/session-lists.ts'
import type { PromptCommand } from '../../../lib/streams/ports/prompt-commands.ts'
import type { Scenario } from '../../../lib/streams/ports/scenarios.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'

const repair: Scenario = {
  name: 'repair',
  description: 'finds and mends',
  source: 'user',
  path: '/config/scenarios/repair.yaml',
  start: 'look',
  phases: [{ name: 'look', transitions: [] }],
}
const scenarios = { list: () => of({ scenarios: [repair, ...builtInScenarios], problems: [] }) }
const template: PromptCommand = { name: 'plan', kind: 'template', description: 'mine', source: 'user' }
const problem = { path: '/a', level: 'error' as const, message: 'it is empty' }

function listed(session: Parameters<typeof listCommands>[0]): unknown {
  const found: unknown[] = []
  listCommands(session).subscribe((result) => found.push(result))
  return found[0]
}

describe('list_tools', () => {
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
})

describe('list_commands', () => {
  it('has the scenarios behind the commands, without those that a command hides [COMMAND-list_commands]', () => {
    const commands = { list: () => of({ commands: [template], problems: [problem] }), expand: () => of(undefined) }
    expect(listed({ commands, scenarios })).toEqual({
      commands: [
        template,
        {
          name: 'repair',
          kind: 'scenario',
          description: 'finds and mends',
          argument: 'TEXT',
          source: 'user',
          path: '/config/scenarios/repair.yaml',
        },
      ],
      problems: [problem],
    })
  })

  it('of a session without either is empty', () => {
    expect(listed({})).toEqual({ commands: [], problems: [] })
    expect(listed({ scenarios })).toMatchObject({
      commands: [{ name: 'repair' }, { name: 'plan', source: 'built-in' }],
    })
  })
})
