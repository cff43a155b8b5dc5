// Tests a server against clients that write random, endless or deeply nested bytes.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer as createListener } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { defer, finalize } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createServer } from '../../../lib/server/create-server.ts'
import type { Server } from '../../../lib/server/create-server.ts'
import { streamTransport } from '../../../lib/server/protocol/stream-transport.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import { fakeSession } from '../../support/fake-session.ts'
import { hostileLines } from '../../support/hostile-lines.ts'
import { randomOf } from '../../support/random-of.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { scriptedRun } from '../../support/scripted-run.ts'

const session = 'aaaaaaaaaaaa'
const lineFeed = 10

/** A client that writes raw bytes and records the responses. */
interface ByteClient {
  readonly responses: { readonly id: string | null; readonly ok: boolean; readonly error?: { readonly code: string } }[]
  write(bytes: Uint8Array | string): Promise<void>
  end(): Promise<void>
}

function byteClient(server: Server): ByteClient {
  const [input, output] = [new PassThrough(), new PassThrough()]
  server.connect(streamTransport({ input, output }))
  const responses: ByteClient['responses'] = []
  let rest = ''
  output.setEncoding('utf8').on('data', (piece: string) => {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const frame = JSON.parse(line) as { type: string } & ByteClient['responses'][number]
      if (frame.type === 'response') responses.push(frame)
    }
  })
  return {
    responses,
    write: async (bytes) => {
      if (!input.write(bytes)) await once(input, 'drain')
    },
    end: async () => {
      input.end()
      if (!output.closed) await once(output, 'close')
    },
  }
}

function setup(): { server: Server; stored: ReturnType<typeof fakeSession> } {
  const host = fakeBackend()
  const stored = fakeSession({ id: session })
  host.sessionsById.set(session, stored)
  return { server: createServer({ host, version: '1' }), stored }
}

/** The number of lines that need a response: all lines except those of JSON white space. */
function answerable(bytes: Buffer): number {
  const lines = bytes.toString('latin1').split('\n')
  return lines.filter((line) => /[^ \t\r]/.test(line)).length
}

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}

describe('a server', () => {
  it(
    'answers every hostile line once, goes on serving, and frees the memory [WIRE-wrong]',
    { timeout: sampleSize(60_000, 900_000) },
    async () => {
      const { server } = setup()
      const before = heapAfterCollection()
      const lines = hostileLines(sampleSize(2_000, 100_000), 20_261_122)
      const random = randomOf(7)
      for (let from = 0; from < lines.length; from += 500) {
        const client = byteClient(server)
        const bytes = Buffer.concat(lines.slice(from, from + 500).flatMap((line) => [line, Buffer.of(lineFeed)]))
        for (let at = 0; at < bytes.length;) {
          const end = at + 1 + Math.floor(random() * 40_000)
          await client.write(bytes.subarray(at, end))
          at = end
        }
        await client.write('{"id":"last","type":"ping"}') // a last line without a line feed counts too
        await client.end()
        expect(client.responses).toHaveLength(answerable(bytes) + 1)
        expect(client.responses.filter(({ id }) => id === 'last')).toMatchObject([{ ok: true }])
        const codes = new Set(client.responses.flatMap(({ error }) => error?.code ?? []))
        expect(codes).not.toContain('internal')
      }
      lines.length = 0
      expect(heapAfterCollection() - before).toBeLessThan(32 * 1024 * 1024)
    },
  )

  it(
    'skips a line of any length without holding more than the limit of it [WIRE-too_large]',
    { timeout: sampleSize(60_000, 900_000) },
    async () => {
      const { server } = setup()
      const client = byteClient(server)
      const piece = Buffer.alloc(1024 * 1024, 'a')
      const before = process.memoryUsage().arrayBuffers
      let most = 0
      for (let count = 0; count < sampleSize(96, 1_000); count++) {
        await client.write(piece)
        most = Math.max(most, process.memoryUsage().arrayBuffers)
      }
      await client.write('\n{"id":"1","type":"ping"}\n')
      await client.end()
      expect(client.responses.map(({ id, error }) => error?.code ?? id)).toEqual(['message_too_large', '1'])
      // the buffer doubles: for a moment the old and the new one exist together
      expect(most - before).toBeLessThan(64 * 1024 * 1024)
    },
  )

  it('accepts values of any depth if a command allows any value', async () => {
    const { server } = setup()
    const client = byteClient(server)
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const args = `{"deep":${open.repeat(100_000)}1${close.repeat(100_000)}}`
      await client.write(`{"id":"1","type":"run_tool","cwd":"/","name":"x","args":${args}}\n`)
    }
    await client.write('{"id":"2","type":"ping"}\n')
    await client.end()
    expect(client.responses.at(-1)).toMatchObject({ id: '2', ok: true })
    expect(client.responses).toHaveLength(3)
  })

  it(
    'holds nothing of 1,000 connections that connect, attach and end in every way',
    { timeout: sampleSize(120_000, 900_000) },
    async () => {
      const host = fakeBackend()
      const stored = fakeSession({ id: session })
      for (const event of scriptedRun(['one', 'two']).slice(0, 9)) stored.record(event)
      let readers = 0
      const counted$ = defer(() => {
        readers += 1
        return stored.records$
      }).pipe(finalize(() => (readers -= 1)))
      host.sessionsById.set(session, Object.assign(Object.create(stored) as typeof stored, { records$: counted$ }))
      const server = createServer({ host, version: '1' })
      let clients = -1
      const counting = server.clients$.subscribe((count) => (clients = count))
      const folder = mkdtempSync(path.join(tmpdir(), 'hostile-'))
      const listener = createListener({ allowHalfOpen: true }, (socket) => server.connect(streamTransport(socket)))
      listener.listen(path.join(folder, 's'))
      await once(listener, 'listening')
      const sockets = (): number =>
        process.getActiveResourcesInfo().filter((name) => /PipeWrap|Socket/.test(name)).length
      const before = sockets()
      const attach = `{"id":"1","type":"attach","session":"${session}","after":0}\n`
      for (let index = 0; index < sampleSize(300, 1_000); index++) {
        const socket = connect(path.join(folder, 's'))
        socket.on('error', () => undefined) // the server may close first
        await once(socket, 'connect')
        if (index % 2 === 0) socket.write(index % 4 === 0 ? attach : attach.slice(0, index % 60))
        if (index % 3 === 0) await once(socket, 'data')
        if (index % 5 === 0) socket.end()
        else socket.destroy()
        socket.resume()
      }
      await expect.poll(() => [sockets(), readers, clients], { timeout: 20_000 }).toEqual([before, 0, 0])
      counting.unsubscribe()
      listener.close()
      await once(listener, 'close')
      rmSync(folder, { recursive: true })
    },
  )
})
