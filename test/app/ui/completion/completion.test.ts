// Tests the search for completions of commands and files.
import { lastValueFrom } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { completionAt } from '../../../../app/ui/completion/completion.ts'
import { commandsFor, fileSuggestion, findSuggestions } from '../../../../app/ui/completion/find-suggestions.ts'
import { slashCommands } from '../../../../app/ui/commands/slash-commands.ts'
import { unitsOf } from '../../../../app/ui/editor/unit.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { fakeUi } from '../../../support/fake-ui.ts'
import { resultOf } from '../../../support/result-of.ts'

describe('completionAt', () => {
  it.each<readonly [string, unknown]>([
    ['|', undefined],
    ['/|', { kind: 'command', query: '', from: 0 }],
    ['/he|lp', { kind: 'command', query: 'he', from: 0 }],
    ['/model gpt|', undefined],
    ['/model @|', { kind: 'role', query: '', from: 7 }],
    ['/models @sm|ol', { kind: 'role', query: 'sm', from: 8 }],
    ['/model @smol |', undefined],
    ['/scenario |', { kind: 'scenario', query: '', from: 10 }],
    ['/scenario re|pair', { kind: 'scenario', query: 're', from: 10 }],
    ['/scenario repair the|', undefined],
    ['a /scenario re|', undefined],
    ['a /he|', undefined],
    ['a\n/he|', undefined],
    ['@|', { kind: 'file', query: '', from: 0 }],
    ['see @src/a|', { kind: 'file', query: 'src/a', from: 4 }],
    ['one\n@b|', { kind: 'file', query: 'b', from: 4 }],
    ['a@b|', undefined],
    ['@a b|', undefined],
    ['@"a b|', { kind: 'file', query: 'a b', from: 0 }],
    ['@"a b" c|', undefined],
    ['@a @b|', { kind: 'file', query: 'b', from: 3 }],
    ['/x @b|', { kind: 'file', query: 'b', from: 3 }],
  ])('of %j', (text, requests) => {
    const [left = '', right = ''] = text.split('|')
    const cursor = unitsOf(left).length
    expect(completionAt({ units: [...unitsOf(left), ...unitsOf(right)], cursor })).toEqual(requests)
  })
})

describe('the names behind /scenario', () => {
  const phases = [
    { name: 'plan', readOnly: true, description: 'reads' },
    { name: 'build', readOnly: false },
  ]
  const scenarios = [{ name: 'plan', description: 'first plan', source: 'built-in', start: 'plan', phases }]
  const session = { id: 'abcdefghij23', cwd: '/proj', title: '' }

  it.each([
    ['', ['plan ', 'plan:plan ', 'plan:build ', 'off ']],
    ['plan:b', ['plan:build ']],
    ['of', ['off ']],
    ['zzz', []],
  ])('for %j', async (query, values) => {
    const { ui } = fakeUi({
      view: { ...emptyView(), session },
      answers: { list_scenarios: { scenarios, problems: [] } },
    })
    const found = await resultOf(findSuggestions(ui)({ kind: 'scenario', query, from: 10 }))
    expect(found.map(({ value }) => value)).toEqual(values)
  })

  it('are none if the server cannot say', async () => {
    const answers = { list_scenarios: new Failure('unknown_command', 'no') }
    const { ui } = fakeUi({ view: { ...emptyView(), session }, answers })
    expect(await resultOf(findSuggestions(ui)({ kind: 'scenario', query: '', from: 10 }))).toEqual([])
  })
})

describe('the roles behind /model @', () => {
  const session = { id: 'abcdefghij23', cwd: '/proj', title: '' }
  const roles = [{ role: 'smol', model: 'p/small', thinkingLevel: 'low', setting: 'models.smol' }]
  const find = (query: string, answer: unknown) => {
    const { ui } = fakeUi({ view: { ...emptyView(), session }, answers: { list_models: answer } })
    return resultOf(findSuggestions(ui)({ kind: 'role', query, from: 7 }))
  }

  it('have their models, and the names alone if the server cannot say [CONFIG-role_by_name]', async () => {
    expect(await find('sm', { models: [], total: 0, endpoints: [], roles })).toEqual([
      { label: 'smol', value: '@smol ', description: 'p/small:low' },
    ])
    const all = await find('', new Failure('unknown_command', 'no'))
    expect(all.map(({ label }) => label)).toEqual(['default', 'smol', 'slow', 'plan', 'commit', 'vision', 'summary'])
    expect(new Set(all.map(({ description }) => description))).toEqual(new Set(['not set: the usual model']))
  })
})

describe('commandsFor', () => {
  const labels = (query: string) => commandsFor(slashCommands, query).map(({ value }) => value)

  it.each([
    ['the', '/theme '],
    ['exp', '/export '],
    ['ren', '/rename '],
    ['conf', '/config '],
  ])('finds %j', (query, best) => {
    expect(labels(query)[0]).toBe(best)
  })

  it.each([
    ['', ['/model ', '/undo ', '/diff ', '/tree ', '/resume ']],
    ['re', ['/resume ', '/reload ', '/rename ']],
    ['m', ['/model ']],
    ['ex', ['/export ', '/extensions ', '/exit ']],
  ])('ranks by use, and begins with exact prefixes: %j [SCREEN-completion]', (query, first) => {
    expect(labels(query).slice(0, first.length)).toEqual(first)
  })

  it('puts the whole name before longer ones that are used more [SCREEN-completion]', () => {
    const [first] = slashCommands
    const commands = ['newest', 'news', 'new'].map((name) => ({
      ...first,
      name,
      description: '',
      run: () => undefined,
    }))
    expect(commandsFor(commands, 'new').map(({ value }) => value)).toEqual(['/new ', '/newest ', '/news '])
  })

  it('returns each command once, and all commands for an empty text', () => {
    expect(labels('')).toHaveLength(slashCommands.length)
    expect(labels('zzz')).toEqual([])
  })
})

describe('findSuggestions', () => {
  const view = { ...emptyView(), session: { id: 'abcdefghij23', cwd: '/project', title: '' } }
  const find = (answer: unknown) => {
    const { ui, requests } = fakeUi({ view, answers: { find_files: answer } })
    const found$ = findSuggestions(ui)({ kind: 'file', query: 'a', from: 0 })
    return { requests, found: () => lastValueFrom(found$, { defaultValue: [] }) }
  }

  it('requests files from the server', async () => {
    const { requests, found } = find({ files: ['src/', 'a b.md'], more: false, complete: true })
    expect(await found()).toEqual([
      { label: 'src/', value: '@src/' },
      { label: 'a b.md', value: '@"a b.md" ' },
    ])
    expect(requests).toEqual([
      { type: 'find_files', session: 'abcdefghij23', query: 'a', limit: 50 },
      { type: 'find_resources', session: 'abcdefghij23', query: 'a', limit: 50 },
    ])
  })

  it('has resources of MCP servers beside files, also if files fail', async () => {
    const { ui } = fakeUi({
      view,
      answers: {
        find_files: new Failure('storage', 'gone'),
        find_resources: { servers: [{ server: 'a', resources: 1 }], resources: [], more: false },
      },
    })
    const found = await lastValueFrom(findSuggestions(ui)({ kind: 'file', query: 'a', from: 0 }), { defaultValue: [] })
    expect(found).toEqual([{ label: 'a:', value: '@a:', description: '1 resource of an MCP server' }])
  })

  it('returns nothing if the server fails', async () => {
    expect(await find(new Failure('read_only', 'gone')).found()).toEqual([])
  })

  it.each([
    ['src/a.ts', '@src/a.ts '],
    ['src/', '@src/'],
    ['my dir/', '@"my dir/'],
    ['my file', '@"my file" '],
  ])('inserts %j as %j', (path, value) => {
    expect(fileSuggestion(path).value).toBe(value)
  })
})
