// Tests the parts of the status line.
import { describe, expect, it } from 'vitest'
import { statusParts } from '../../../../app/ui/status/status-parts.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'
import { noUsage } from '../../../../lib/streams/messages/message.ts'

const usage = { ...noUsage, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 } }
const view: View = {
  ...emptyView(),
  connection: 'connected',
  session: { id: 'abcdefghij23', cwd: '/proj/x', title: 'Mend it' },
  model: 'p/m',
  thinkingLevel: 'high',
  usage,
  contextTokens: 12_345,
  contextWindow: 200_000,
}

function line(options: View, columns = 200, branch: string | undefined = 'main'): string {
  return statusParts(options, branch, columns)
    .map(({ text }) => text)
    .join(' · ')
}

describe('the status line', () => {
  it('shows folder, model, tokens and cost', () => {
    expect(line(view)).toBe('p/m · thinks high · /proj/x (main) · 12k/200k (6 %) · $0.50 · Mend it')
  })

  it.each<[string, Partial<View>, string]>([
    ['that the server is lost', { connection: 'reconnecting' }, '! server lost, reconnecting'],
    ['that the server was stopped', { connection: 'stopped' }, '! server stopped'],
    ['what waits', { queue: [{ queueId: 'a', queue: 'steering', content: 'x' }] }, '1 waiting'],
    ['that nothing can be sent', { session: { id: 'a', cwd: '/', title: '', readOnly: 'held' } }, 'read-only'],
    ['tokens if the window is unknown', { contextTokens: 900 }, '900'],
    ['a small cost', { usage: { ...usage, cost: { ...usage.cost, total: 0.001 } } }, '< $0.01'],
    ['the model of the active run [MODEL-footer]', { running: { since: 0, model: 'b/y' } }, 'b/y · thinks'],
    ['that there is no model [MODEL-none]', { model: '' }, 'no model: /login or /model · thinks'],
    ['a hostile model as text', { model: 'x\u001b[2J' }, 'x␛[2J'],
  ])('shows %s', (_, more, words) => {
    expect(line({ ...view, ...more })).toContain(words)
  })

  it.each([60, 40, 30, 20, 10, 3])('fits into %i cells; the least important part goes first', (columns) => {
    expect(line(view, columns).length).toBeLessThanOrEqual(columns)
  })

  it('drops the model last', () => {
    expect(line(view, 40)).toContain('p/m')
    expect(line(view, 40)).not.toContain('Mend it')
  })

  it.each([
    ['openrouter/anthropic/claude-sonnet-4-5', 60, 'openrouter/anthropic/claude-sonnet-4-5 · /proj/x (main)'],
    ['openrouter/anthropic/claude-sonnet-4-5', 30, 'claude-sonnet-4-5 · $0.50'],
    ['openrouter/anthropic/claude-sonnet-4-5', 12, 'claude-sonn…'],
    ['odd/', 12, 'odd/ · $0.50'],
  ])('shortens %s in %i cells', (model, columns, words) => {
    expect(line({ ...view, model, contextTokens: 0 }, columns)).toBe(words)
  })
})
