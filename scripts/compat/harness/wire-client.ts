// Speaks the protocol over a Unix socket line by line and records the lines of both directions.
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'

export type Frame = Readonly<Record<string, unknown>>

export interface WireClient {
  /** All lines so far: `> ` before a line of the client, `< ` before a line of the server. */
  readonly transcript: readonly string[]
  /** All frames of the server so far. */
  readonly frames: readonly Frame[]
  /** Sends a line as it is. */
  send(line: string): void
  /** Sends a command under a new id and resolves with its response. */
  ask(command: object): Promise<Frame>
  /** Like `ask`, but rejects if the response is an error; resolves with the result. */
  result(command: object): Promise<Frame>
  /**
   * Resolves with the first frame at or behind index `from` that matches. Rejects after 10 s or if the connection ends.
   */
  until(matches: (frame: Frame) => boolean, from?: number): Promise<Frame>
  /** Resolves after so many milliseconds without input. */
  quiet(ms: number): Promise<void>
  close(): Promise<void>
}

const limitMs = 10_000

interface Recording {
  readonly transcript: string[]
  readonly frames: Frame[]
  readonly listeners: Set<() => void>
  closed: boolean
}

export async function wireClient(path: string): Promise<WireClient> {
  const socket = connect(path)
  await once(socket, 'connect')
  const recording = recordingOf(socket)
  const { transcript, frames } = recording
  let sent = 0
  const send = (line: string): void => {
    transcript.push(`> ${line}`)
    socket.write(`${line}\n`)
  }
  const until: WireClient['until'] = (matches, from = 0) =>
    whenSo(recording, () => frames.slice(from).find((each) => matches(each)))
  const ask: WireClient['ask'] = (command) => {
    const id = String((sent += 1))
    send(JSON.stringify({ v: 1, id, ...command }))
    return until((frame) => frame['type'] === 'response' && frame['id'] === id)
  }
  return {
    transcript,
    frames,
    send,
    until,
    ask,
    result: async (command) => {
      const response = await ask(command)
      if (response['ok'] !== true) throw new Error(`${JSON.stringify(command)} → ${JSON.stringify(response)}`)
      return response['result'] as Frame
    },
    quiet: async (ms) => {
      for (let count = -1; count !== frames.length;) {
        count = frames.length
        await new Promise((resolve) => setTimeout(resolve, ms))
      }
    },
    close: async () => {
      if (recording.closed) return
      const over = once(socket, 'close')
      socket.destroy()
      await over
    },
  }
}

function recordingOf(socket: Socket): Recording {
  const recording: Recording = { transcript: [], frames: [], listeners: new Set(), closed: false }
  const notify = (): void => {
    for (const listener of recording.listeners) listener()
  }
  socket.on('error', () => undefined) // `close` follows
  socket.on('close', () => {
    recording.closed = true
    notify()
  })
  const lines = createInterface({ input: socket, crlfDelay: Infinity })
  lines.on('error', () => undefined) // the socket reports it
  lines.on('line', (line) => {
    recording.transcript.push(`< ${line}`)
    recording.frames.push(JSON.parse(line) as Frame)
    notify()
  })
  return recording
}

/** Resolves when `look` returns a frame. */
function whenSo(recording: Recording, look: () => Frame | undefined): Promise<Frame> {
  return new Promise((resolve, reject) => {
    const finish = (act: () => void): void => {
      recording.listeners.delete(check)
      clearTimeout(timeout)
      act()
    }
    const fail = (problem: string): void => finish(() => reject(new Error(`${problem}. ${tail(recording.transcript)}`)))
    const check = (): void => {
      const found = look()
      if (found !== undefined) finish(() => resolve(found))
      else if (recording.closed) fail('The connection ended')
    }
    const timeout = setTimeout(() => fail(`No such frame within ${limitMs} ms`), limitMs)
    recording.listeners.add(check)
    check()
  })
}

const tail = (transcript: readonly string[]): string =>
  ['Last lines:', ...transcript.slice(-6).map((line) => line.slice(0, 300))].join('\n  ')

/** True for a durable or transient event of this type. */
export const isEvent =
  (type: string) =>
  (frame: Frame): boolean =>
    frame['type'] === 'event' && (frame['event'] as Frame)['type'] === type
