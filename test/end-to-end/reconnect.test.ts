// Tests a client whose server is killed during a run.
// The client reconnects to the next server, and its events equal the log.
import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import {
  filter,
  firstValueFrom,
  lastValueFrom,
  map,
  of,
  takeUntil,
  takeWhile,
  throwIfEmpty,
  timer,
  toArray,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { expect, it } from 'vitest'
import { connectSocket } from '../../lib/server/socket/connect-socket.ts'
import { reconnectingClient } from '../../lib/server/client/reconnecting-client.ts'
import { emptySession, foldSession, transcript } from '../../lib/streams/state/fold-session.ts'
import { messageText } from '../../lib/streams/messages/message-text.ts'
import { streamTransport } from '../../lib/server/protocol/stream-transport.ts'
import { workplace } from '../support/command.ts'

const start = join(dirname(dirname(import.meta.dirname)), 'bin/start.js')
const words = 'word after word '.repeat(120)
const last = <Value>(value$: Observable<Value>) =>
  lastValueFrom(value$.pipe(throwIfEmpty()), { defaultValue: undefined as never })
const isNumbered = (line: string): boolean => line.startsWith('{"seq":')

it('a client goes on after kill -9 of its server, with the session’s environment, and emits every line once', async () => {
  using workspace = workplace()
  const call = { name: 'bash', arguments: { command: 'echo "mark: $MARK"' } }
  const model = workspace.scripted([
    { text: words, toolCalls: [call], pieceLength: 3, pieceDelayMs: 3 },
    { text: 'done' },
  ])
  const first = workspace.start(['serve'])
  await first.outputText('listening at')
  const client = reconnectingClient({ open: () => connectSocket(workspace.socket), baseDelayMs: 20, maxDelayMs: 100 })
  const states$ = client.connection$.pipe(
    map((state) => (state.status === 'connected' && state.restarted ? 'restarted' : state.status)),
    toArray(),
  )
  const states = last(states$)
  const env = { PATH: process.env['PATH'] ?? '', HOME: workspace.folder, MARK: 'my own' }
  const opened = await last(client.request({ type: 'new_session', approve: 'auto', cwd: workspace.folder, env, model }))
  const { session } = opened

  let state = emptySession()
  let shown = ''
  const lines: string[] = []
  const events$ = client.events$(session, { after: 0 })
  const heard = new Promise<void>((resolve, reject) => {
    events$.subscribe({
      next: (received) => {
        if (received.type !== 'event') return
        const { event, line } = received
        state = foldSession(state, received)
        if (line !== undefined) lines.push(line)
        if (event.type === 'message_update' && event.delta.type === 'text_delta') shown += event.delta.text
        if (shown.length > 100) first.child.kill('SIGKILL') // a second kill has no effect
      },
      error: reject,
      complete: resolve,
    })
  })
  const until = (isSo: () => boolean) =>
    firstValueFrom(timer(0, 10).pipe(filter(isSo), takeUntil(timer(20_000))), { defaultValue: undefined })

  const prompt = { type: 'prompt', session, text: 'Go' } as const
  const answer = await last(client.request(prompt, { opId: 'one' }))
  await first.ended
  const second = workspace.start(['serve'])
  await until(() => state.lastEnd !== undefined)
  expect(state.lastEnd).toMatchObject({ terminationReason: 'crashed' })

  expect(await last(client.request(prompt, { opId: 'one' }))).toEqual(answer)
  await last(client.request({ ...prompt, text: 'Again' }))
  await until(() => state.lastEnd?.terminationReason === 'completed' && state.running === undefined)
  const messages = transcript(state).map((message) => `${message.role}: ${messageText(message).trim()}`)
  expect(messages.slice(2)).toEqual([
    'user: Again',
    `assistant: ${words.trim()}`,
    'toolResult: mark: my own',
    'assistant: done',
  ])
  expect(words.startsWith(messageText(transcript(state)[1] ?? { role: 'user', content: '?', timestamp: 0 }))).toBe(true)

  client.close()
  await heard
  expect(await states).toEqual(
    expect.arrayContaining(['connecting', 'connected', 'reconnecting', 'restarted', 'closed']),
  )
  await workspace.stop()
  await second.ended
  expect(lines).toEqual(workspace.logs()[0]?.lines.filter(isNumbered))
}, 60_000)

it('a client uses rxpi rpc over its standard streams, and the next one when that has ended [WIRE-stdio]', async () => {
  using workspace = workplace()
  const started: ChildProcessByStdio<Writable, Readable, null>[] = []
  const home = { HOME: workspace.folder, RXPI_HOME: workspace.home, XDG_CONFIG_HOME: dirname(workspace.config) }
  const client = reconnectingClient({
    open: () => {
      const env = { PATH: process.env['PATH'] ?? '', ...home }
      const rpc = spawn(process.execPath, [start, 'rpc'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
      started.push(rpc)
      return of(streamTransport({ input: rpc.stdout, output: rpc.stdin }))
    },
    baseDelayMs: 10,
  })
  const env = { PATH: process.env['PATH'] ?? '' }
  const model = workspace.scripted([{ text: 'Hello.' }])
  const { session } = await last(
    client.request({ type: 'new_session', approve: 'auto', cwd: workspace.folder, env, model }),
  )
  started[0]?.kill('SIGKILL')
  const events$ = client.events$(session, { after: 0 }).pipe(
    filter((received) => received.type === 'event'),
    map(({ event }) => event),
    takeWhile(({ type }) => type !== 'agent_settled'),
    toArray(),
  )
  const events = last(events$)
  await last(client.request({ type: 'prompt', session, text: 'Hi' }, { opId: 'one' }))
  expect((await events).at(-1)).toMatchObject({ type: 'agent_end', terminationReason: 'completed' })
  expect(started).toHaveLength(2)
  const [, second] = started
  const ended = second === undefined ? [] : once(second, 'exit')
  client.close()
  expect(await ended).toEqual([0, null])
}, 60_000)
