// Reports the memory that a long message uses after its end.
import type { Report } from './report.ts'
import type { HeldHeap } from './versus-pi-heap-program.ts'

export function heapReport(ours: HeldHeap, pi?: HeldHeap): Report {
  const row = (name: string, { text, ended }: HeldHeap) => [name, text / 2 ** 20, ended / 2 ** 20, ended / text]
  return {
    tables: [
      {
        title: `live heap after a message of ${ours.deltas.toLocaleString('en-GB')} deltas, above what was held before`,
        columns: [
          { title: '' },
          { title: 'text itself, MiB', digits: 1 },
          { title: 'held, MiB', digits: 1 },
          { title: '÷ text', digits: 2 },
        ],
        rows: [row('session', ours), ...(pi === undefined ? [] : [row('pi', pi)])],
      },
    ],
    targets: [
      {
        what: `held after ${ours.deltas.toLocaleString('en-GB')} deltas ÷ their text`,
        measured: ours.ended / ours.text,
        limit: 1.5,
        unit: '×',
        sides: { unit: '×', rxpi: ours.ended / ours.text, pi: pi === undefined ? undefined : pi.ended / pi.text },
      },
    ],
    notes: [],
  }
}
