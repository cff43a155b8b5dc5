// Judges a soak: each figure beside its limit, all faults, and what has happened.
import type { Report, Table, Target } from '../report.ts'
import { activitiesOf } from './activities.ts'
import { restingProcesses } from './final-visit.ts'
import type { Rest } from './final-visit.ts'
import type { Sample } from './sample.ts'
import { slope } from './slope.ts'
import type { Soaked } from './soaked.ts'

/** Minutes until the allocator has settled: earlier samples are in no slope. */
const settledAfter = 5
/** With fewer minutes behind that, a slope means nothing. */
const leastMinutes = 5
/** A soak of so many minutes has done everything at least once. */
const completeMinutes = 5
/**
 * What the server may hold at rest beside that of its first rest, for any number of sessions since. Both are measured
 * after a collection. The allowances are what one connection of the moment, caches that forget after a minute (timers) and
 * code that was loaded meanwhile can be; a leak of each session, call or client is many hundreds in half an hour.
 */
const extra = { descriptors: 2, threads: 2, watches: 0, heapMiB: 5, timers: 100, sockets: 4, children: 2, isolated: 0 }
const maxListedFaults = 40

export function soakReport(soaked: Soaked): Report {
  return {
    tables: [sampleTable(soaked.samples), activityTable(soaked.counts)],
    targets: [memoryTarget(soaked), ...growthTargets(soaked), ...restTargets(soaked), ...endTargets(soaked)],
    notes: notes(soaked),
  }
}

/** The faults of the soak itself: with one of them its verdict means nothing. */
export function ownFaultsOf({ options, ownFaults, counts }: Soaked): readonly string[] {
  const missing = activitiesOf(counts).filter(({ times }) => times === 0)
  const incomplete =
    options.minutes < completeMinutes ? [] : missing.map(({ what }) => `It has done nothing of this: ${what}`)
  return [...ownFaults, ...incomplete]
}

/**
 * From rest to rest. Under load, resident memory goes up and down by hundreds of MiB with the threads of extensions, so
 * that the slope of its samples has a standard error of 5 MiB a minute: docs/decisions/0754-memory-at-rest.md.
 */
function memoryTarget({ rests, options: { minutes, parts } }: Soaked): Target {
  const between = minutes / parts
  const isLong = rests.length > 2 && between >= settledAfter
  return {
    what: 'at rest: resident memory, growth a minute of load',
    measured: isLong ? slope(rests.map(({ sample }, part) => ({ x: part * between, y: sample.rssMiB }))) : undefined,
    ...{ limit: 1, unit: ' MiB' },
  }
}

function growthTargets({ samples }: Soaked): Target[] {
  const growth = growthOf(samples)
  return [
    { what: 'heap, growth a minute', measured: growth((each) => each.heapMiB), limit: 1, unit: ' MiB' },
    { what: 'descriptors, growth a minute', measured: growth((each) => each.descriptors), limit: 1, unit: '' },
    { what: 'processes, growth a minute', measured: growth((each) => each.processes), limit: 0.5, unit: '' },
    { what: 'threads, growth a minute', measured: growth((each) => each.threads), limit: 0.5, unit: '' },
  ]
}

/** At rest, beside the rest after the warm-up. */
function restTargets({ before, after }: Soaked): Target[] {
  const more = (what: string, figure: (rest: Rest) => number, limit: number, unit = ''): Target => ({
    what: `at rest, more than after the warm-up: ${what}`,
    measured: figure(after) - figure(before),
    ...{ limit, unit },
  })
  return [
    more('descriptors', ({ sample }) => sample.descriptors, extra.descriptors),
    more('threads', ({ sample }) => sample.threads, extra.threads),
    more('watched files', ({ sample }) => sample.watches, extra.watches),
    more('heap', ({ sample }) => sample.heapMiB, extra.heapMiB, ' MiB'),
    more('timers', ({ alive }) => alive.timers, extra.timers),
    more('sockets', ({ alive }) => alive.sockets, extra.sockets),
    more('child processes that it holds', ({ alive }) => alive.children, extra.children),
    more('threads of extensions', ({ alive }) => alive.threads, extra.isolated),
    {
      what: 'at rest: processes (the guardian and its watch)',
      measured: after.sample.processes,
      limit: restingProcesses,
      unit: '',
    },
    { what: 'at rest: sessions in memory', measured: after.sample.sessions, limit: 0, unit: '' },
  ]
}

function endTargets({ faults, standardError, ended, orphans, leftFiles }: Soaked): Target[] {
  const all = faults.length + (ended === 'exit code 0' ? 0 : 1)
  return [
    { what: 'after the end: processes', measured: orphans.length, limit: 0, unit: '' },
    { what: 'after the end: temporary files', measured: leftFiles.length, limit: 0, unit: '' },
    { what: 'lines on standard error', measured: standardError.length, limit: 0, unit: '' },
    { what: `faults (the server: ${ended})`, measured: all, limit: 0, unit: '' },
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

/** A row for every five minutes of a long soak, else for each. */
function sampleTable(samples: readonly Sample[]): Table {
  const rowMinutes = (samples.at(-1)?.atMs ?? 0) > 10 * 60_000 ? 5 : 1
  const rows = Map.groupBy(samples, ({ atMs }) => Math.floor(atMs / 60_000 / rowMinutes))
  const mean = (of: readonly Sample[], figure: (sample: Sample) => number): number =>
    of.reduce((sum, each) => sum + figure(each), 0) / of.length
  return {
    title: 'the server (means up to that minute)',
    columns: [
      { title: 'minute' },
      { title: 'resident MiB' },
      { title: 'heap MiB' },
      { title: 'descriptors' },
      { title: 'processes', digits: 1 },
      { title: 'threads', digits: 1 },
      { title: 'watches' },
      { title: 'sessions', digits: 1 },
      { title: 'running', digits: 1 },
      { title: 'clients', digits: 1 },
      { title: 'CPU s' },
    ],
    rows: [...rows].map(([row, of]) => [
      String((row + 1) * rowMinutes),
      mean(of, (each) => each.rssMiB),
      mean(of, (each) => each.heapMiB),
      mean(of, (each) => each.descriptors),
      mean(of, (each) => each.processes),
      mean(of, (each) => each.threads),
      mean(of, (each) => each.watches),
      mean(of, (each) => each.sessions),
      mean(of, (each) => each.running),
      mean(of, (each) => each.clients),
      of.at(-1)?.cpuS,
    ]),
  }
}

function activityTable(counts: Soaked['counts']): Table {
  return {
    title: 'what happened (all counts: --json)',
    columns: [{ title: '' }, { title: 'times' }],
    rows: activitiesOf(counts).map(({ what, times }) => [what, times]),
  }
}

function notes(soaked: Soaked): string[] {
  const { options, faults, standardError, logs, comparedStates, cold, before, rests, orphans, leftFiles } = soaked
  const { minutes, sessions, clients, editors, seed } = options
  const problems = [
    ...faults,
    ...standardError.map((line) => `standard error: ${line}`),
    ...orphans.map((program) => `after the end: the process ${program}`),
    ...leftFiles.map((name) => `after the end: the temporary file ${name}`),
  ]
  return [
    `${minutes} minutes, ${sessions} sessions at a time, ${clients} clients, ${editors} editors, seed ${seed}`,
    `${logs} logs verified; ${comparedStates} states that clients held were folded from the logs again`,
    restText('cold', cold),
    restText('after the warm-up', before),
    ...rests.map((rest, part) => restText(`after part ${part + 1} of ${rests.length}`, rest)),
    loadText(soaked),
    `growth: the line of least squares through the samples from minute ${settledAfter} on`,
    ...problems.slice(0, maxListedFaults),
    ...(problems.length > maxListedFaults ? [`… and ${problems.length - maxListedFaults} more`] : []),
  ]
}

function loadText({ samples, options: { minutes, parts } }: Soaked): string {
  const lowest = Array.from({ length: parts }, (_, part) => {
    const end = Math.ceil((samples.length * (part + 1)) / parts)
    return Math.min(...samples.slice(Math.floor((samples.length * part) / parts), end).map(({ rssMiB }) => rssMiB))
  })
  const growth = growthOf(samples)((each) => each.rssMiB)
  const line = growth === undefined ? '' : `; its line of least squares rises by ${growth.toFixed(2)} MiB a minute`
  return `under load: lowest resident memory of each part of ${(minutes / parts).toFixed(1)} minutes: ${lowest.map((each) => each.toFixed(0)).join(', ')} MiB${line}`
}

function restText(when: string, { sample, alive }: Rest): string {
  const { rssMiB, heapMiB, descriptors, threads, watches, programs } = sample
  const held = Object.entries(alive).map(([name, times]) => `${times} ${name}`)
  const below = Object.entries(programs).map(([name, times]) => `${times} ${name}`)
  return `at rest, ${when}: ${rssMiB.toFixed(0)} MiB, heap ${heapMiB.toFixed(1)}, ${descriptors} descriptors, ${threads} threads, ${watches} watches; alive: ${held.join(', ')}; processes: ${below.join(', ') || 'none'}`
}
