// Tests the scenarios that files declare: what counts, what is wrong with a file, and who gets a name.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadScenarios } from '../../../lib/context/scenarios/load-scenarios.ts'
import { resultOf } from '../../support/result-of.ts'

let top: string
const at = (...names: readonly string[]): string => path.join(top, ...names)
beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), 'rxpi-scenarios-'))
})
afterEach(() => rmSync(top, { recursive: true }))

function write(file: string, text: string): void {
  mkdirSync(path.dirname(at(file)), { recursive: true })
  writeFileSync(at(file), text)
}

const load = (more: Partial<Parameters<typeof loadScenarios>[0]> = {}) =>
  resultOf(loadScenarios({ config: at('config'), ...more }))
const phases = (...names: readonly string[]) => names.map((name) => ({ name }))
const json = (value: object): string => JSON.stringify({ description: 'x', ...value })

const fix = `
description: find the cause, then repair it
start: look
phases:
  - name: look
    description: reading only
    prompt: |
      Find the cause.
    tools: [read, grep, bash]
    readOnly: true
    stop: { turns: 20, tools: [ask] }
    transitions:
      - { to: repair, on: tool, tool: bash, result: error, contains: FAIL }
  - name: repair
    model: anthropic/claude-x
`

describe('loadScenarios', () => {
  it('has the built-in scenario without any file', async () => {
    const { scenarios, problems } = await load()
    expect(problems).toEqual([])
    expect(scenarios.map(({ name, start, source }) => [name, start, source])).toEqual([['plan', 'plan', 'built-in']])
    expect(scenarios[0]?.phases.map(({ name, readOnly }) => [name, readOnly])).toEqual([['plan', true], ['build', undefined]]) // prettier-ignore
  })

  it('reads YAML and JSON of the user and of a trusted project [SCENARIO-files]', async () => {
    write('config/scenarios/fix.yaml', fix)
    write('project/.rxpi/scenarios/own.json', json({ phases: phases('one') }))
    expect((await load()).scenarios.map(({ name }) => name)).toEqual(['fix', 'plan'])
    const { scenarios, problems } = await load({ project: at('project') })
    expect(problems).toEqual([])
    expect(scenarios.map(({ name, source }) => [name, source])).toEqual([
      ['fix', 'user'],
      ['plan', 'built-in'],
      ['own', 'project'],
    ])
    expect(scenarios[0]).toEqual({
      name: 'fix',
      description: 'find the cause, then repair it',
      source: 'user',
      path: at('config/scenarios/fix.yaml'),
      start: 'look',
      phases: [
        {
          name: 'look',
          description: 'reading only',
          prompt: 'Find the cause.\n',
          tools: ['read', 'grep', 'bash'],
          readOnly: true,
          stop: { turns: 20, tools: ['ask'] },
          transitions: [{ to: 'repair', on: 'tool', tool: 'bash', result: 'error', contains: 'FAIL' }],
        },
        { name: 'repair', model: 'anthropic/claude-x', transitions: [] },
      ],
    })
  })

  it.each([
    ['a.json', '{', /not valid JSON/],
    ['a.yaml', 'phases: [', /not valid YAML/],
    ['a.yaml', '', /not valid YAML: .*empty/],
    ['a.yaml', '- a', /it must be/],
    ['a.json', '{"phases": []}', /description/],
    ['a.json', json({ phases: [] }), /phases must not be empty/],
    ['a.json', json({ phases: [{}] }), /phases\/0 needs the field "name"/],
    ['a.json', json({ phases: [{ name: 'A b' }] }), /phases\/0\/name must/],
    ['a.json', json({ phases: [{ name: 'a', tools: 'read' }] }), /phases\/0\/tools must be a list/],
    ['a.json', json({ phases: [{ name: 'a', capabilities: ['fly'] }] }), /capabilities\/0 must be one of/],
    ['a.json', json({ phases: [{ name: 'a', prompt: 'x'.repeat(20_000) }] }), /at most 16,?384/],
    ['a.json', json({ phases: phases('a', 'a') }), /two phases are called a/],
    ['a.json', json({ start: 'buidl', phases: phases('plan', 'build') }), /start names no phase: buidl.*build/],
    ['a.json', json({ phases: [{ name: 'a', transitions: [{ to: 'b', on: 'tool', tool: 'x' }] }] }), /phases\[0\]\.transitions\[0\]\.to names no phase: b/], // prettier-ignore
    ['a.json', json({ phases: [{ name: 'a', transitions: [{ to: 'a', on: 'tool' }] }] }), /transitions\[0\] needs the field tool/], // prettier-ignore
    ['a.json', json({ phases: [{ name: 'a', transitions: [{ to: 'a', on: 'later' }] }] }), /on must be one of/],
    ['a.json', json({ phases: [{ name: 'a', transitions: [{ to: 'a', on: 'plan_accepted', tool: 'x' }] }] }), /belong to on: tool/], // prettier-ignore
    ['B C.json', json({ phases: phases('a') }), /its name "B C" has other characters/],
    ['a.yaml', 'x'.repeat(70_000), /larger than 64 KiB/],
  ])('names file and field: %s, fault %#', async (file, text, message) => {
    write(`config/scenarios/${file}`, text)
    const { scenarios, problems } = await load()
    expect(scenarios.map(({ name }) => name)).toEqual(['plan'])
    expect(problems).toEqual([{ path: at('config/scenarios', file), level: 'error', message: expect.stringMatching(message) as string }]) // prettier-ignore
  })

  it('ignores unknown fields, and says which was meant', async () => {
    write('config/scenarios/a.json', json({ phases: [{ name: 'a', readonly: true }] }))
    const { scenarios, problems } = await load()
    expect(scenarios.map(({ name }) => name)).toEqual(['a', 'plan'])
    expect(problems).toMatchObject([{ level: 'warning', message: expect.stringMatching(/phases\[0\]\.readonly is unknown.*readOnly/) as string }]) // prettier-ignore
  })

  it('lets no project take the place of another scenario, nor name a model that the user has not [S3f]', async () => {
    write('config/scenarios/mine.json', json({ phases: phases('a') }))
    for (const name of ['plan', 'mine']) write(`project/.rxpi/scenarios/${name}.json`, json({ phases: phases('evil') }))
    write('project/.rxpi/scenarios/model.json', json({ phases: [{ name: 'a', model: 'scripted/evil.json' }] }))
    write('outside/a.json', json({ phases: phases('a') }))
    symlinkSync(at('outside/a.json'), at('project/.rxpi/scenarios/out.json'))
    const isKnownModel = (name: string): boolean => name === 'openai/gpt'
    const { scenarios, problems } = await load({ project: at('project'), isKnownModel })
    expect(scenarios.map(({ name, source }) => [name, source])).toEqual([['mine', 'user'], ['plan', 'built-in']]) // prettier-ignore
    expect(problems.map(({ message }) => message).sort()).toEqual([
      expect.stringMatching(/^its name mine is taken by .*mine\.json/),
      'its name plan is taken by rxpi itself, which comes first',
      'phases[0].model names a model that a project cannot choose: scripted/evil.json',
      expect.stringMatching(/^the link leads out of/),
    ])
  })

  it('lets the user replace the built-in scenario, and reads a hundred files at most', async () => {
    for (let count = 0; count < 105; count++)
      write(`config/scenarios/s${String(count).padStart(3, '0')}.json`, json({ phases: phases('a') }))
    write('config/scenarios/a.json', json({ name: 'plan', phases: phases('mine') }))
    const { scenarios, problems } = await load()
    expect(scenarios).toHaveLength(100)
    expect(scenarios.find(({ name }) => name === 'plan')?.source).toBe('user')
    expect(problems).toMatchObject([{ message: 'it has too many files; the first 100 are used' }])
  })
})
