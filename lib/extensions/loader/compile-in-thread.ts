// Compiles modules in a thread of its own: the compiler takes 27 MiB, and few starts need it.
// Guarantees: the calling thread waits for at most 30 s a module. The thread ends if it misses this, or a second after the last one.
import { getCompileCacheDir } from 'node:module'
import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { Failure } from '../../streams/values/failure.ts'
import type { SourceText } from './compiled-code.ts'
import { jitiFile, jitiOptions, transformOptions } from './jiti-loader.ts'

/** Milliseconds without a module until the thread ends. */
const idleMs = 1_000
/** MiB that the compiler may use: a module of 1 MB needs some 450. */
const mostMemoryMb = 1_024

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

interface Running {
  readonly worker: Worker
  readonly port: MessagePort
  /** How many there were; changes and wakes the calling thread when one is there. */
  readonly answers: Int32Array
  readonly idle: NodeJS.Timeout
}

type Answer = { readonly code: string } | { readonly fault: string }

let running: Running | undefined

/**
 * The code that `compileSource` makes. Starts the thread if there is none.
 * @param longestMs milliseconds to wait
 * @throws Failure `bad_config` if it takes longer, or more than 1 GiB
 */
export function compileInThread(text: SourceText, longestMs = 30_000): string {
  running ??= start()
  const { port, answers, idle } = running
  const before = Atomics.load(answers, 0)
  port.postMessage(transformOptions(text))
  Atomics.wait(answers, 0, before, longestMs)
  const answer = receiveMessageOnPort(port)?.message as Answer | undefined // what the program sends
  idle.refresh()
  if (answer !== undefined && 'code' in answer) return answer.code
  if (answer === undefined) end()
  const why = answer?.fault ?? `it took more than ${longestMs / 1000} s or ${mostMemoryMb} MiB`
  throw new Failure('bad_config', `${text.filename} cannot be compiled: ${why}`, { data: { path: text.filename } })
}

function start(): Running {
  const { port1, port2 } = new MessageChannel()
  const answers = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = new Worker(program, {
    ...{ eval: true, env: {}, argv: [], execArgv: [], stdout: true, stderr: true },
    workerData: { answers, port: port2, jiti: jitiFile(), options: jitiOptions, cache: getCompileCacheDir() },
    transferList: [port2],
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
  })
  worker.on('error', () => {
    if (running?.worker === worker) end() // for want of memory; the module that it compiled is late
  })
  worker.unref()
  port1.unref()
  const idle = setTimeout(end, idleMs)
  idle.unref()
  return { worker, port: port1, answers, idle }
}

function end(): void {
  if (running === undefined) return
  clearTimeout(running.idle)
  running.port.close()
  void running.worker.terminate()
  running = undefined
}
