// Compiles modules in a thread of its own: the compiler takes 27 MiB, and few starts need it.
// Guarantees: the calling thread waits for at most 30 s a module, and not for a thread that has ended. The thread ends if it misses
// this, or a second after the last one.
import { getCompileCacheDir } from 'node:module'
import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { Failure } from '../../streams/values/failure.ts'
import type { SourceText } from './compiled-code.ts'
import { jitiFile, jitiOptions, transformOptions } from './jiti-loader.ts'

/** Milliseconds without a module until the thread ends. */
const idleMs = 1_000

export interface CompileLimits {
  /** Milliseconds to wait. Default 30,000. */
  readonly longestMs?: number
  /** MiB that the compiler may use, if its thread starts now: a module of 1 MB needs some 450. Default 1,024. */
  readonly memoryMb?: number
  /** Milliseconds after which the thread is watched, by one more: few modules take as long. Default 1,000. */
  readonly watchAfterMs?: number
}

/** Plain JavaScript, as the bundle has no file for it. */
const program = `
const { workerData: { answers, port, jiti, options, cache } } = require('node:worker_threads')
if (cache !== undefined) require('node:module').enableCompileCache(cache)
const { createJiti } = require(jiti)
const answer = (message) => { port.postMessage(message); Atomics.add(answers, 0, 1); Atomics.notify(answers, 0) }
port.on('message', (text) => {
  try { answer({ code: createJiti(text.filename, options).transform(text) }) }
  catch (thrown) { answer({ fault: String(thrown) }) }
})
`

/** Wakes the calling thread when the compiler's thread has ended: a thread that waits gets no event. */
const watcher = `
const { workerData: { answers, alive } } = require('node:worker_threads')
alive.on('message', () => undefined) // holds this thread
alive.on('close', () => { Atomics.add(answers, 0, 1); Atomics.notify(answers, 0) })
`

interface Running {
  readonly worker: Worker
  readonly port: MessagePort
  /** How many there were; changes and wakes the calling thread when one is there. */
  readonly answers: Int32Array
  readonly idle: NodeJS.Timeout
  readonly memoryMb: number
  /** Counts the end of the thread as an answer. Does nothing the second time. */
  watch(): void
}

type Answer = { readonly code: string } | { readonly fault: string }

let running: Running | undefined

/**
 * The code that `compileSource` makes. Starts the thread if there is none.
 * @throws Failure `bad_config` if it takes too long or too much memory
 */
export function compileInThread(text: SourceText, limits: CompileLimits = {}): string {
  const { longestMs = 30_000 } = limits
  running ??= start(limits)
  const { port, answers, idle, memoryMb } = running
  const before = Atomics.load(answers, 0)
  port.postMessage(transformOptions(text))
  waitForAnswer(running, before, { ...limits, longestMs })
  const answer = receiveMessageOnPort(port)?.message as Answer | undefined // what the program sends
  idle.refresh()
  if (answer !== undefined && 'code' in answer) return answer.code
  if (answer === undefined) end()
  const isLate = Atomics.load(answers, 0) === before
  const late = isLate
    ? `it took more than ${longestMs / 1000} s`
    : `it took more than the ${memoryMb} MiB that it may use`
  const why = answer?.fault ?? late
  throw new Failure('bad_config', `${text.filename} cannot be compiled: ${why}`, { data: { path: text.filename } })
}

function waitForAnswer(
  { answers, watch }: Running,
  before: number,
  { longestMs, watchAfterMs = 1_000 }: CompileLimits & { readonly longestMs: number },
): void {
  const firstMs = Math.min(longestMs, watchAfterMs)
  if (Atomics.wait(answers, 0, before, firstMs) !== 'timed-out' || firstMs === longestMs) return
  watch()
  Atomics.wait(answers, 0, before, longestMs - firstMs)
}

function start({ memoryMb = 1_024 }: CompileLimits): Running {
  const { port1, port2 } = new MessageChannel()
  const life = new MessageChannel()
  const answers = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const alive = life.port2 // closes when the thread ends
  const worker = new Worker(program, {
    ...{ eval: true, env: {}, argv: [], execArgv: [], stdout: true, stderr: true },
    workerData: { answers, port: port2, alive, jiti: jitiFile(), options: jitiOptions, cache: getCompileCacheDir() },
    transferList: [port2, alive],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  worker.on('error', () => {
    if (running?.worker === worker) end() // for want of memory; the module that it compiled is late
  })
  worker.unref()
  port1.unref()
  life.port1.unref()
  const idle = setTimeout(end, idleMs)
  idle.unref()
  return { worker, port: port1, answers, idle, memoryMb, watch: watchOnce(life.port1, answers) }
}

function watchOnce(alive: MessagePort, answers: Int32Array): () => void {
  let isWatched = false
  return () => {
    if (isWatched) return
    isWatched = true
    const thread = new Worker(watcher, {
      ...{ eval: true, env: {}, argv: [], execArgv: [], stdout: true, stderr: true },
      workerData: { answers, alive },
      transferList: [alive],
    })
    thread.on('error', () => undefined) // the calling thread then waits for the whole time
    thread.unref()
  }
}

function end(): void {
  if (running === undefined) return
  clearTimeout(running.idle)
  running.port.close()
  void running.worker.terminate()
  running = undefined
}
