// Tests the progress events of a tool call.
import { describe, expect, it } from 'vitest'
import { createProgressEvents } from '../../../lib/operators/tool-calls/tool-events.ts'

describe('createProgressEvents', () => {
  it('gives each piece the next offset of its kind, or keeps its own', () => {
    const event = createProgressEvents('c')
    const emitted = [
      { type: 'progress', updateType: 'stdout', content: 'abc' },
      { type: 'progress', updateType: 'stderr', content: 'x' },
      { type: 'progress', updateType: 'stdout', content: 'd', offset: 10 },
      { type: 'progress', updateType: 'stdout', content: 'e', progressPercent: 50 },
    ].map((value) => event(value)?.offset)
    expect(emitted).toEqual([0, 0, 10, 11])
  })

  it.each([[null], ['text'], [{}], [{ type: 'progress', updateType: 'stdout' }]])(
    'returns undefined for %j',
    (value) => {
      expect(createProgressEvents('c')(value)).toBeUndefined()
    },
  )
})
