// A server process that a test can kill and restart, and clients whose connection it can cut.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from './command.ts'
import { withCompileCache } from './compile-cache.ts'

const program = fileURLToPath(new URL('./socket-server-process.ts', import.meta.url))
const start = fileURLToPath(new URL('../../bin/start.js', import.meta.url))

export interface SocketServer {
  /** Ends it like `kill -9`; resolves when it has ended. */
  kill(): Promise<void>
}

export interface SocketServerOptions {
  /** The path of its socket. */
  readonly socket: string
  readonly home: string
  /** The program and arguments that run it. Default: Node alone. */
  readonly within?: readonly string[]
}

/** Resolves when it accepts connections. */
export async function socketServer({ socket, home, within = [] }: SocketServerOptions): Promise<SocketServer> {
  rmSync(socket, { force: true })
  const [command, ...args] = [...within, process.execPath, program, socket, home]
  const child = spawn(command, args, { env: withCompileCache(), stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const output = once(child.stdout.setEncoding('utf8'), 'data')
  const [line] = (await Promise.race([output, ended.then(() => [''])])) as [string]
  const pid = Number(line) // differs from the child's if another program runs it
  if (pid === 0) throw new Error(`${command} ended before it served anybody`)
  let isRunning = true
  return {
    kill: async () => {
      if (isRunning) process.kill(pid, 'SIGKILL')
      isRunning = false
      await ended
    },
  }
}

/** The same with the server of the built command, which starts in a third of the CPU time. */
export async function builtServer({ socket, home }: Omit<SocketServerOptions, 'within'>): Promise<SocketServer> {
  ensureBuilt()
  const env = { PATH: process.env['PATH'], HOME: home, RXPI_HOME: `${home}/rxpi`, RXPI_LOCAL_MODELS_MS: '0' }
  const child = spawn(process.execPath, [start, 'serve', '--socket', socket], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  let notices = ''
  const listening = new Promise<boolean>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      notices += text
      if (notices.includes('listening at')) resolve(true)
    })
  })
  if (!(await Promise.race([listening, ended.then(() => false)]))) throw new Error(`the server ended: ${notices}`)
  return {
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

export type Frame = Readonly<Record<string, unknown>>

export interface SocketClient {
  /** All received frames, in order. */
  readonly frames: readonly Frame[]
  /** The response; rejects if the connection ends before it. */
  ask(command: object): Promise<Frame>
  /** Resolves with the first frame that matches, past ones included; rejects if the connection ends before it. */
  frame(matches: (frame: Frame) => boolean): Promise<Frame>
  /** Ends the connection at once. */
  cut(): void
}

export async function socketClient(path: string): Promise<SocketClient> {
  const socket = connect(path)
  await once(socket, 'connect')
  const frames: Frame[] = []
  const waiting = new Set<{ matches(frame: Frame): boolean; found(frame: Frame): void; lost(): void }>()
  let ended = false
  let count = 0
  socket.on('error', () => undefined) // `close` follows
  socket.on('close', () => {
    ended = true
    for (const { lost } of waiting) lost()
  })
  const lines = createInterface({ input: socket })
  lines.on('error', () => undefined) // the socket's own
  lines.on('line', (line) => {
    const frame = JSON.parse(line) as Frame
    frames.push(frame)
    for (const each of waiting) if (each.matches(frame)) each.found(frame)
  })
  const frame: SocketClient['frame'] = (matches) =>
    new Promise((resolve, reject) => {
      const received = frames.find(matches)
      const lost = (): void => reject(new Error('the connection ended'))
      if (received !== undefined) resolve(received)
      else if (ended) lost()
      else waiting.add({ matches, found: resolve, lost })
    })
  return {
    frames,
    frame,
    ask: (command) => {
      const id = String((count += 1))
      socket.write(`${JSON.stringify({ v: 1, id, ...command })}\n`)
      return frame((each) => each['type'] === 'response' && each['id'] === id)
    },
    cut: () => {
      socket.destroy()
    },
  }
}
