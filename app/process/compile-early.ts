// Makes V8 compile the functions of a server after some fifteen calls instead of some four hundred.
//
// Effect: a server runs a few hundred functions once a prompt or turn, and V8 would interpret each for hundreds of
// prompts. Measured 2026-11-23, Node 24.21, `node bench/build-pairs.ts WITH WITHOUT --rows warm`: without it a prompt
// after a hundred others takes 1.15 times the CPU time, its first delta comes after 1.07 times the time, and a turn
// adds 1.09 times the time beside the model. It costs: memory is 0.82 times as much without it (21 MiB).
// The flags hold for each thread. Isolated extensions each have one with functions of their own, so the first of them ends
// this: 50 sessions with ten such threads made V8 hold up to 1.2 GiB for compilations (docs/testing.md).
// Off: `RXPI_WITHOUT=compile-early rxpi serve`. Table: docs/decisions/0110-build-tricks.md.
// Guarantees: V8 prints a line about a flag that it does not know, and the server goes on.
import { setFlagsFromString } from 'node:v8'
import { isSwitchedOff } from '../../lib/server/launch/memory-settings.ts'

interface Counts {
  /** Calls before V8 begins to watch a function. */
  readonly unwatched: number
  /** Calls that V8 watches before it compiles a function. */
  readonly watched: number
  /** The same since V8 last saw a new kind of argument. */
  readonly sinceNewKind: number
}

const early: Counts = { unwatched: 4, watched: 10, sinceNewKind: 10 }
/** Of V8 in Node 24. */
const usual: Counts = { unwatched: 8, watched: 400, sinceNewKind: 500 }

/**
 * Sets the flags `afterMs` after the call, so that start-up compiles nothing more, and back when the process starts a
 * thread for an extension. V8 compiles (Maglev) in other threads.
 */
export function compileEarly(afterMs = 1_000): void {
  if (isSwitchedOff('compile-early', process.env)) return
  const delay = setTimeout(() => {
    setCounts(early)
  }, afterMs)
  delay.unref()
  const onWorker = ({ threadName }: { readonly threadName?: string | null }): void => {
    if (threadName?.startsWith('extension ') === false) return // Node 22 has no names
    process.off('worker', onWorker)
    clearTimeout(delay)
    setCounts(usual)
  }
  process.on('worker', onWorker)
}

function setCounts({ unwatched, watched, sinceNewKind }: Counts): void {
  setFlagsFromString(`--invocation-count-for-feedback-allocation=${unwatched}`)
  setFlagsFromString(`--invocation-count-for-maglev=${watched}`)
  setFlagsFromString(`--minimum-invocations-after-ic-update=${sinceNewKind}`)
}
