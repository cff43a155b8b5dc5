// Tests that a soak passes only without growth, leftovers and faults.
import { expect, it } from 'vitest'
import { isReached } from '../../../bench/report-text.ts'
import type { Sample } from '../../../bench/soak/sample.ts'
import { soakReport } from '../../../bench/soak/soak-report.ts'
import type { Soaked } from '../../../bench/soak/soak.ts'

const still: Sample = {
  atMs: 0,
  rssMiB: 100,
  heapMiB: 40,
  descriptors: 50,
  processes: 1,
  sessions: 0,
  running: 0,
  clients: 1,
  cpuS: 1,
}
/** Of half an hour, one each 5 s; it grows at one rate in the first five minutes, and at another after them. */
const samplesOf = (change: (minute: number) => Partial<Sample>, minutes = 30): Sample[] =>
  Array.from({ length: minutes * 12 }, (_, index) => ({ ...still, atMs: index * 5_000, ...change(index / 12) }))

const good: Soaked = {
  options: {
    minutes: 30,
    warmUpMinutes: 2,
    sessions: 50,
    clients: 20,
    seed: 1,
    sampleS: 5,
    everyMs: 1_500,
    runs: 20,
    restAfterS: 20,
  },
  samples: samplesOf((minute) => ({ rssMiB: 100 + 40 * Math.min(minute, 5) + (Math.round(minute * 12) % 7) })),
  cold: still,
  before: still,
  after: still,
  counts: {},
  faults: [],
  standardError: [],
  ended: 'exit code 0',
  logs: 3,
  comparedStates: 9,
  orphans: 0,
}
const missed = (soaked: Soaked): string[] =>
  soakReport(soaked).targets.flatMap((target) => (isReached(target) === false ? [target.what] : []))

it('passes if nothing grows after five minutes', () => {
  expect(missed(good)).toEqual([])
  expect(soakReport(good).targets.filter((target) => isReached(target) === undefined)).toEqual([])
})

it.each<[string, Partial<Soaked>, string]>([
  ['memory', { samples: samplesOf((minute) => ({ rssMiB: 100 + 1.2 * minute })) }, 'resident memory, growth a minute'],
  ['the heap', { samples: samplesOf((minute) => ({ heapMiB: 1.2 * minute })) }, 'heap, growth a minute'],
  ['descriptors', { samples: samplesOf((minute) => ({ descriptors: 2 * minute })) }, 'descriptors, growth a minute'],
  ['processes', { samples: samplesOf((minute) => ({ processes: minute })) }, 'processes, growth a minute'],
  ['open files', { after: { ...still, descriptors: 53 } }, 'descriptors in the end beside the warm-up’s'],
  ['a larger heap', { after: { ...still, heapMiB: 46 } }, 'heap that is held in the end beside the warm-up’s'],
  ['a process', { after: { ...still, processes: 4 } }, 'processes in the end: the guardian and its watch'],
  ['a session', { after: { ...still, sessions: 1 } }, 'sessions in memory in the end'],
  ['an orphan', { orphans: 1 }, 'processes left when the server has ended'],
  ['a warning', { standardError: ['(node:1) Warning'] }, 'lines on standard error'],
  ['a fault', { faults: ['a log does not verify'] }, 'faults (the server: exit code 0)'],
  ['a crash', { ended: 'SIGSEGV' }, 'faults (the server: SIGSEGV)'],
])('fails for %s', (_, change, what) => {
  expect(missed({ ...good, ...change })).toEqual([what])
})

it('reports no growth if it was too short, and lists every fault', () => {
  const report = soakReport({
    ...good,
    samples: good.samples.slice(0, 100),
    faults: ['one', 'other'],
    standardError: ['said'],
  })
  expect(report.targets.filter(({ measured }) => measured === undefined).map(({ what }) => what)).toHaveLength(4)
  expect(report.notes.slice(-3)).toEqual(['one', 'other', 'standard error: said'])
})
