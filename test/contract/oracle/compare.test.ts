// Tests the comparison of two traces.
import { describe, expect, it } from 'vitest'
import { compare } from './compare.ts'
import type { AgentTrace } from './agent-trace.ts'
import type { Difference } from './difference.ts'

const nothing: AgentTrace = { events: [], requests: [], tools: [], transcript: [], promises: [] }
const trace = (...events: string[]): AgentTrace => ({ ...nothing, events })
const differs = (pi: string[], ours: string[]): Difference => ({ part: 'events', pi, ours, because: 'serialAlone' })

describe('compare', () => {
  it('finds no difference between two equal traces', () => {
    expect(compare(trace('AS', 'AE'), trace('AS', 'AE'))).toEqual({ unlisted: [], gone: [], listed: [] })
  })

  it('reports each difference with both sides', () => {
    const { unlisted } = compare(trace('AS', 'TS', 'TE', 'AE'), trace('AS', 'TE', 'TE2', 'AE'))
    expect(unlisted).toEqual([
      { part: 'events', pi: ['TS'], ours: [] },
      { part: 'events', pi: [], ours: ['TE2'] },
    ])
  })

  it('joins removed and added lines at one index', () => {
    const { unlisted } = compare(trace('AS', 'TE(a)', 'AE'), trace('AS', 'TE(b)', 'AE'))
    expect(unlisted).toEqual([{ part: 'events', pi: ['TE(a)'], ours: ['TE(b)'] }])
  })

  it('names the part that differs', () => {
    const { unlisted } = compare({ ...nothing, promises: ['resolves'] }, { ...nothing, promises: ['rejects'] })
    expect(unlisted.map(({ part }) => part)).toEqual(['promises'])
  })

  it('accepts listed differences', () => {
    const listed = differs(['TE(a)'], ['TE(b)'])
    expect(compare(trace('TE(a)'), trace('TE(b)'), [listed])).toEqual({ unlisted: [], gone: [], listed: [listed] })
  })

  it('does not accept a second difference for one that is listed once', () => {
    const { unlisted } = compare(trace('x', 'AS', 'x'), trace('AS'), [differs(['x'], [])])
    expect(unlisted).toHaveLength(1)
  })

  it.each([
    ['fewer lines', differs(['TE(a)', 'AE'], ['TE(b)'])],
    ['other lines', differs(['TE(a)'], ['TE(c)'])],
    ['another part', { ...differs(['TE(a)'], ['TE(b)']), part: 'transcript' as const }],
  ])('does not accept a difference of %s', (_, listed) => {
    const { unlisted, gone } = compare(trace('TE(a)'), trace('TE(b)'), [listed])
    expect([unlisted.length, gone]).toEqual([1, [listed]])
  })

  it('reports a listed difference that no longer exists', () => {
    const listed = differs(['TE(a)'], [])
    expect(compare(trace('AS'), trace('AS'), [listed]).gone).toEqual([listed])
  })
})
