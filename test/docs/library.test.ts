// Tests that the tables of docs/library.md are complete.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../lib/providers/offline/scripted.ts'
import { sessionCommands } from '../../lib/server/connection/dispatch.ts'
import { createAgent } from '../../lib/session/agent/create-agent.ts'

const page = 'docs/library.md'
const text = readFileSync(page, 'utf8')

/** Whether the page names it in code, alone or with its arguments. */
const isNamed = (name: string): boolean => new RegExp(`\`[^\`]*\\b${name}\\b[^\`]*\``).test(text)

describe('docs/library.md', () => {
  it('names every command of a session', () => {
    expect(Object.keys(sessionCommands).filter((name) => !isNamed(name))).toEqual([])
  })

  it('names every member of an agent, of its session and of its state', async () => {
    const model = { model: scriptedModel, provider: scripted(['Hello']) }
    const agent = createAgent({ model, cwd: '/', env: {} })
    await agent.prompt('Hi')
    const obvious = new Set(['session', 'id', 'header', 'headerLine', 'send'])
    const names = [agent, agent.session, agent.state].flatMap((each) => Object.keys(each))
    expect(names.filter((name) => !obvious.has(name) && !isNamed(name.replace('$', '')))).toEqual([])
    await agent.close()
  })
})
