// An agent with a line protocol: ours over a socket or standard input and output, or pi.
import type { Duplex, Readable, Writable } from 'node:stream'
import type { RequestedAnswer } from './prompted-model-program.ts'

/** The protocol of one kind of agent. */
export interface Dialect {
  prompt(text: string): object
  /** A question that is answered at once. */
  readonly state: object
  isDelta(line: string): boolean
  isEnd(line: string): boolean
  isOutput(line: string): boolean
}

export interface LineAgent {
  send(command: object): void
  /** Resolves to the response to a command. */
  ask(command: object): Promise<{ readonly result?: unknown }>
  /** Prompts, and resolves at the end of the run. */
  run(answer: RequestedAnswer): Promise<RunFigures>
  /** Calls `onDelta` also for the runs of others. */
  listen(): void
  /** Called with each delta's line. */
  onDelta: (line: string) => void
}

export interface RunFigures {
  /** Milliseconds from the prompt to the first delta, and to the end. */
  readonly firstMs: number
  readonly ms: number
  /** The bytes of deltas, and of a tool's output. */
  readonly deltas: number
  readonly deltaBytes: number
  readonly outputBytes: number
  /** Bytes of the output itself. */
  readonly shownBytes: number
}

export function lineAgent(
  streams: Duplex | { readonly input: Writable; readonly output: Readable },
  dialect: Dialect,
): LineAgent {
  const { input, output } = 'output' in streams ? streams : { input: streams, output: streams }
  const waiting = new Map<string, (response: { readonly result?: unknown }) => void>()
  let onLine: (line: string) => void = () => undefined
  let count = 0
  let rest = ''
  const take = (line: string): void => {
    if (line.includes('"type":"response"')) {
      const response = JSON.parse(line) as { id?: string; ok?: boolean; success?: boolean; result?: unknown }
      if (response.ok === false || response.success === false)
        throw new Error(`An agent refused: ${line.slice(0, 300)}`)
      waiting.get(response.id ?? '')?.(response)
    } else onLine(line)
  }
  output.setEncoding('utf8').on('data', (piece: string) => {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
  const send = (command: object): void => void input.write(`${JSON.stringify(command)}\n`)
  const agent: LineAgent = {
    send,
    onDelta: () => undefined,
    listen: () => {
      onLine = (line) => {
        if (dialect.isDelta(line)) agent.onDelta(line)
      }
    },
    ask: (command) => {
      const id = String((count += 1))
      return new Promise((resolve) => {
        waiting.set(id, resolve)
        send({ id, ...command })
      })
    },
    run: (answer) => {
      const startedAt = performance.now()
      let [firstMs, deltas, deltaBytes, outputBytes, shownBytes] = [0, 0, 0, 0, 0]
      send({ id: `run${(count += 1)}`, ...dialect.prompt(JSON.stringify(answer)) })
      return new Promise((resolve) => {
        onLine = (line) => {
          if (dialect.isDelta(line)) {
            if (deltas === 0) firstMs = performance.now() - startedAt
            deltas += 1
            deltaBytes += Buffer.byteLength(line) + 1
            agent.onDelta(line)
          } else if (dialect.isOutput(line)) {
            outputBytes += Buffer.byteLength(line) + 1
            shownBytes += shown(line)
          } else if (dialect.isEnd(line))
            resolve({ firstMs, ms: performance.now() - startedAt, deltas, deltaBytes, outputBytes, shownBytes })
        }
      })
    },
  }
  return agent
}

/** Of a line of ours; pi repeats all earlier output in each. */
function shown(line: string): number {
  const { event } = JSON.parse(line) as { readonly event?: { readonly content?: string } }
  return Buffer.byteLength(event?.content ?? '')
}
