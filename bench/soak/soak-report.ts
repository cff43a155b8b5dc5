// Judges a soak: each figure beside its limit, all faults, and the samples minute by minute.
import type { Report, Table, Target } from '../report.ts'
import type { Sample } from './sample.ts'
import { slope } from './slope.ts'
import type { Soaked } from './soak.ts'

/** Minutes until the allocator has settled: earlier samples are in no slope. */
const settledAfter = 5
/** With fewer minutes behind that, a slope means nothing. */
const leastMinutes = 5
/** Descriptors that a server may hold beside those of its first rest. */
const extraDescriptors = 2
/** Beside the memory after the warm-up, for any number of sessions since: both are measured after a collection. */
const extraHeapMiB = 5
const maxListedFaults = 40

export function soakReport(soaked: Soaked): Report {
  return {
    tables: [sampleTable(soaked.samples), countTable(soaked.counts)],
    targets: targets(soaked),
    notes: notes(soaked),
  }
}

function targets({ samples, before, after, faults, standardError, ended, orphans }: Soaked): Target[] {
  const growth = growthOf(samples)
  return [
    { what: 'resident memory, growth a minute', measured: growth((each) => each.rssMiB), limit: 1, unit: ' MiB' },
    { what: 'heap, growth a minute', measured: growth((each) => each.heapMiB), limit: 1, unit: ' MiB' },
    { what: 'descriptors, growth a minute', measured: growth((each) => each.descriptors), limit: 1, unit: '' },
    { what: 'processes, growth a minute', measured: growth((each) => each.processes), limit: 0.5, unit: '' },
    {
      what: 'descriptors in the end beside the warm-up’s',
      measured: after.descriptors - before.descriptors,
      limit: extraDescriptors,
      unit: '',
    },
    {
      what: 'heap that is held in the end beside the warm-up’s',
      measured: after.heapMiB - before.heapMiB,
      limit: extraHeapMiB,
      unit: ' MiB',
    },
    { what: 'processes in the end: the guardian and its watch', measured: after.processes, limit: 3, unit: '' },
    { what: 'sessions in memory in the end', measured: after.sessions, limit: 0, unit: '' },
    { what: 'processes left when the server has ended', measured: orphans, limit: 0, unit: '' },
    { what: 'lines on standard error', measured: standardError.length, limit: 0, unit: '' },
    {
      what: `faults (the server: ${ended})`,
      measured: faults.length + (ended === 'exit code 0' ? 0 : 1),
      limit: 0,
      unit: '',
    },
  ]
}

/** Undefined if it was too short. */
function growthOf(samples: readonly Sample[]): (figure: (sample: Sample) => number) => number | undefined {
  const minutes = (sample: Sample): number => sample.atMs / 60_000
  const settled = samples.filter((sample) => minutes(sample) >= settledAfter)
  const [first, last] = [settled[0], settled.at(-1)]
  const isLong = first !== undefined && last !== undefined && minutes(last) - minutes(first) >= leastMinutes
  return (figure) => (isLong ? slope(settled.map((sample) => ({ x: minutes(sample), y: figure(sample) }))) : undefined)
}

function sampleTable(samples: readonly Sample[]): Table {
  const byMinute = Map.groupBy(samples, ({ atMs }) => Math.floor(atMs / 60_000))
  const mean = (of: readonly Sample[], figure: (sample: Sample) => number): number =>
    of.reduce((sum, each) => sum + figure(each), 0) / of.length
  return {
    title: 'the server, minute by minute (means)',
    columns: [
      { title: 'minute' },
      { title: 'resident MiB' },
      { title: 'heap MiB' },
      { title: 'descriptors' },
      { title: 'processes', digits: 1 },
      { title: 'sessions', digits: 1 },
      { title: 'running', digits: 1 },
      { title: 'clients', digits: 1 },
      { title: 'CPU s' },
    ],
    rows: [...byMinute].map(([minute, of]) => [
      String(minute + 1),
      mean(of, (each) => each.rssMiB),
      mean(of, (each) => each.heapMiB),
      mean(of, (each) => each.descriptors),
      mean(of, (each) => each.processes),
      mean(of, (each) => each.sessions),
      mean(of, (each) => each.running),
      mean(of, (each) => each.clients),
      of.at(-1)?.cpuS,
    ]),
  }
}

function countTable(counts: Soaked['counts']): Table {
  return {
    title: 'what happened',
    columns: [{ title: '' }, { title: 'times' }],
    rows: Object.entries(counts).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  }
}

function notes({ options, faults, standardError, logs, comparedStates, cold, before, after }: Soaked): string[] {
  const { minutes, sessions, clients, seed } = options
  const problems = [...faults, ...standardError.map((line) => `standard error: ${line}`)]
  return [
    `${minutes} minutes, ${sessions} sessions at a time, ${clients} clients, seed ${seed}`,
    `${logs} logs verified; ${comparedStates} states that clients held were folded from the logs again`,
    `at rest: ${[cold, before, after].map(({ rssMiB, heapMiB }) => `${rssMiB.toFixed(0)} MiB, heap ${heapMiB.toFixed(1)}`).join('; ')}: before the first session, after the warm-up, in the end`,
    `growth: the line of least squares through the samples from minute ${settledAfter} on`,
    ...problems.slice(0, maxListedFaults),
    ...(problems.length > maxListedFaults ? [`… and ${problems.length - maxListedFaults} more`] : []),
  ]
}
