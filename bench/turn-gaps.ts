// Measures the gap between turns: from the end of an answer to the next request, at the model.
import type { RunningAgent, Surroundings } from './agents.ts'
import { compareFigures } from './compare-figures.ts'
import { piVersion } from './pi-install.ts'
import type { Report } from './report.ts'
import { median } from './statistics.ts'

/** The first of them warm up: V8 compiles the code of a turn meanwhile. */
const warmRounds = 4
const rounds = 13
const turns = 10

/** Ours and pi's alternate, each in a conversation of the same length. */
export async function turnGaps(around: Surroundings, ours: RunningAgent, pi?: RunningAgent): Promise<Report> {
  const [our, their]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    for (const [running, gaps] of [[ours, our] as const, ...(pi === undefined ? [] : [[pi, their] as const])]) {
      const gap = await gapOf(around, running)
      if (round >= warmRounds) gaps.push(gap)
    }
  }
  return {
    tables: [
      {
        title: `a turn with one call of read, beside the model, ms (medians of runs of ${turns} turns)`,
        columns: [{ title: 'who' }, { title: 'ms', digits: 2 }],
        rows: [['our rpc', median(our)], ...(pi === undefined ? [] : [[`pi ${piVersion}`, median(their)]])],
      },
    ],
    targets: [
      compareFigures({
        what: 'gap a turn beside the model ÷ pi',
        unit: ' ms',
        ours: our,
        pi: their,
        to: 'pi',
        limit: 0.5,
      }),
    ],
    notes: [],
  }
}

/** The median of one run, in ms. */
export async function gapOf({ baseUrl }: Surroundings, { agent }: RunningAgent): Promise<number> {
  const gapsUrl = new URL('/gaps', baseUrl)
  await fetch(gapsUrl) // clears earlier gaps
  await agent.run({ reads: turns })
  const gaps = (await (await fetch(gapsUrl)).json()) as number[]
  if (gaps.length !== turns) throw new Error(`A run of ${turns} turns made ${gaps.length} requests behind its first`)
  return median(gaps)
}
