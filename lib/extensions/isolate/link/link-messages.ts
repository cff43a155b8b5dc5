// Declares the messages between a session and the worker of one of its extensions. All are plain data.
import type { FailureFields } from '../../../streams/values/failure.ts'

/** Either side starts calls; `id` is one of the side that started it. */
export type LinkMessage =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly input: unknown }
  /** The call should end by itself. */
  | { readonly kind: 'abort'; readonly id: number; readonly reason: 'AbortError' | 'TimeoutError' }
  /** Nothing waits for the call any more; `end` answers when nothing of it runs. */
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'value'; readonly id: number; readonly value: unknown }
  /** The caller has taken one value. */
  | { readonly kind: 'ack'; readonly id: number }
  | { readonly kind: 'end'; readonly id: number; readonly failure?: FailureFields }
  /** The worker answers `pong` from its event loop. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'pong' }
  /** The worker waits for the answer, which comes through the other port. */
  | { readonly kind: 'sync'; readonly id: number; readonly name: string; readonly input: unknown }

/** The answer to `sync`. */
export interface SyncAnswer {
  readonly id: number
  readonly value?: unknown
  readonly failure?: FailureFields
}

/** A worker's first message. */
export interface WorkerStart {
  readonly port: MessagePort
  /** Brings the answers to `sync`. */
  readonly answers: MessagePort
  /** Changes and wakes the worker when an answer is there. */
  readonly wake: Int32Array
  /** The folder of Node's compile cache, if the process has one. */
  readonly compileCache?: string | undefined
}

/** A port as Node has it. */
type MessagePort = import('node:worker_threads').MessagePort
