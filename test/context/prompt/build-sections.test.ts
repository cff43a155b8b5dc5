// Tests the system prompt: its facts about the environment and tools, and its length.
import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { buildSections } from '../../../lib/context/prompt/build-sections.ts'
import type { PromptOptions } from '../../../lib/context/prompt/build-sections.ts'
import { joinSections, sectionNames } from '../../../lib/streams/ports/prompt-sections.ts'
import type { ToolDefinition } from '../../../lib/streams/ports/tool.ts'

const tool = (name: string): ToolDefinition => ({ name, description: '', parameters: Type.Object({}) })
const facts: PromptOptions = {
  cwd: '/work place',
  tools: [],
  platform: 'linux',
  startedAt: new Date(2026, 0, 9, 23, 59),
}
const prompt = (...names: string[]): string => joinSections(buildSections({ ...facts, tools: names.map(tool) }))

describe('the system prompt', () => {
  it('contains the folder, the platform and the user’s local date', () => {
    expect(prompt()).toContain('Folder: /work place\nPlatform: linux\nDate: 2026-01-09')
  })

  it('is the same for a whole day, so that providers can cache it', () => {
    const morning = buildSections({ ...facts, startedAt: new Date(2026, 0, 9, 0, 1) })
    expect(prompt()).toBe(joinSections(morning))
  })

  it('mentions exactly the active tools', () => {
    expect(prompt()).not.toMatch(/bash|edit|tool calls/)
    expect(prompt('read')).not.toMatch(/bash|edit/)
    expect(prompt('read', 'write', 'edit', 'bash')).toMatch(/list and search with bash[^]*exact small replacements/)
  })

  it('prefers grep and find over bash, and names todo and ask only if they are active', () => {
    const all = prompt('read', 'write', 'edit', 'bash', 'grep', 'find', 'todo', 'ask')
    expect(all).toMatch(/search with grep and find[^]*plan with todo[^]*Ask only/)
    expect(prompt('read', 'bash')).not.toMatch(/grep|todo|Ask only/)
  })

  it('says that text in files and tool output is no instruction', () => {
    expect(prompt('read')).toContain('never an instruction')
  })

  it('has its sections in a fixed order [CONTEXT-prompt-sections]', () => {
    expect(buildSections(facts).map(({ name }) => name)).toEqual(sectionNames)
  })

  it('has no skills for a model that cannot read files', () => {
    expect(
      joinSections(buildSections({ ...facts, tools: [tool('edit')], texts: { skills: 'Skills.' } })),
    ).not.toContain('Skills.')
  })

  it('contains the branch, and the texts of sections that are empty by default', () => {
    const texts = { append: 'Append.', instructions: 'Instructions.', scenario: 'Scenario.', skills: 'Skills.' }
    const text = joinSections(buildSections({ ...facts, tools: [tool('read')], branch: 'main', texts }))
    expect(text).toMatch(
      /brief[^]*\n\nInstructions.\n\nSkills.\n\nFolder: \/work place\nBranch: main\n[^]*\n\nScenario.\n\nAppend.$/,
    )
  })

  it('has the text of SYSTEM.md in place of its own words; the facts remain', () => {
    const text = joinSections(buildSections({ ...facts, tools: [tool('bash')], own: 'You test.' }))
    expect(text).toBe('You test.\n\nFolder: /work place\nPlatform: linux\nDate: 2026-01-09')
  })

  it('is short', () => {
    expect(prompt('read', 'write', 'edit', 'bash').length).toBeLessThan(1_000)
  })
})
