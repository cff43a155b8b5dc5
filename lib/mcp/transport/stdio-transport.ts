// Connects the SDK to a server that is a program: messages as lines of its standard input and output.
// Guarantees: after `close` no process of the server is left, and every message that was sent is settled.
import { Subject, timer } from 'rxjs'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { Writable } from 'node:stream'
import type { ProcessEnd } from '../../host/process/process-event.ts'
import { spawnProcess } from '../../host/process/spawn-process.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { McpStdio } from '../contract/mcp-server.ts'
import { splitMessages } from './message-lines.ts'
import { programPath } from './program-path.ts'
import type { ServerLog } from './server-log.ts'

export interface StdioOptions {
  readonly server: McpStdio
  /** The folder of the session, absolute. */
  readonly cwd: string
  /** The filtered environment that commands of tools get; the server's own variables are added. */
  readonly env: Readonly<Record<string, string>>
  readonly log: ServerLog
  /** Milliseconds that a server has to end after its input ended, before SIGTERM. Default 500. */
  readonly graceMs?: number
}

/** The SDK recognises a program by `pid` and `stderr`; it then takes silence for an old server. */
export interface StdioTransport extends Transport {
  readonly pid: number | undefined
  readonly stderr: null
  /** Why the connection ended: the fault of a message, or how the program ended. Undefined before. */
  readonly endReason: string | undefined
}

/** Bytes that may wait for a server that does not read. */
const waitingLimit = 32 * 2 ** 20
/** Foreign lines of a start that the log quotes; the others are counted. */
const quotedLines = 5

/** A transport for one start. The program runs outside the sandbox, in a process group of its own. */
export function stdioTransport(options: StdioOptions): StdioTransport {
  return new StdioConnection(options)
}

class StdioConnection implements StdioTransport {
  readonly stderr = null
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport['onmessage']
  pid: number | undefined
  endReason: string | undefined
  readonly #options: StdioOptions
  readonly #end$ = new Subject<void>()
  readonly #ended$ = new Subject<void>()
  #stdin: Writable | undefined
  #foreignLines = 0
  readonly #undelivered: JSONRPCMessage[] = []
  #hasEnded = false

  constructor(options: StdioOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { server, env, cwd, log } = this.#options
    const folder = server.cwd ?? cwd
    const environment = { ...env, ...server.env }
    const messages = splitMessages({
      onMessage: (message) => this.#deliver(message as unknown as JSONRPCMessage), // the SDK checks its shape
      onForeignLine: ({ preview, reason }) => this.#noteForeignLine(preview, reason),
      onTooLong: () => this.#fail('it sent a message of more than 16 MiB'),
    })
    return new Promise((resolve, reject) => {
      spawnProcess({
        program: programPath(server.command, folder, environment),
        args: server.args,
        cwd: folder,
        env: environment,
        endWhen$: this.#end$,
        onStart: ({ pid, stdin }) => {
          this.pid = pid
          this.#stdin = stdin
          resolve()
        },
      }).subscribe({
        next: (event) => {
          if (event.type === 'end') this.endReason ??= describeEnd(event)
          else if (event.stream === 'stderr') log.write(event.text)
          else if (!this.#hasEnded) messages.push(event.text)
        },
        error: (error: unknown) => {
          const failure = Failure.from(error)
          reject(failure)
          this.endReason ??= failure.message
          this.#finish()
        },
        complete: () => this.#finish(),
      })
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#stdin
    if (stdin === undefined || this.#hasEnded) return Promise.reject(new Error('the server has ended'))
    if (stdin.writableLength > waitingLimit) {
      this.#fail('it does not read its standard input')
      return Promise.reject(new Error('the server does not read its standard input'))
    }
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  }

  /** Ends the input, then the processes, and resolves when none is left. */
  async close(): Promise<void> {
    if (this.#stdin === undefined || this.#hasEnded) return
    const { graceMs = 500 } = this.#options
    this.#stdin.end()
    return new Promise((resolve) => {
      const grace = timer(graceMs).subscribe(() => this.#end$.next())
      this.#ended$.subscribe({
        complete: () => {
          grace.unsubscribe()
          resolve()
        },
      })
    })
  }

  #deliver(message: JSONRPCMessage): void {
    this.#undelivered.push(message)
    if (this.#undelivered.length === 1) void this.#deliverInOrder()
  }

  /**
   * The SDK takes a response at once and a notification in a microtask. A result in the same chunk as the last progress
   * would overtake it, and the SDK would drop the progress.
   */
  async #deliverInOrder(): Promise<void> {
    for (let message = this.#undelivered[0]; message !== undefined; message = this.#undelivered[0]) {
      try {
        this.onmessage?.(message)
      } catch (thrown) {
        this.onerror?.(Failure.from(thrown))
      }
      if (!('id' in message)) await Promise.resolve()
      this.#undelivered.shift()
    }
  }

  #noteForeignLine(preview: string, reason: string): void {
    this.#foreignLines += 1
    const { log } = this.#options
    if (this.#foreignLines <= quotedLines) log.note(`no message on standard output: ${preview} (${reason})`)
    if (this.#foreignLines === quotedLines) log.note('further lines that are no messages are not quoted')
  }

  #fail(reason: string): void {
    this.endReason ??= reason
    this.onerror?.(new Error(reason))
    this.#end$.next()
  }

  #finish(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#stdin?.destroy()
    this.#ended$.complete()
    this.onclose?.()
  }
}

function describeEnd({ exitCode, signal }: ProcessEnd): string {
  return exitCode === null ? `it was ended by ${signal ?? 'a signal'}` : `it ended with exit code ${exitCode}`
}
