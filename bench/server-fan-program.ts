// Sends one answer at full speed to many clients, by the server or by bare sockets; writes JSON.
//
// The source waits if a reading client has more than 256 KiB unsent: both are measured at the readers' pace, not at the
// pace of growing buffers. Arguments: `server` or `bare`; clients; deltas; the number of clients that stop reading; the
// end of the timed part: `deltas` or `settled`; the readers' program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createListener } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Observable, firstValueFrom, of } from 'rxjs'
import { collectEarly } from '../app/process/collect-early.ts'
import { createServer } from '../lib/server/create-server.ts'
import { streamTransport } from '../lib/server/protocol/stream-transport.ts'
import { createServerBackend } from '../lib/services/index.ts'
import type { Session } from '../lib/session/contract/session.ts'
import type { AssistantDelta } from '../lib/streams/messages/delta.ts'
import { withSession } from './scripted-session.ts'
import { usage } from './text-answer.ts'
import type { ReadersFigures } from './server-readers-program.ts'
import { textPiece } from './text-piece.ts'

export interface FanFigures extends ReadersFigures {
  /** From the prompt until every reading client has the last delta, or the last line. */
  readonly ms: number
  /** CPU time of this process in that time. */
  readonly cpuMs: number
  /** Memory of this process in bytes, before, and at most until the end. */
  readonly rssBefore: number
  readonly rssMost: number
  /** Bytes that it holds then, after a collection, while the stopped clients still wait. */
  readonly held: number
  /** Of the stopped clients: milliseconds from the resumption to the last line, and their lines. */
  readonly caughtUp?: ReadersFigures & { readonly ms: number }
}

const [mode = '', clients = '1', deltas = '1000', stopping = '0', until = '', readersProgram = ''] =
  process.argv.slice(2)
const count = Number(deltas)
const stopped = Number(stopping)
/** Deltas of one turn of the event loop, about as many as one read of a provider's stream contains. */
const batch = 64
const mostUnsent = 256 * 1024
const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-bench-fan-'))
const socketPath = path.join(folder, 's')
const unsent: (() => number)[] = []

const figures = mode === 'bare' ? await bare() : await served()
rmSync(folder, { recursive: true, force: true })
process.stdout.write(JSON.stringify(figures))
process.exit(0)

/** The stopped clients came first; the others do not wait for them. */
function mayGoOn(): boolean {
  return unsent.slice(stopped).every((each) => each() < mostUnsent)
}

async function served(): Promise<FanFigures> {
  collectEarly() // as `rxpi serve` does
  const provider = () => pacedAnswer()
  return withSession({ provider }, async (session) => {
    const backend = createServerBackend({ env: { RXPI_HOME: folder }, version: '1' })
    const server = createServer({
      host: { ...backend, sessions: { ...backend.sessions, open: () => of({ session, notices: [] }) } },
      version: '1',
    })
    const listener = createListener({ allowHalfOpen: true }, (socket) => {
      const transport = streamTransport(socket)
      unsent.push(transport.unsent)
      server.connect(transport)
    })
    return measured(listener, session.id, () => prompted(session))
  })
}

async function prompted(session: Session): Promise<void> {
  await firstValueFrom(session.send({ type: 'prompt', text: 'Go on.' }), { defaultValue: undefined })
}

async function bare(): Promise<FanFigures> {
  const sockets: Socket[] = []
  const listener = createListener((socket) => {
    sockets.push(socket)
    unsent.push(() => socket.writableLength)
  })
  return measured(listener, '', async () => {
    let offset = 0
    for (let index = 0; index < count; index += batch) {
      while (!mayGoOn()) await turn()
      let lines = ''
      for (let each = index; each < Math.min(count, index + batch); each++) {
        const text = textPiece(each)
        lines += `${JSON.stringify({ type: 'delta', channel: 1, entryId: 'aaaaaaaa', block: 0, offset, text })}\n`
        offset += text.length
      }
      for (const socket of sockets) socket.write(lines)
      await turn()
    }
  })
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function pacedAnswer(): Observable<AssistantDelta> {
  return new Observable((subscriber) => {
    let next = 0
    subscriber.next({ type: 'text_start', contentIndex: 0 })
    const step = (): void => {
      if (subscriber.closed) return
      if (mayGoOn())
        for (const end = Math.min(count, next + batch); next < end; next++)
          subscriber.next({ type: 'text_delta', contentIndex: 0, text: textPiece(next) })
      if (next < count) {
        setImmediate(step)
        return
      }
      subscriber.next({ type: 'text_end', contentIndex: 0 })
      subscriber.next({ type: 'done', stopReason: 'stop', usage })
      subscriber.complete()
    }
    setImmediate(step)
  })
}

async function measured(
  listener: ReturnType<typeof createListener>,
  session: string,
  run: () => Promise<void>,
): Promise<FanFigures> {
  listener.listen(socketPath)
  await once(listener, 'listening')
  const args = [readersProgram, socketPath, clients, session, String(stopped), until === 'deltas' ? deltas : '0']
  const readers = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: readers.stdout })[Symbol.asyncIterator]()
  const line = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error('The readers have ended')
    return value
  }
  await line()
  while (unsent.length < Number(clients)) await turn() // a connected client may not be accepted yet
  globalThis.gc?.()
  const rssBefore = process.memoryUsage.rss()
  let rssMost = rssBefore
  const watch = setInterval(() => (rssMost = Math.max(rssMost, process.memoryUsage.rss())), 20)
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  await run()
  const read = JSON.parse(await line()) as ReadersFigures
  const ms = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpuBefore)
  clearInterval(watch)
  const result: FanFigures = { ...read, ms, cpuMs: (user + system) / 1000, rssBefore, rssMost, held: held() }
  if (stopped === 0) return result
  const resumedAt = performance.now()
  readers.stdin.write('\n')
  const late = JSON.parse(await line()) as ReadersFigures
  return { ...result, caughtUp: { ...late, ms: performance.now() - resumedAt } }
}

function held(): number {
  for (let time = 0; time < 2; time += 1) globalThis.gc?.() // the end of a mark is valid only after its beginning
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
