// Matches regular expressions in a worker thread, with a deadline.
// Guarantees: the calling thread waits for at most the deadline; a worker that misses it is ended.
import { Worker } from 'node:worker_threads'

/** Milliseconds that a worker may take to start; it starts ahead of the first match. */
const defaultStartMs = 1_000

const [starting, idle, noMatch, match] = [0, 1, 2, 3]

/** Plain JavaScript, as the bundle has no file for it. */
const program = `
const { parentPort, workerData } = require('node:worker_threads')
const state = new Int32Array(workerData)
const report = (value) => { Atomics.store(state, 0, value); Atomics.notify(state, 0) }
parentPort.on('message', ({ pattern, text }) => report(new RegExp(pattern, 'u').test(text) ? ${match} : ${noMatch}))
report(${idle})
`

interface Running {
  readonly worker: Worker
  readonly state: Int32Array
}

let running: Running | undefined

/** Starts the worker if there is none; it does not keep the process alive. */
export function startPatternWorker(): void {
  running ??= start()
}

export interface WorkerMatch {
  /** As JavaScript says; undefined if it took too long. */
  readonly matched: boolean | undefined
  /** Milliseconds, without the start of the worker. */
  readonly tookMs: number
}

/**
 * Matches for at most `withinMs`. The calling thread waits meanwhile.
 * @param pattern valid with the flag `u`
 * @param options `startMs`: milliseconds that a new worker may take to start before they count. Default 1,000
 */
export function matchInWorker(
  pattern: string,
  text: string,
  withinMs: number,
  { startMs = defaultStartMs }: { readonly startMs?: number } = {},
): WorkerMatch {
  running ??= start()
  const { worker, state } = running
  if (Atomics.load(state, 0) === starting) Atomics.wait(state, 0, starting, startMs)
  const begin = performance.now()
  // a worker that is still starting reports `idle` before it reads the message
  if (Atomics.load(state, 0) !== starting) Atomics.store(state, 0, idle)
  worker.postMessage({ pattern, text })
  const result = waitForResult(state, begin + withinMs)
  if (result === undefined) restartPatternWorker()
  return { matched: result === undefined ? undefined : result === match, tookMs: performance.now() - begin }
}

/** `match` or `noMatch`; undefined at the deadline. */
function waitForResult(state: Int32Array, deadline: number): number | undefined {
  for (;;) {
    const value = Atomics.load(state, 0)
    if (value === match || value === noMatch) return value
    const leftMs = Math.max(0, deadline - performance.now())
    if (Atomics.wait(state, 0, value, leftMs) === 'timed-out') return undefined
  }
}

/** The next match finds a worker that has started meanwhile. */
function restartPatternWorker(): void {
  endPatternWorker()
  startPatternWorker()
}

/** Ends the worker, also in the middle of a match. */
export function endPatternWorker(): void {
  void running?.worker.terminate()
  running = undefined
}

function start(): Running {
  const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const worker = new Worker(program, {
    eval: true,
    env: {},
    execArgv: [],
    workerData: shared,
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  })
  worker.on('error', () => {
    if (running?.worker === worker) running = undefined // an earlier one may end late, for want of memory
  })
  worker.unref()
  return { worker, state: new Int32Array(shared) }
}
