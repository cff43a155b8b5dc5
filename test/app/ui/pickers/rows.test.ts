// Tests the text of picker rows for models and sessions.
import { describe, expect, it } from 'vitest'
import { modelRows } from '../../../../app/ui/pickers/models-picker.tsx'
import type { ListedModel } from '../../../../app/ui/pickers/models-picker.tsx'
import { sessionRow } from '../../../../app/ui/pickers/sessions-picker.tsx'
import type { ListedSession } from '../../../../app/ui/pickers/sessions-picker.tsx'

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
  expect(rows[3]?.hint).toBe('needs a key: /login')
})

it('shows window, price and features of a model', () => {
  const facts = { name: 'Big One', contextWindow: 1_048_576, prices: { input: 2, output: 8 }, reasoning: true }
  const [row] = modelRows([model('big', {}, { ...facts, inputs: ['text', 'image'] })], '')
  expect(row?.hint).toBe('Big One · 1M tokens · $2/$8 per million · thinks · sees images')
})

describe('sessionRow', () => {
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
