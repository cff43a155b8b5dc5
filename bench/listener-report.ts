// Reports the cost of a slow listener for the run.
import type { Report } from './report.ts'
import { median, medianRatio } from './statistics.ts'
import type { ListenerSamples } from './versus-pi-listener-program.ts'

export function listenerReport({ deltas, alone, waiting, busy }: ListenerSamples): Report {
  const row = (name: string, { ours, pi }: ListenerSamples['alone']) => [name, median(ours), median(pi)]
  return {
    tables: [
      {
        title: `a run of ${deltas.toLocaleString('en-GB')} deltas, ms (medians)`,
        columns: [
          { title: 'beside a subscriber that counts' },
          { title: 'session', digits: 2 },
          { title: 'pi', digits: 2 },
        ],
        rows: [
          row('none', alone),
          row('one that waits 1 ms at each event', waiting),
          row('one that computes 1 ms at each event', busy),
        ],
      },
    ],
    targets: [
      {
        what: 'run with a subscriber that waits 1 ms an event ÷ without',
        measured: medianRatio(waiting.ours, alone.ours),
        limit: 1.2,
        unit: '×',
        sides: { unit: '×', rxpi: medianRatio(waiting.ours, alone.ours), pi: medianRatio(waiting.pi, alone.pi) },
      },
    ],
    notes: [
      'listener: that of rxpi waits in events$.pipe(concatMap(() => timer(1))), also after the run; pi awaits the promise of its listener, 1 ms',
      'listener: a listener that computes synchronously blocks the thread in both agents',
    ],
  }
}
