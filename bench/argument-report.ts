// Reports the cost of one long streamed tool argument, and of a state read meanwhile.
import type { Report, Target } from './report.ts'
import { median, quantile } from './statistics.ts'
import type { ArgumentSamples } from './versus-pi-argument-program.ts'

export function argumentReport(samples: ArgumentSamples): Report {
  const { characters, pieces, cold, ours, states, pi } = samples
  return {
    tables: [
      {
        title: `a call of ${characters.toLocaleString('en-GB')} characters of arguments`,
        columns: [{ title: '' }, { title: 'runs' }, { title: 'pieces' }, { title: 'cpu ms', digits: 1 }],
        rows: [
          ['session, the first of a process', 1, pieces, cold[0]],
          ['session, compiled (median)', ours.length, pieces, median(ours)],
          ...(pi === undefined ? [] : [['pi', 1, pi.pieces, pi.cpu]]),
        ],
      },
    ],
    targets: targets(samples),
    notes: [
      `arguments: ${states.length} reads of the state between pieces, JSON.stringify(state$.value): median ${median(states).toFixed(2)} ms, slowest ${Math.max(...states).toFixed(2)} ms`,
      'arguments: CPU time of the whole process, with compiler and collector; rxpi uses the writer that its providers share',
      ...(pi === undefined ? [] : piNotes(pi.pieces, pieces)),
    ],
  }
}

function targets({ pieces, ours, states, pi }: ArgumentSamples): Target[] {
  return [
    {
      what: `arguments in ${pieces.toLocaleString('en-GB')} pieces, CPU`,
      measured: median(ours),
      limit: 25,
      unit: ' ms',
      sides: { unit: ' ms', rxpi: median(ours), pi: pi?.cpu },
    },
    {
      what: 'a look at the state meanwhile, 99 % take at most',
      measured: quantile(states, 0.99),
      limit: 20,
      unit: ' ms',
    },
  ]
}

function piNotes(taken: number, pieces: number): string[] {
  const what = "arguments: pi's as its providers do it, parseStreamingJson of all that has come, at each piece"
  return [taken < pieces ? `${what}; cut after a minute, with ${taken} of ${pieces} pieces taken` : what]
}
