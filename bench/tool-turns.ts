// Runs of many turns, one tool call a turn: the cost of a turn must not grow with earlier turns.
import { runBundled } from './bundled-program.ts'
import type { Benchmark, Table, Target } from './report.ts'
import { median, spread } from './statistics.ts'
import type { ToolTurns } from './tool-turns-program.ts'

export const toolTurns: Benchmark = {
  name: 'tool-turns',
  about:
    'one run of many turns with one tool call each: session, file log and one subscriber; model and tool cost nothing',
  run: async (workspace) => {
    const [runs = []] = await runBundled<ToolTurns[]>(workspace, 'tool-turns-program', [[]])
    return { tables: [turnsTable(runs)], targets: turnsTargets(runs), notes: [] }
  },
}

function turnsTable(runs: readonly ToolTurns[]): Table {
  return {
    title: 'from `send` to `agent_settled` (medians), and the live heap above what was held before',
    columns: [
      { title: 'tool' },
      { title: 'turns' },
      { title: 'rounds' },
      { title: 'µs a turn', digits: 1 },
      { title: 'turns/s' },
      { title: 'settled, MiB', digits: 1 },
      { title: 'bytes a turn' },
      { title: 'closed, MiB', digits: 1 },
    ],
    rows: runs.map(({ tool, turns, samples, heap, closed }) => [
      tool,
      turns,
      samples.length,
      median(samples),
      1e6 / median(samples),
      heap / 2 ** 20,
      turns < 1_000 ? undefined : heap / turns, // fewer are lost in the noise of the heap
      closed / 2 ** 20,
    ]),
  }
}

function turnsTargets(runs: readonly ToolTurns[]): Target[] {
  const synchronous = runs.filter(({ tool }) => tool === 'synchronous')
  return [
    {
      what: 'dearest ÷ cheapest length, µs a turn',
      measured: spread(synchronous.map(({ samples }) => median(samples))),
      limit: 1.2,
      unit: '×',
    },
  ]
}
