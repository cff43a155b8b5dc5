// Tests that a soak passes only without growth, leftovers and faults.
import { expect, it } from 'vitest'
import { isReached } from '../../../bench/report-text.ts'
import type { Sample } from '../../../bench/soak/sample.ts'
import { activitiesOf } from '../../../bench/soak/activities.ts'
import type { Rest } from '../../../bench/soak/final-visit.ts'
import { ownFaultsOf, soakReport } from '../../../bench/soak/soak-report.ts'
import type { Soaked } from '../../../bench/soak/soaked.ts'

const still: Sample = {
  atMs: 0,
  rssMiB: 100,
  heapMiB: 40,
  descriptors: 50,
  processes: 1,
  programs: { sh: 1 },
  threads: 10,
  watches: 0,
  sessions: 0,
  running: 0,
  clients: 1,
  cpuS: 1,
}
const rest: Rest = { sample: still, alive: { timers: 3, sockets: 7, children: 1, threads: 1 } }
const restWith = (sample: Partial<Sample>, alive: Partial<Rest['alive']> = {}): Rest => ({
  sample: { ...still, ...sample },
  alive: { ...rest.alive, ...alive },
})
/** Of half an hour, one each 5 s; it grows at one rate in the first five minutes, and at another after them. */
const samplesOf = (change: (minute: number) => Partial<Sample>, minutes = 30): Sample[] =>
  Array.from({ length: minutes * 12 }, (_, index) => ({ ...still, atMs: index * 5_000, ...change(index / 12) }))

const good: Soaked = {
  options: {
    minutes: 30,
    warmUpMinutes: 2,
    parts: 3,
    sessions: 50,
    clients: 20,
    editors: 2,
    seed: 1,
    sampleS: 5,
    everyMs: 1_500,
    runs: 20,
    restAfterS: 20,
  },
  samples: samplesOf((minute) => ({ rssMiB: 100 + 40 * Math.min(minute, 5) + (Math.round(minute * 12) % 7) })),
  cold: rest,
  before: rest,
  after: rest,
  rests: [rest, rest, rest],
  counts: {},
  faults: [],
  ownFaults: [],
  standardError: [],
  ended: 'exit code 0',
  logs: 3,
  comparedStates: 9,
  orphans: [],
  leftFiles: [],
}
const missed = (soaked: Soaked): string[] =>
  soakReport(soaked).targets.flatMap((target) => (isReached(target) === false ? [target.what] : []))

it('passes if nothing grows after five minutes', () => {
  expect(missed(good)).toEqual([])
  expect(soakReport(good).targets.filter((target) => isReached(target) === undefined)).toEqual([])
})

const more = (what: string): string => `at rest, more than after the warm-up: ${what}`

it.each<[string, Partial<Soaked>, string]>([
  [
    'memory',
    { rests: [{ rssMiB: 100 }, { rssMiB: 113 }, { rssMiB: 125 }].map((each) => restWith(each)) },
    'at rest: resident memory, growth a minute of load',
  ],
  ['the heap', { samples: samplesOf((minute) => ({ heapMiB: 1.2 * minute })) }, 'heap, growth a minute'],
  ['descriptors', { samples: samplesOf((minute) => ({ descriptors: 2 * minute })) }, 'descriptors, growth a minute'],
  ['processes', { samples: samplesOf((minute) => ({ processes: minute })) }, 'processes, growth a minute'],
  ['threads', { samples: samplesOf((minute) => ({ threads: minute })) }, 'threads, growth a minute'],
  ['open files', { after: restWith({ descriptors: 53 }) }, more('descriptors')],
  ['a thread', { after: restWith({ threads: 13 }) }, more('threads')],
  ['a watched file', { after: restWith({ watches: 1 }) }, more('watched files')],
  ['a larger heap', { after: restWith({ heapMiB: 46 }) }, more('heap')],
  ['timers', { after: restWith({}, { timers: 104 }) }, more('timers')],
  ['sockets', { after: restWith({}, { sockets: 12 }) }, more('sockets')],
  ['ended processes', { after: restWith({}, { children: 4 }) }, more('child processes that it holds')],
  ['a worker', { after: restWith({}, { threads: 2 }) }, more('threads of extensions')],
  ['a process', { after: restWith({ processes: 4 }) }, 'at rest: processes (the guardian and its watch)'],
  ['a session', { after: restWith({ sessions: 1 }) }, 'at rest: sessions in memory'],
  ['an orphan', { orphans: ['bash'] }, 'after the end: processes'],
  ['a file', { leftFiles: ['rxpi-x'] }, 'after the end: temporary files'],
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

it('has faults of its own if it stood still, or has not done everything in five minutes', () => {
  const done = Object.fromEntries(
    [
      'runs: error',
      'model: stream, cut',
      'calls: bash, ok',
      'commands that tried to leave the sandbox',
      'jobs: of tool',
    ]
      .concat('jobs: stopped', 'calls: MCP die, error', 'MCP servers killed', 'calls: soak_plain, ok', 'reload: ok')
      .concat('calls: soak_isolated, error', 'compactions: threshold', 'compactions: manual', 'stays: cut')
      .concat('stays: over the gateway', 'editors: dies', 'readers killed', 'files of a client: read, answers')
      .concat('files of a client: write, answers')
      .map((name) => [name, 2]),
  )
  expect(ownFaultsOf({ ...good, counts: done })).toEqual([])
  expect(ownFaultsOf({ ...good, counts: done, ownFaults: ['it stood still'] })).toEqual(['it stood still'])
  const { 'MCP servers killed': _, ...rest } = done
  expect(ownFaultsOf({ ...good, counts: rest })).toEqual(['It has done nothing of this: MCP servers killed'])
  expect(ownFaultsOf({ ...good, counts: rest, options: { ...good.options, minutes: 4 } })).toEqual([])
  expect(activitiesOf(done).find(({ what }) => what === 'calls of MCP servers')?.times).toBe(2)
})
