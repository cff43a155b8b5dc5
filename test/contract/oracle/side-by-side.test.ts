import { expect, it } from 'vitest'
import type { Course } from './course.ts'
import { sideBySide } from './side-by-side.ts'

const nothing: Course = { events: [], requests: [], tools: [], transcript: [], promises: [] }

it('puts both courses side by side and marks where they part', () => {
  const pi = { ...nothing, events: ['AS', 'TS', 'TE(stop)', 'AE'] }
  const ours = { ...nothing, events: ['AS', 'TS', 'TE()', 'SET', 'AE'] }
  expect(sideBySide(pi, ours).split('\n')).toEqual([
    '— pi: events  ours: events',
    '  AS          AS',
    '  TS          TS',
    '≠ TE(stop)    TE()',
    '≠             SET',
    '  AE          AE',
  ])
})
