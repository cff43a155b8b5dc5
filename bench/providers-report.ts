// Reports the cost of a delta on each API, beside the SDK's iterator and a bare parser.
import { compareFigures } from './compare-figures.ts'
import type { ProviderSamples } from './providers-program.ts'
import type { Report, Target } from './report.ts'
import { median, medianRatio } from './statistics.ts'

/** Limits apply to these; Google's frames contain more than a delta, so its figures are only reported. */
const heldToTwice = ['openai-completions', 'openai-responses', 'anthropic-messages']

export function providersReport(samples: readonly ProviderSamples[]): Report {
  return {
    tables: [
      {
        title: 'µs of CPU a delta (medians; all in turns)',
        columns: [
          { title: 'wire' },
          { title: 'deltas' },
          { title: 'adapter', digits: 2 },
          { title: 'SDK', digits: 2 },
          { title: 'bare parse', digits: 2 },
          { title: '÷ bare', digits: 2 },
          { title: '÷ SDK', digits: 2 },
          { title: 'deltas/s' },
          { title: 'MiB at ¼', digits: 1 },
          { title: 'MiB at ¾', digits: 1 },
        ],
        rows: samples.map(({ api, deltas, ours, sdk, bare, heap }) => [
          api,
          deltas,
          median(ours),
          median(sdk),
          median(bare),
          medianRatio(ours, bare),
          medianRatio(ours, sdk),
          1e6 / median(ours),
          heap.early,
          heap.late,
        ]),
      },
      {
        title: "a tool call's argument: µs of CPU a piece",
        columns: [{ title: 'wire' }, { title: 'whole', digits: 2 }, { title: 'a quarter', digits: 2 }],
        rows: samples.map(({ api, args }) => [api, median(args.whole), median(args.quarter)]),
      },
    ],
    targets: samples.flatMap(targetsOf),
    notes: [
      'adapter: from the bytes of a response, in chunks of 16 KiB, to the deltas at the subscriber; SDK: its own stream, iterated',
      'bare parse: the same bytes through TextDecoder, eventsource-parser and JSON.parse',
      'memory: live heap above the start; the bytes are created while they are read',
    ],
  }
}

function targetsOf({ api, ours, bare, args, heap }: ProviderSamples): Target[] {
  return [
    ...(heldToTwice.includes(api)
      ? [
          compareFigures({
            what: `${api}: a delta ÷ bare parse`,
            unit: ' µs',
            ours,
            floor: bare,
            to: 'floor',
            limit: 2,
          }),
        ]
      : []),
    { what: `${api}: growth from ¼ to ¾ of the answer`, measured: heap.late - heap.early, limit: 1, unit: ' MiB' },
    {
      what: `${api}: a piece of a whole argument ÷ of a quarter`,
      measured: medianRatio(args.whole, args.quarter),
      limit: 1.5,
      unit: '×',
    },
  ]
}
