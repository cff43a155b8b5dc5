// Tests what a prompt can begin with: commands of files, then scenarios that no command hides.
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { builtInScenarios } from '../../../lib/context/scenarios/built-in-scenarios.ts'
import { listCommands } from '../../../lib/server/connection/list-scenarios.ts'
import type { PromptCommand } from '../../../lib/streams/ports/prompt-commands.ts'
import type { Scenario } from '../../../lib/streams/ports/scenarios.ts'

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
