// A client without knowledge of the protocol: it sends lines and records the frames.
import type { Server } from '../../lib/server/create-server.ts'
import { linkedPair } from '../../lib/server/protocol/linked-pair.ts'

export interface LineClient {
  readonly frames: Record<string, unknown>[]
  /** The lines of the frames. */
  readonly lines: string[]
  send(line: string): void
  /** Sends a command under an id. */
  ask(id: string, command: Record<string, unknown>): void
  /** The responses under an id. */
  answers(id: string | null): Record<string, unknown>[]
  close(): void
  readonly closed: boolean
}

export function lineClient(server: Server): LineClient {
  const [transport, serverEnd] = linkedPair()
  server.connect(serverEnd)
  const frames: Record<string, unknown>[] = []
  const lines: string[] = []
  let closed = false
  transport.lines$.subscribe({
    next: (line) => {
      if (!('text' in line)) throw new Error(`a server never sends what cannot be read: ${line.problem}`)
      lines.push(line.text)
      frames.push(JSON.parse(line.text) as Record<string, unknown>)
    },
    complete: () => {
      closed = true
    },
  })
  return {
    frames,
    lines,
    send: transport.send,
    ask: (id, command) => {
      transport.send(JSON.stringify({ v: 1, id, ...command }))
    },
    answers: (id) => frames.filter((frame) => frame['type'] === 'response' && frame['id'] === id),
    close: transport.close,
    get closed() {
      return closed
    },
  }
}
