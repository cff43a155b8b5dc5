// What the first message of a process costs us and pi, before anything of it is compiled.
import type { Report } from './report.ts'
import { median, medianRatio } from './statistics.ts'
import type { ColdMessage } from './versus-pi-cold-program.ts'

/** Of processes that were started in turns, ours first. */
export function coldReport(measured: readonly ColdMessage[]): Report {
  const times = (offset: number): number[] =>
    measured.filter((_, index) => index % 2 === offset).map(({ time }) => time)
  const [ours, pi] = [times(0), times(1)]
  const deltas = (measured[0]?.deltas ?? 0).toLocaleString('en-GB')
  const row = (name: string, samples: readonly number[]) => [
    name,
    samples.length,
    median(samples),
    medianRatio(samples, pi),
  ]
  return {
    tables: [
      {
        title: `the first message of a process, ${deltas} deltas, 1 subscriber (medians)`,
        columns: [
          { title: '' },
          { title: 'processes' },
          { title: 'µs a delta', digits: 2 },
          { title: '÷ pi', digits: 2 },
        ],
        rows: [row('session', ours), row('pi', pi)],
      },
    ],
    targets: [
      {
        what: `session ÷ pi, 1 subscriber, ${deltas} deltas, the first of a process`,
        measured: medianRatio(ours, pi),
        limit: 1.25,
        unit: '×',
      },
    ],
    notes: [
      'first: both without the compile cache that both commands switch on; Node keeps in it what is compiled while a module is loaded, and the ratio with it is much the same',
    ],
  }
}
