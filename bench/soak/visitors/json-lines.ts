// JSON-RPC over the standard input and output of a process, for an editor that speaks ACP.
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface RpcMessage {
  readonly id?: number | string
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

export interface RpcProcess {
  /** Resolves to the response, also of a process that has ended (`endedCode`) or does not answer in time. */
  ask(method: string, params: object): Promise<RpcMessage>
  notify(method: string, params: object): void
}

/** A request without a response for that long is a fault. */
const answersWithinMs = 90_000

/** `answer`: the result for a request of the process; a notification needs none. */
export function rpcProcess(child: ChildProcess, answer: (message: RpcMessage) => unknown): RpcProcess {
  const waiting = new Map<number, (message: RpcMessage) => void>()
  let count = 0
  const send = (message: RpcMessage): void => {
    if (child.stdin?.writable === true) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
  child.stdin?.on('error', () => undefined) // it was killed: its exit ends every request
  let isEnded = false
  child.once('exit', () => {
    isEnded = true
    for (const done of [...waiting.values()]) done(endedResponse)
  })
  if (child.stdout === null) throw new Error('The process has no standard output')
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as RpcMessage
    if (message.method !== undefined) {
      if (message.id !== undefined) send({ id: message.id, result: answer(message) })
      return
    }
    waiting.get(Number(message.id))?.(message)
    waiting.delete(Number(message.id))
  })
  return {
    notify: (method, params) => {
      send({ method, params: { ...params } })
    },
    ask: (method, params) =>
      new Promise((resolve) => {
        if (isEnded) {
          resolve(endedResponse)
          return
        }
        const id = (count += 1)
        const timer = setTimeout(() => waiting.get(id)?.({ error: { code: 0, message: late } }), answersWithinMs)
        waiting.set(id, (message) => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(message)
        })
        send({ id, method, params: { ...params } })
      }),
  }
}

/** The code of the response of a process that has ended. */
export const endedCode = 1
const endedResponse: RpcMessage = { error: { code: endedCode, message: 'the process has ended' } }

/** The message of a response that did not come. */
export const late = `no response within ${answersWithinMs} ms`
