// Tests the comparison of two courses.
import { describe, expect, it } from 'vitest'
import { compare } from './compare.ts'
import type { Course } from './course.ts'
import type { Difference } from './difference.ts'

const nothing: Course = { events: [], requests: [], tools: [], transcript: [], promises: [] }
const course = (...events: string[]): Course => ({ ...nothing, events })
const differs = (pi: string[], ours: string[]): Difference => ({ part: 'events', pi, ours, because: 'serialAlone' })

describe('compare', () => {
  it('finds no difference between two equal courses', () => {
    expect(compare(course('AS', 'AE'), course('AS', 'AE'))).toEqual({ unlisted: [], gone: [], listed: [] })
  })

  it('reports each difference with both sides', () => {
    const { unlisted } = compare(course('AS', 'TS', 'TE', 'AE'), course('AS', 'TE', 'TE2', 'AE'))
    expect(unlisted).toEqual([
      { part: 'events', pi: ['TS'], ours: [] },
      { part: 'events', pi: [], ours: ['TE2'] },
    ])
  })

  it('joins removed and added lines at one index', () => {
    const { unlisted } = compare(course('AS', 'TE(a)', 'AE'), course('AS', 'TE(b)', 'AE'))
    expect(unlisted).toEqual([{ part: 'events', pi: ['TE(a)'], ours: ['TE(b)'] }])
  })

  it('names the part that differs', () => {
    const { unlisted } = compare({ ...nothing, promises: ['resolves'] }, { ...nothing, promises: ['rejects'] })
    expect(unlisted.map(({ part }) => part)).toEqual(['promises'])
  })

  it('accepts listed differences', () => {
    const listed = differs(['TE(a)'], ['TE(b)'])
    expect(compare(course('TE(a)'), course('TE(b)'), [listed])).toEqual({ unlisted: [], gone: [], listed: [listed] })
  })

  it('does not accept a second difference for one that is listed once', () => {
    const { unlisted } = compare(course('x', 'AS', 'x'), course('AS'), [differs(['x'], [])])
    expect(unlisted).toHaveLength(1)
  })

  it.each([
    ['fewer lines', differs(['TE(a)', 'AE'], ['TE(b)'])],
    ['other lines', differs(['TE(a)'], ['TE(c)'])],
    ['another part', { ...differs(['TE(a)'], ['TE(b)']), part: 'transcript' as const }],
  ])('does not accept a difference of %s', (_, listed) => {
    const { unlisted, gone } = compare(course('TE(a)'), course('TE(b)'), [listed])
    expect([unlisted.length, gone]).toEqual([1, [listed]])
  })

  it('reports a listed difference that no longer exists', () => {
    const listed = differs(['TE(a)'], [])
    expect(compare(course('AS'), course('AS'), [listed]).gone).toEqual([listed])
  })
})
