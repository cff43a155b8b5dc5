// Tests slow clients over a real socket: they miss no event and delay no other client.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect as connectTo, createServer as createListener } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Observable, firstValueFrom, lastValueFrom, of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSession } from '../../../lib/session/create/open-session.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import type { ReceivedEvent, ServerFrame } from '../../../lib/server/protocol/server-frame.ts'
import { createServer } from '../../../lib/server/create-server.ts'
import { receiveFrames } from '../../../lib/server/client/receive-frames.ts'
import type { FrameReceiver } from '../../../lib/server/client/receive-frames.ts'
import { parseServerFrame } from '../../../lib/server/protocol/server-frame.ts'
import { streamTransport } from '../../../lib/server/protocol/stream-transport.ts'
import type { Transport } from '../../../lib/server/protocol/transport.ts'
import { fileStore } from '../../../lib/store/index.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { emptySession, foldSession, transcript } from '../../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import { lineBody } from '../../../lib/streams/log/line-event.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { randomIds } from '../../../lib/streams/values/identifiers.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import { fakeModel } from '../../support/fake-session.ts'
import { randomOf } from '../../support/random-of.ts'
import { sampleSize } from '../../support/sample-size.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'slow-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

/** A session with its log on disk, whose model emits this many deltas, 200 in each turn of the event loop. */
function realSession(pieces: number, before = 0): Session {
  const log = fileStore({ home: folder }).create({ id: randomIds().session(), createdAt: 1, cwd: folder })
  for (let index = 0; index < before; index++) {
    const event = { type: 'custom', customType: 'filler', data: 'x'.repeat(900) } as const
    log.append(lineBody({ seq: index + 1, at: 1, event }))
  }
  const provider = (): Observable<AssistantDelta> =>
    new Observable((subscriber) => {
      let next = 0
      subscriber.next({ type: 'text_start', contentIndex: 0 })
      const step = (): void => {
        if (subscriber.closed) return
        for (const end = Math.min(pieces, next + 200); next < end; next++)
          subscriber.next({ type: 'text_delta', contentIndex: 0, text: `piece ${next} of a text 😀\n` })
        if (next < pieces) {
          setImmediate(step)
          return
        }
        subscriber.next({ type: 'text_end', contentIndex: 0 })
        subscriber.next({ type: 'done', stopReason: 'stop', usage: noUsage })
        subscriber.complete()
      }
      setImmediate(step)
    })
  return openSession({
    log,
    settings: () => ({ model: fakeModel, provider, tools: [], system: '', thinkingLevel: 'off' }),
    tools: { cwd: folder, env: {} },
    options: { approve: 'auto' },
  })
}

/** A client that folds what it reads, and fails if a line or a character is repeated or missing. */
class SocketReader {
  readonly socket: Socket
  state: SessionState
  settled = 0
  lagging = 0
  readonly #receiver: FrameReceiver
  #lengths = new Map<string, number>()
  #rest = ''

  /** @param before the state that it has already; `entries` is changed in place, so the client needs its own copy */
  constructor(socketPath: string, session: string, before: SessionState = emptySession()) {
    this.state = { ...before, entries: new Map(before.entries) }
    this.#receiver = receiveFrames(session)
    this.socket = connectTo(socketPath)
    this.socket.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (this.#rest + piece).split('\n')
      this.#rest = lines.pop() ?? ''
      for (const line of lines) this.#take(line)
    })
    this.socket.write(`${JSON.stringify({ id: '1', type: 'attach', session, after: before.seq })}\n`)
  }

  #take(line: string): void {
    if (line.startsWith('{"v":1,"type":"lagging"')) this.lagging += 1
    const frame = parseServerFrame(line)
    const heard = this.#heard(frame, line)
    if (heard === undefined) return
    if (heard.seq !== undefined) follows(heard.seq, this.state.seq + 1)
    const { event } = heard
    if (event.type === 'message_update' && 'offset' in event.delta) {
      const key = `${event.entryId} ${event.delta.contentIndex}`
      follows(event.delta.offset, this.#lengths.get(key) ?? 0)
      this.#lengths.set(key, event.delta.offset + event.delta.text.length)
    }
    if (event.type === 'agent_settled') this.settled += 1
    this.state = foldSession(this.state, heard)
  }

  #heard(frame: ServerFrame | undefined, line: string): ReceivedEvent | undefined {
    if (frame?.type === 'event') return this.#receiver.event(frame, line)
    return frame?.type === 'delta' ? this.#receiver.delta(frame) : undefined
  }
}

/** Replaces `expect`, which takes more time than the rest of the test. */
function follows(workspace: number, wanted: number): void {
  if (workspace !== wanted) throw new Error(`Came at ${workspace} where ${wanted} was to come`)
}

interface Serving {
  readonly path: string
  /** The server's transports, in the order in which clients connected. */
  readonly transports: readonly Transport[]
  end(): Promise<void>
}

async function serving(session: Session): Promise<Serving> {
  const backend = fakeBackend()
  const host = { ...backend, sessions: { ...backend.sessions, open: () => of({ session, notices: [] }) } }
  const server = createServer({ host, version: '1' })
  const transports: Transport[] = []
  const listener = createListener({ allowHalfOpen: true }, (socket) => {
    const transport = streamTransport(socket)
    transports.push(transport)
    server.connect(transport)
  })
  const socketPath = path.join(folder, 's')
  listener.listen(socketPath)
  await once(listener, 'listening')
  return {
    path: socketPath,
    transports,
    end: async () => {
      await lastValueFrom(session.close(), { defaultValue: undefined })
      listener.close()
      await once(listener, 'close')
    },
  }
}

async function prompted(session: Session): Promise<void> {
  await firstValueFrom(session.send({ type: 'prompt', text: 'Go on.' }), { defaultValue: undefined })
}

describe('over a real socket', () => {
  it(
    'a client that stops reading and resumes misses nothing, and the run does not wait for it [SLOW-others]',
    { timeout: sampleSize(60_000, 600_000) },
    async () => {
      const session = realSession(40_000)
      const server = await serving(session)
      const stopped = new SocketReader(server.path, session.id)
      const reading = new SocketReader(server.path, session.id)
      await Promise.all([once(stopped.socket, 'data'), once(reading.socket, 'data')])
      stopped.socket.pause()
      await prompted(session)
      await expect.poll(() => session.state$.value.running, { timeout: 30_000 }).toBeUndefined()
      await expect.poll(() => reading.settled, { timeout: 30_000 }).toBe(1)
      expect(stopped.settled).toBe(0)
      stopped.socket.resume()
      await expect.poll(() => stopped.settled, { timeout: 30_000 }).toBe(1)
      expect(stopped.lagging).toBe(1)
      for (const { state } of [reading, stopped]) {
        expect(state.seq).toBe(session.state$.value.seq)
        expect(transcript(state)).toEqual(transcript(session.state$.value))
      }
      for (const { socket } of [reading, stopped]) socket.destroy()
      await server.end()
    },
  )

  it(
    'clients that pause, resume, leave and return at random have the log’s state [SLOW-others]',
    { timeout: sampleSize(60_000, 600_000) },
    async () => {
      const random = randomOf(5)
      for (let round = 0; round < sampleSize(1, 30); round++) {
        const session = realSession(20_000)
        const server = await serving(session)
        const clients = Array.from({ length: 4 }, () => new SocketReader(server.path, session.id))
        await prompted(session)
        while (session.state$.value.running !== undefined) {
          const index = Math.floor(random() * clients.length)
          const client = clients[index]
          if (client === undefined) break
          const choice = random()
          if (choice < 0.4) client.socket.pause()
          else if (choice < 0.9) client.socket.resume()
          else {
            client.socket.destroy()
            clients[index] = new SocketReader(server.path, session.id, client.state)
          }
          await new Promise((resolve) => setTimeout(resolve, random() * 4))
        }
        for (const { socket } of clients) socket.resume()
        const head = session.state$.value.seq
        await expect
          .poll(() => clients.map(({ state }) => state.seq), { timeout: 30_000 })
          .toEqual(clients.map(() => head))
        for (const { state, socket } of clients) {
          expect(transcript(state)).toEqual(transcript(session.state$.value))
          socket.destroy()
        }
        await server.end()
      }
    },
  )

  it(
    'a long log is read no faster than the client takes it, and others are served meanwhile [SLOW-reads]',
    { timeout: sampleSize(60_000, 300_000) },
    async () => {
      const entries = sampleSize(5_000, 100_000)
      const session = realSession(10, entries)
      const server = await serving(session)
      const stopped = new SocketReader(server.path, session.id)
      await once(stopped.socket, 'data')
      stopped.socket.pause()
      const other = new SocketReader(server.path, session.id, { ...emptySession(), seq: entries })
      await prompted(session)
      await expect.poll(() => other.settled, { timeout: 30_000 }).toBe(1)
      const unsent = server.transports.map((transport) => transport.unsent())
      expect(unsent[0]).toBeGreaterThan(0)
      expect(Math.max(...unsent)).toBeLessThan(2 * 65_536)
      stopped.socket.resume()
      await expect.poll(() => stopped.settled, { timeout: 60_000 }).toBe(1)
      expect([stopped.state.seq, stopped.lagging]).toEqual([session.state$.value.seq, 0])
      for (const { socket } of [other, stopped]) socket.destroy()
      await server.end()
    },
  )
})
