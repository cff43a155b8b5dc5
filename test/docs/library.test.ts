// Tests that the examples of docs/library.md run, and that its tables are complete.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../lib/providers/offline/scripted.ts'
import { sessionCommands } from '../../lib/server/connection/dispatch.ts'
import { createAgent } from '../../lib/session/agent/create-agent.ts'
import { pageExamples } from '../support/page-examples.ts'
import type { PageExamples } from '../support/page-examples.ts'

const page = 'docs/library.md'
const text = readFileSync(page, 'utf8')
let shown: PageExamples

beforeAll(() => {
  shown = pageExamples(page)
})
afterAll(() => {
  shown[Symbol.dispose]()
})

/** Whether the page names it in code, alone or with its arguments. */
const isNamed = (name: string): boolean => new RegExp(`\`[^\`]*\\b${name}\\b[^\`]*\``).test(text)

describe('docs/library.md', () => {
  it('has examples that run unchanged', async () => {
    expect(await shown.runAll(shown.examples)).toBe('ran')
    expect(shown.examples).toHaveLength(4)
  }, 60_000)

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
