// Reports the time of opening and writing long sessions, as tables and targets.
import type { Appends, AppendSamples, CommitSamples } from './appends-program.ts'
import { compareFigures } from './compare-figures.ts'
import type { Report, Table, Target } from './report.ts'
import type { ClosedLong, OpenedLong } from './sessions-program.ts'
import { median, medianRatio, spread } from './statistics.ts'

/** One session, opened repeatedly. */
export interface LongSamples {
  readonly entries: number
  readonly compacted: boolean
  readonly bytes: { readonly log: number; readonly pi: number }
  /** First openings: no snapshot is stored beside the log yet. */
  readonly first: readonly ClosedLong[]
  readonly ours: readonly OpenedLong[]
  readonly pi: readonly OpenedLong[]
}

export interface SessionsFigures {
  readonly samples: readonly LongSamples[]
  readonly appends: Appends | undefined
  /** Messages of the compacted sessions whose turns should cost the same. */
  readonly flatSizes: readonly number[]
  readonly notes: readonly string[]
}

const mebibyte = 2 ** 20
const largest = 100_000

export function sessionsReport({ samples, appends, flatSizes, notes }: SessionsFigures): Report {
  const targets = [...openTargets(samples), flatTarget(samples, flatSizes)]
  return {
    tables: [
      openTable(samples),
      memoryTable(samples),
      ...(appends === undefined ? [] : [appendTable(appends.appends), commitTable(appends.commits)]),
    ],
    targets: [...targets, ...(appends === undefined ? [] : appendTargets(appends))],
    notes: [
      'ready: the session takes a prompt. context: the messages of a request are built (pi: buildSessionContext). request: the first run of the process sends its request. first: ready, without saved state beside the log',
      'gap: from an answer to the next request of the same run, one call in between (pi: buildSessionContext alone)',
      ...notes,
    ],
  }
}

type Figure = 'readyMs' | 'contextMs' | 'requestMs' | 'gapMs' | 'rssReady' | 'rss' | 'peak' | 'rssBefore'

function figures(opened: readonly OpenedLong[], figure: Figure): number[] {
  return opened.map((each) => each[figure])
}

function middle(opened: readonly OpenedLong[], figure: Figure): number | undefined {
  return opened.length === 0 ? undefined : median(figures(opened, figure))
}

function openTable(samples: readonly LongSamples[]): Table {
  return {
    title: 'opening, ms (medians)',
    columns: [
      { title: 'messages' },
      { title: 'compacted' },
      { title: 'log MiB', digits: 1 },
      { title: 'pi MiB', digits: 1 },
      { title: 'first', digits: 1 },
      { title: 'ready', digits: 1 },
      { title: 'context', digits: 1 },
      { title: 'request', digits: 1 },
      { title: 'pi', digits: 1 },
      { title: '÷ pi', digits: 3 },
      { title: 'gap', digits: 3 },
      { title: 'gap pi', digits: 3 },
    ],
    rows: samples.map(({ entries, compacted, bytes, first, ours, pi }) => [
      entries,
      compacted ? 'yes' : 'no',
      bytes.log / mebibyte,
      bytes.pi / mebibyte,
      median(first.map(({ readyMs }) => readyMs)),
      middle(ours, 'readyMs'),
      middle(ours, 'contextMs'),
      middle(ours, 'requestMs'),
      middle(pi, 'contextMs'),
      ratio('contextMs', { ours, pi }),
      middle(ours, 'gapMs'),
      middle(pi, 'gapMs'),
    ]),
  }
}

function memoryTable(samples: readonly LongSamples[]): Table {
  const columns = ['first', 'before', 'ready', 'context', 'peak', 'pi before', 'pi', 'pi peak']
  return {
    title: 'memory of the process, MiB (medians)',
    columns: [{ title: 'messages' }, { title: 'compacted' }, ...columns.map((title) => ({ title, digits: 1 }))],
    rows: samples.map(({ entries, compacted, first, ours, pi }) => [
      entries,
      compacted ? 'yes' : 'no',
      median(first.map(({ rssReady }) => rssReady)) / mebibyte,
      ...mebibytes(ours, ['rssBefore', 'rssReady', 'rss', 'peak']),
      ...mebibytes(pi, ['rssBefore', 'rss', 'peak']),
    ]),
  }
}

function mebibytes(opened: readonly OpenedLong[], names: readonly Figure[]): (number | undefined)[] {
  return names.map((figure) => {
    const bytes = middle(opened, figure)
    return bytes === undefined ? undefined : bytes / mebibyte
  })
}

function ratio(figure: Figure, { ours, pi }: Pick<LongSamples, 'ours' | 'pi'>): number | undefined {
  return pi.length === 0 ? undefined : medianRatio(figures(ours, figure), figures(pi, figure))
}

function openTargets(samples: readonly LongSamples[]): Target[] {
  const of = (isCompacted: boolean): LongSamples | undefined =>
    samples.find(({ entries, compacted }) => entries === largest && compacted === isCompacted)
  const [whole, compacted] = [of(false), of(true)]
  const opening = (what: string, figure: Figure, found: LongSamples | undefined, limit: number): Target =>
    compareFigures({ what, ...sidesOf(figure, found), to: 'pi', limit })
  return [
    opening('100,000 messages, ready ÷ pi', 'readyMs', whole, 0.35),
    firstOpening('… with nothing kept beside its log ÷ pi', 'readyMs', whole, 0.35),
    firstOpening('… memory then ÷ pi', 'rssReady', whole, 0.6),
    opening('… to its context ÷ pi', 'contextMs', whole, 0.35),
    opening('… memory when ready ÷ pi', 'rssReady', whole, 0.6),
    opening('… memory with its context ÷ pi', 'rss', whole, 0.6),
    opening('… compacted, to its context ÷ pi', 'contextMs', compacted, 0.05),
    opening('… compacted, memory with its context ÷ pi', 'rss', compacted, 0.6),
  ]
}

function firstOpening(
  what: string,
  figure: 'readyMs' | 'rssReady',
  found: LongSamples | undefined,
  limit: number,
): Target {
  const ours = found?.first.map((each) => each[figure])
  const { pi } = sidesOf(figure === 'readyMs' ? 'contextMs' : 'rss', found)
  return compareFigures({ what, unit: unitOf(figure), ours: inUnit(figure, ours ?? []), pi, to: 'pi', limit })
}

/** Milliseconds, or MiB. */
function sidesOf(figure: Figure, found: LongSamples | undefined) {
  const side = (opened: readonly OpenedLong[] = []): number[] => inUnit(figure, figures(opened, figure))
  return { unit: unitOf(figure), ours: side(found?.ours), pi: side(found?.pi) }
}

function unitOf(figure: Figure): string {
  return figure.endsWith('Ms') ? ' ms' : ' MiB'
}

function inUnit(figure: Figure, values: readonly number[]): number[] {
  return figure.endsWith('Ms') ? [...values] : values.map((bytes) => bytes / mebibyte)
}

function flatTarget(samples: readonly LongSamples[], flatSizes: readonly number[]): Target {
  const gaps = samples
    .filter(({ entries, compacted }) => compacted && flatSizes.includes(entries))
    .map(({ ours }) => median(figures(ours, 'gapMs')))
  return {
    what: `gap of ${flatSizes.map((size) => size.toLocaleString('en-GB')).join(', ')} messages, compacted: longest ÷ shortest`,
    measured: spread(gaps),
    limit: 1.2,
    unit: '×',
  }
}

function appendTable(appends: readonly AppendSamples[]): Table {
  return {
    title: 'writing a line, µs (medians; in turns)',
    columns: [
      { title: 'bytes' },
      { title: 'append', digits: 2 },
      { title: 'bare writeSync', digits: 2 },
      { title: '÷ bare', digits: 2 },
    ],
    rows: appends.map(({ bytes, append, bare }) => [bytes, median(append), median(bare), medianRatio(append, bare)]),
  }
}

function commitTable({ waiting, grouped, single }: CommitSamples): Table {
  return {
    title: 'acknowledgements a second (medians; in turns)',
    columns: [
      { title: 'waiting' },
      { title: 'together' },
      { title: 'one sync each' },
      { title: 'times as many', digits: 1 },
    ],
    rows: [[waiting, median(grouped), median(single), medianRatio(grouped, single)]],
  }
}

function appendTargets({ appends, commits: { grouped, single } }: Appends): Target[] {
  return [
    ...appends.map(({ bytes, append, bare }) => {
      const what = `append ÷ bare writeSync, ${bytes.toLocaleString('en-GB')} bytes`
      return compareFigures({ what, unit: ' µs', ours: append, floor: bare, to: 'floor', limit: 3 })
    }),
    {
      what: 'one sync each ÷ group commit, acknowledgements a second',
      measured: medianRatio(single, grouped),
      limit: 0.1,
      unit: '×',
    },
  ]
}
