// Measures runs of many turns with one tool call each, of several lengths in turns; writes JSON.
import { callAnswers, lookTools } from './call-answers.ts'
import { liveHeap } from './live-heap.ts'
import { withSession } from './scripted-session.ts'
import { timedPrompt } from './timed-prompt.ts'

export interface ToolTurns {
  readonly tool: keyof typeof lookTools
  readonly turns: number
  /** Microseconds a turn, one figure a round. */
  readonly samples: number[]
  /** Bytes when the run has settled, with the transcript. */
  heap: number
  /** Bytes when the session is closed. */
  closed: number
}

const rounds = 7
const lengths = [
  { runs: 10, result: newResult('synchronous', 100) },
  { runs: 1, result: newResult('synchronous', 1_000) },
  { runs: 1, result: newResult('synchronous', 5_000) },
  { runs: 1, result: newResult('asynchronous', 1_000) },
]

for (const { result: each } of lengths) await runTime(newResult(each.tool, 1_000)) // compiles hot code
for (const { result: each } of lengths) await measureHeap(each)
for (let round = 0; round < rounds; round++) {
  for (const { runs, result: each } of lengths) {
    // short runs are added up: otherwise the occasional collection would be part of none of them
    let microseconds = 0
    for (let run = 0; run < runs; run++) microseconds += await runTime(each)
    each.samples.push(microseconds / (runs * each.turns))
  }
}
process.stdout.write(JSON.stringify(lengths.map(({ result: each }) => each)))

function newResult(tool: ToolTurns['tool'], turns: number): ToolTurns {
  return { tool, turns, samples: [], heap: 0, closed: 0 }
}

async function runTime({ tool, turns }: ToolTurns): Promise<number> {
  return withSession({ provider: callAnswers(turns), tools: [lookTools[tool]] }, async (session) => {
    let ended = 0
    let failed: string | undefined
    const time = await timedPrompt(session, (event) => {
      if (event.type !== 'tool_execution_end') return
      if (event.isError) failed ??= JSON.stringify(event.content)
      ended++
    })
    if (failed !== undefined) throw new Error(`A call failed: ${failed}`)
    if (ended !== turns) throw new Error(`${ended} calls of ${turns} ended`)
    return time
  })
}

async function measureHeap(each: ToolTurns): Promise<void> {
  const { tool, turns } = each
  const before = liveHeap()
  each.heap = await withSession({ provider: callAnswers(turns), tools: [lookTools[tool]] }, async (session, synced) => {
    const start = liveHeap()
    await timedPrompt(session)
    await synced()
    return liveHeap() - start
  })
  each.closed = liveHeap() - before
}
