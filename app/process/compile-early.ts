// Makes V8 compile the functions of a server after some fifteen calls instead of some four hundred.
//
// Effect: a server runs a few hundred functions once a prompt or turn, and V8 would interpret each for hundreds of
// prompts. Measured 2026-11-23, Node 24.21, `node bench/build-pairs.ts WITH WITHOUT --rows warm`: without it a prompt
// after a hundred others takes 1.15 times the CPU time, its first delta comes after 1.07 times the time, and a turn
// adds 1.09 times the time beside the model. It costs: memory is 0.82 times as much without it (21 MiB).
// Off: `RXPI_WITHOUT=compile-early rxpi serve`. Table: docs/decisions/0110-build-tricks.md.
// Guarantees: V8 prints a line about a flag that it does not know, and the server goes on.
import { setFlagsFromString } from 'node:v8'
import { isSwitchedOff } from '../../lib/server/launch/memory-settings.ts'

/**
 * Calls that V8 watches before it compiles a function. V8's own: 400, and 500 since it last saw a new kind of argument.
 */
const watchedCalls = 10
/** Calls before V8 begins to watch. V8's own: 8. */
const unwatchedCalls = 4

/**
 * Sets the flags `afterMs` after the call, so that start-up compiles nothing more. V8 compiles (Maglev) in other
 * threads.
 */
export function compileEarly(afterMs = 1_000): void {
  if (isSwitchedOff('compile-early', process.env)) return
  const delay = setTimeout(() => {
    setFlagsFromString(`--invocation-count-for-feedback-allocation=${unwatchedCalls}`)
    setFlagsFromString(`--invocation-count-for-maglev=${watchedCalls}`)
    setFlagsFromString(`--minimum-invocations-after-ic-update=${watchedCalls}`)
  }, afterMs)
  delay.unref()
}
