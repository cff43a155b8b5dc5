// What a server does for a prompt it does once a prompt: V8 would interpret it until a function has been called hundreds of times.
import { setFlagsFromString } from 'node:v8'

/** Calls of a function that V8 watches before it compiles it; its own 400, and 500 since it last saw a new kind of argument. */
const watched = 10
/** Calls before it begins to watch; its own 8. */
const unwatched = 4

/**
 * From `afterMs` on — a start has more to do than to compile — V8 compiles the functions of this process (Maglev, in other threads) at
 * their fifteenth call or so. From a process's fiftieth prompt on its thread then works a third less for each (docs/decisions/0100).
 */
export function compileEarly(afterMs = 1_000): void {
  const started = setTimeout(() => {
    setFlagsFromString(`--invocation-count-for-feedback-allocation=${unwatched}`)
    setFlagsFromString(`--invocation-count-for-maglev=${watched}`)
    setFlagsFromString(`--minimum-invocations-after-ic-update=${watched}`)
  }, afterMs)
  started.unref()
}
