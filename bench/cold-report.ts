// Reports the cost of the first message of a process, before any code is compiled.
import { compareFigures } from './compare-figures.ts'
import type { Report } from './report.ts'
import { median, medianRatio } from './statistics.ts'
import type { ColdMessage } from './versus-pi-cold-program.ts'

/** Of processes that were started in turns: ours, pi's, the bare loop's. */
export function coldReport(measured: readonly ColdMessage[]): Report {
  const [ours, pi, bare] = [0, 1, 2].map((turn) => measured.filter((_, index) => index % 3 === turn))
  const deltas = (measured[0]?.deltas ?? 0).toLocaleString('en-GB')
  const times = (processes: readonly ColdMessage[] = []): number[] => processes.map(({ time }) => time)
  const row = (name: string, processes: readonly ColdMessage[] = []) => [
    name,
    processes.length,
    median(times(processes)),
    medianRatio(times(processes), times(pi)),
    median(processes.map(({ ready }) => ready)),
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
          { title: 'ms with import and set-up' },
        ],
        rows: [row('session', ours), row('pi', pi), row('bare loop', bare)],
      },
    ],
    targets: [
      compareFigures({
        what: `session ÷ pi, 1 subscriber, ${deltas} deltas, the first of a process`,
        unit: ' µs',
        ours: times(ours),
        pi: times(pi),
        floor: times(bare),
        to: 'pi',
        limit: 1.25,
      }),
    ],
    notes: [
      'first: the built library and pi as users import them, without a compile cache; pi writes no log',
      'first: the bare loop is concatMap, map and share, with the events of a run and a log line for each durable one; it has no limits, abort, checks, state and sync',
    ],
  }
}
