// Reports the cost of a turn with one tool call, ours and pi's.
import type { Report } from './report.ts'
import { median, medianRatio } from './statistics.ts'
import type { TurnSamples } from './versus-pi-turns-program.ts'

export function turnsReport({ turns, synchronous, asynchronous, pi }: TurnSamples): Report {
  const row = (name: string, samples: readonly number[]) => [
    name,
    samples.length,
    median(samples),
    medianRatio(samples, pi),
  ]
  return {
    tables: [
      {
        title: `a run of ${turns.toLocaleString('en-GB')} turns, one tool call each (medians)`,
        columns: [{ title: '' }, { title: 'rounds' }, { title: 'µs a turn', digits: 1 }, { title: '÷ pi', digits: 2 }],
        rows: [
          row('session, the tool answers in the call', synchronous),
          row('session, the tool answers with a promise', asynchronous),
          row('pi, the tool answers with a promise', pi),
        ],
      },
    ],
    targets: [],
    notes: ['turns: a turn of rxpi writes its log lines and starts their syncs; pi has its messages in memory only'],
  }
}
