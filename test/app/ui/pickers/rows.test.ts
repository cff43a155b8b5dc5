// Tests the text of picker rows for models and sessions.
import { describe, expect, it } from 'vitest'
import { modelRows } from '../../../../app/ui/pickers/models-picker.tsx'
import type { ListedModel } from '../../../../app/ui/pickers/models-picker.tsx'
import { sessionRow, sessionRows } from '../../../../app/ui/pickers/sessions-picker.tsx'
import type { ListedSession } from '../../../../app/ui/session/choose-session.ts'

const model = (id: string, more: Partial<ListedModel> = {}, facts: object = {}): ListedModel => ({
  model: { id, provider: 'p', api: 'x', inputs: ['text'], reasoning: false, ...facts },
  usable: true,
  served: false,
  ...more,
})

it('lists the current model first, then local, available and other models', () => {
  const listed = [model('locked', { usable: false }), model('far'), model('near', { served: true }), model('mine')]
  const rows = modelRows(listed, 'p/mine')
  expect(rows.map(({ key, mark, isAside }) => [key, mark, isAside])).toEqual([
    ['p/mine', '●', false],
    ['p/near', '○', false],
    ['p/far', '○', false],
    ['p/locked', '–', true],
  ])
  expect(rows[3]?.hint).toBe('needs a key or an account: /login')
})

it('lists the roles of the settings after the current model, with what they stand for', () => {
  const smol = {
    role: 'smol',
    model: 'p/far',
    thinkingLevel: 'low' as const,
    fallbacks: ['p/near'],
    setting: 'models.smol',
  }
  const roles = [smol, { role: 'plan', model: 'p/mine', setting: 'models.plan' }]
  const rows = modelRows([model('far'), model('mine')], 'p/mine', roles)
  expect(rows.map(({ key, hint }) => [key, hint])).toEqual([
    ['p/mine', 'in use'],
    ['@smol', 'p/far:low, else p/near · models.smol'],
    ['@plan', 'p/mine · models.plan'],
    ['p/far', ''],
  ])
  expect(modelRows([model('far')], 'p/gone', roles).map(({ key }) => key)).toEqual(['@smol', '@plan', 'p/far'])
})

it('shows window, price and features of a model', () => {
  const facts = { name: 'Big One', contextWindow: 1_048_576, prices: { input: 2, output: 8 }, reasoning: true }
  const [row] = modelRows([model('big', {}, { ...facts, inputs: ['text', 'image'] })], '')
  expect(row?.hint).toBe('Big One · 1M tokens · $2/$8 per million · thinks · sees images')
})

const session: ListedSession = {
  id: 'aaaaaaaaaaaa',
  createdAt: 0,
  updatedAt: 0,
  size: 1,
  file: '/f',
  isLatest: false,
  cwd: '/home/ada/project',
  firstWords: 'Fix the build',
  messages: 4,
}
const options = { now: 120_000, current: undefined, home: '/home/ada', showsFolder: false }

describe('sessionRow', () => {
  it('shows its title, else its first prompt', () => {
    expect(sessionRow(session, options)).toMatchObject({ label: 'Fix the build', hint: '2 min ago · 4 messages' })
    expect(sessionRow({ ...session, title: 'Build' }, options).label).toBe('Build')
  })

  it('marks a running session, and with priority one that waits for an answer', () => {
    const row = (live: { running: boolean; asking: number }) => sessionRow({ ...session, live }, options)
    expect(row({ running: true, asking: 0 })).toMatchObject({
      mark: '▶',
      hint: expect.stringContaining('running') as string,
    })
    expect(row({ running: true, asking: 1 })).toMatchObject({
      mark: '?',
      hint: expect.stringContaining('waits for your answer') as string,
    })
  })

  it('shortens folders below the home folder', () => {
    expect(sessionRow(session, { ...options, showsFolder: true }).hint).toContain('~/project')
  })
})

describe('sessionRows', () => {
  const row = (id: string, parent?: string) => ({
    ...session,
    id,
    firstWords: id,
    ...(parent === undefined ? {} : { parent: { sessionId: parent, entryId: 'abcdefg2' } }),
  })
  const labels = (...sessions: ReturnType<typeof row>[]) => sessionRows(sessions, options).map(({ label }) => label)

  it('puts branches below their parent, the latest family first [FIRST-lists]', () => {
    expect(labels(row('c', 'a'), row('b'), row('d', 'c'), row('a'))).toEqual(['a', '└ c', '  └ d', 'b'])
  })

  it('keeps a branch without its parent, and parents in a circle', () => {
    expect(labels(row('b', 'x'), row('c', 'd'), row('d', 'c'))).toHaveLength(3)
  })

  it('shows the last words in a column of their own [FIRST-lists]', () => {
    expect(sessionRow({ ...session, lastWords: 'All mended' }, options)).toMatchObject({
      label: 'Fix the build',
      second: 'All mended',
      hint: '2 min ago · 4 messages',
    })
  })
})
