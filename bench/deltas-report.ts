// Reports the cost of a streamed delta, ours and pi's, by message length and subscribers.
import { compareFigures } from './compare-figures.ts'
import type { Report, Target } from './report.ts'
import { median, medianRatio, spread } from './statistics.ts'
import type { DeltaSamples } from './versus-pi-deltas-program.ts'

/** The limits as multiples of pi's cost of an event. A short message may cost half a millisecond more than pi's. */
const limits = [
  { subscribers: 1, limit: 1.25, ofShort: 2.5 },
  { subscribers: 100, limit: 0.6, ofShort: 0.6 },
]
const shortMessage = 1_000

/** Without samples the targets are listed as unmeasured. */
export function deltasReport(samples: readonly DeltaSamples[]): Report {
  return {
    tables: samples.length === 0 ? [] : [deltasTable(samples)],
    targets: [...limits.flatMap((each) => ratioTargets(samples, each)), flat(samples)],
    notes: [
      'deltas: rxpi from `send` to `agent_settled`, pi from `prompt` to its end; in turns, both compiled before; ratios are medians of pairs',
      "deltas: pi's provider takes its pieces from an async iterator, as from an SDK; with `at once` it pushes all of them synchronously, like rxpi’s",
      'deltas: pi shares one growing message among all its events, rxpi’s are immutable; pi writes nothing to disk',
    ],
  }
}

function deltasTable(samples: readonly DeltaSamples[]) {
  return {
    title: 'µs a delta of 20 characters (medians)',
    columns: [
      { title: 'subscribers' },
      { title: 'deltas' },
      { title: 'runs' },
      { title: 'session', digits: 2 },
      { title: 'pi', digits: 2 },
      { title: 'pi, at once', digits: 2 },
      { title: '÷ pi', digits: 2 },
      { title: '÷ pi, at once', digits: 2 },
    ],
    rows: samples.map(({ subscribers, deltas, ours, pi, piAtOnce }) => [
      subscribers.toLocaleString('en-GB'),
      deltas,
      ours.length,
      median(ours),
      median(pi),
      piAtOnce.length === 0 ? undefined : median(piAtOnce),
      medianRatio(ours, pi),
      piAtOnce.length === 0 ? undefined : medianRatio(ours, piAtOnce),
    ]),
  }
}

function ratioTargets(
  samples: readonly DeltaSamples[],
  { subscribers, limit, ofShort }: (typeof limits)[number],
): Target[] {
  const whose = `session ÷ pi, ${subscribers === 1 ? '1 subscriber' : `${subscribers} subscribers`}`
  const chosen = samples.filter((each) => each.subscribers === subscribers)
  if (chosen.length === 0) return [{ what: whose, measured: undefined, limit, unit: '×' }]
  return chosen.map(({ deltas, ours, pi }) => {
    const what = `${whose}, ${deltas.toLocaleString('en-GB')} deltas`
    return compareFigures({ what, unit: ' µs', ours, pi, to: 'pi', limit: deltas <= shortMessage ? ofShort : limit })
  })
}

function flat(samples: readonly DeltaSamples[]): Target {
  const ours = samples.filter(({ subscribers }) => subscribers === 1).map((each) => median(each.ours))
  return {
    what: 'dearest ÷ cheapest length, µs a delta, 1 subscriber',
    measured: ours.length === 0 ? undefined : spread(ours),
    limit: 1.2,
    unit: '×',
  }
}
