// The loop at full speed: one long message through a session on a real log, beside bare pipelines.
import { runBundled } from './bundled-program.ts'
import { compareFigures } from './compare-figures.ts'
import type { LoopHeap } from './loop-heap-program.ts'
import type { LoopSamples } from './loop-program.ts'
import type { Benchmark, Table, Target } from './report.ts'
import { median, medianRatio, spread } from './statistics.ts'

export const loop: Benchmark = {
  name: 'loop',
  about:
    'one message of deltas of 20 characters: session, file log and one subscriber; the model answers at full speed',
  run: async (workspace) => {
    const [all = []] = await runBundled<LoopSamples[]>(workspace, 'loop-program', [[]])
    const sizes = all.filter(({ deltas }) => deltas > 1)
    const runs = all.filter(({ deltas }) => deltas === 1).flatMap(({ ours }) => ours)
    const heaps = await runBundled<LoopHeap>(workspace, 'loop-heap-program', [['1'], ['10']])
    return {
      tables: [speedTable(sizes), heapTable(heaps)],
      targets: speedTargets(sizes),
      notes: [
        `session: from \`send\` to \`agent_settled\`, with the 9 lines of a run; a run of 1 delta takes ${median(runs).toFixed(0)} µs`,
        'bare: source.pipe(concatMap((delta) => of(delta)), map, share()); cheapest: of(1).pipe(concatMap(() => source), map, share())',
        'source: the creation of the deltas, which every other column includes',
      ],
    }
  },
}

function speedTable(sizes: readonly LoopSamples[]): Table {
  return {
    title: 'µs a delta (medians; all in turns)',
    columns: [
      { title: 'deltas' },
      { title: 'runs' },
      { title: 'session', digits: 2 },
      { title: 'bare', digits: 2 },
      { title: 'cheapest', digits: 2 },
      { title: 'source', digits: 2 },
      { title: '÷ bare', digits: 2 },
      { title: '÷ cheapest', digits: 2 },
      { title: 'deltas/s' },
    ],
    rows: sizes.map(({ deltas, ours, bare, cheapest, source }) => [
      deltas,
      ours.length,
      median(ours),
      median(bare),
      median(cheapest),
      median(source),
      medianRatio(ours, bare),
      medianRatio(ours, cheapest),
      1e6 / median(ours),
    ]),
  }
}

function heapTable(heaps: readonly LoopHeap[]): Table {
  return {
    title: 'live heap above what was held before, MiB',
    columns: [
      { title: 'subscribers' },
      { title: 'deltas' },
      { title: 'text itself', digits: 1 },
      { title: 'at half', digits: 1 },
      { title: 'at the end', digits: 1 },
      { title: 'settled', digits: 1 },
      { title: 'session closed', digits: 1 },
    ],
    rows: heaps.map(({ subscribers, deltas, half, end, settled, closed }) => [
      subscribers,
      deltas,
      ...[deltas * 20, half, end, settled, closed].map((bytes) => bytes / 2 ** 20),
    ]),
  }
}

function speedTargets(sizes: readonly LoopSamples[]): Target[] {
  return [
    {
      what: 'dearest ÷ cheapest size, µs a delta',
      measured: spread(sizes.map(({ ours }) => median(ours))),
      limit: 1.2,
      unit: '×',
    },
    ...sizes.map(({ deltas, ours, bare }) => {
      const what = `session ÷ bare pipeline, ${deltas.toLocaleString('en-GB')} deltas`
      return compareFigures({ what, unit: ' µs', ours, floor: bare, to: 'floor', limit: 3 })
    }),
  ]
}
