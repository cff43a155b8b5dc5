// Tests the view of two traces side by side.
import { expect, it } from 'vitest'
import type { AgentTrace } from './agent-trace.ts'
import { sideBySide } from './side-by-side.ts'

const nothing: AgentTrace = { events: [], requests: [], tools: [], transcript: [], promises: [] }

it('shows both traces side by side and marks their differences', () => {
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
