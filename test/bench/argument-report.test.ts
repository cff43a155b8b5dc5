// Tests the report of long arguments: cut runs of pi are marked, compiling runs are separate.
import { expect, it } from 'vitest'
import { argumentReport } from '../../bench/argument-report.ts'

const samples = { characters: 200, pieces: 10, cold: [90, 50], ours: [10, 12, 11], states: [1, 2, 30] }

it('compares the compiled runs and the dearest state read with their limits', () => {
  expect(argumentReport(samples).targets.map(({ measured, limit }) => [measured, limit])).toEqual([
    [11, 25],
    [30, 20],
  ])
})

it.each([
  [10, false],
  [4, true],
])('if pi took %d of 10 pieces, reports that it was cut: %s', (pieces, cut) => {
  const { notes } = argumentReport({ ...samples, pi: { cpu: 60_000, pieces } })
  expect(notes.some((note) => note.includes(`${pieces} of 10`))).toBe(cut)
})
