// Opens a worker thread with two ports: one for calls, one for answers that the worker waits for.
// Guarantees: the worker gets no other environment, no arguments, no standard input, and its output is dropped.
import { getCompileCacheDir } from 'node:module'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { Failure } from '../../../streams/values/failure.ts'
import type { SyncAnswer, WorkerStart } from '../link/link-messages.ts'
import { failureFields, notPlain } from '../link/plain-data.ts'
import { hardLimitMb } from './watch-memory.ts'

/** Tells the worker's program that it was started as one. */
export const isolateMark = 'rxpi-isolate'

export interface WorkerOptions {
  /** The module that the worker runs. */
  readonly program: string
  /** Of the extension, for messages. */
  readonly name: string
  /** All that the worker has of the environment. */
  readonly env: Readonly<Record<string, string>>
  readonly memoryMb: number
}

export interface OpenedWorker {
  readonly worker: Worker
  readonly port: MessagePort
  /** Sends what `work` returns or throws, and wakes the worker. */
  answer(request: { readonly id: number; readonly name: string }, work: () => unknown): void
  close(): void
}

/** @throws Failure `overloaded` if the system has no thread */
export function openWorker({ program, name, env, memoryMb }: WorkerOptions): OpenedWorker {
  const { NODE_OPTIONS: _, ...variables } = env // options of a process, which a worker refuses
  const worker = new Worker(new URL(program), {
    ...{ name: `extension ${name}`, env: variables, argv: [], execArgv: [], stdout: true, stderr: true },
    workerData: isolateMark,
    resourceLimits: { maxOldGenerationSizeMb: hardLimitMb(memoryMb) },
  })
  worker.stdout.resume()
  worker.stderr.resume()
  const calls = new MessageChannel()
  const answers = new MessageChannel()
  const wake = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const start: WorkerStart = { port: calls.port2, answers: answers.port2, wake, compileCache: getCompileCacheDir() }
  worker.postMessage(start, [calls.port2, answers.port2])
  return {
    ...{ worker, port: calls.port1 },
    answer: ({ id, name: request }, work) => {
      sendAnswer(answers.port1, id, request, work)
      Atomics.add(wake, 0, 1)
      Atomics.notify(wake, 0)
    },
    close: () => {
      calls.port1.close()
      answers.port1.close()
      void worker.terminate()
    },
  }
}

function sendAnswer(answers: MessagePort, id: number, request: string, work: () => unknown): void {
  const send = (answer: SyncAnswer): void => {
    answers.postMessage(answer)
  }
  try {
    const value = work()
    try {
      send({ id, value })
    } catch (thrown) {
      throw notPlain(`The answer of ${request}`, thrown)
    }
  } catch (thrown) {
    send({ id, failure: failureFields(thrown) })
  }
}

/** Why a worker ended: an error that nothing in it caught, or V8's own limit. */
export function crashOf(error: unknown, memoryMb: number): Failure {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new Failure('overloaded', `it used all memory that there was, and may use ${memoryMb} MiB`)
  }
  const { code, message } = Failure.from(error)
  return new Failure(code, `nothing in it caught: ${message}`)
}
