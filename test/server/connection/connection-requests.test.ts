// Tests the requests of a connection: valid and invalid lines, responses and cancellation.
// Over 250 lines: one table of the possible lines and their responses.
import fc from 'fast-check'
import { EMPTY, NEVER, Observable, Subject, defer, finalize, of, throwError, timer } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { ToolResult } from '../../../lib/streams/ports/tool.ts'
import type { ServerContext } from '../../../lib/server/connection/request-context.ts'
import type { IncomingLine } from '../../../lib/server/protocol/transport.ts'
import { createSessions } from '../../../lib/server/sessions/sessions.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import type { FakeBackend, FakeBackendOptions } from '../../support/fake-backend.ts'
import { fakeSession } from '../../support/fake-session.ts'
import { framesOf } from '../../support/frames-of.ts'
import { lineClient } from '../../support/line-client.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { session, setup, outcome, setupWithSession, requestLine, failOnStatus } from './connection-scene.ts'

/** A connection whose lines the test sends itself; `heard` is called with each frame as it arrives. */
function spoken(options: FakeBackendOptions, heard: (frame: Record<string, unknown>) => void = () => undefined) {
  const host = fakeBackend(options)
  const lines$ = new Subject<IncomingLine>()
  const frames: Record<string, unknown>[] = []
  const hello = JSON.stringify({ type: 'hello' })
  const server = { backend: host, sessions: createSessions(host), hello, status: failOnStatus, end: () => undefined }
  framesOf(lines$, server).subscribe((line) => {
    const frame = JSON.parse(line) as Record<string, unknown>
    frames.push(frame)
    heard(frame)
  })
  return { host, lines$, frames }
}

/** The outcome in a tool's response: its text, or its error code with the message if the request set that message. */
function endOf(frame: Record<string, unknown>): string | undefined {
  const { result, error } = frame as {
    readonly result?: { readonly content: readonly { readonly text: string }[] }
    readonly error?: { readonly code: string; readonly message: string }
  }
  if (error === undefined) return result?.content[0]?.text
  return error.code === 'storage' ? `storage ${error.message}` : error.code
}

describe('a request', () => {
  it(
    'is answered once among many in flight, in any order [WIRE-once]',
    { timeout: sampleSize(20_000, 600_000) },
    async () => {
      const delay = fc.integer({ min: 0, max: 3 })
      const fate = fc.constantFrom('answered', 'failed', 'silent', 'cancelled', 'late')
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(delay, fate), { minLength: 1, maxLength: 60 }), async (requests) => {
          const fates = new Map(requests.map(([, each], index) => [String(index), each]))
          const { client } = setup({
            runTool: ({ name, args }) => {
              if (fates.get(name) === 'silent') return EMPTY
              const result: ToolResult = { type: 'result', content: [] }
              const after$ = timer(Number(args['delay']))
              const wanted$ = fates.get(name) === 'late' || fates.get(name) === 'cancelled' ? NEVER : after$
              return new Observable((subscriber) =>
                wanted$.subscribe(() => {
                  if (fates.get(name) === 'failed') {
                    subscriber.error(new Failure('storage', 'full'))
                    return
                  }
                  subscriber.next(result)
                  subscriber.complete()
                }),
              )
            },
          })
          for (const [index, [wait, each]] of requests.entries()) {
            const id = String(index)
            const limit = each === 'late' ? { timeoutMs: wait + 1 } : {}
            client.ask(id, { type: 'run_tool', cwd: '/', name: id, args: { delay: wait }, ...limit })
            if (each === 'cancelled') client.ask(`${id}c`, { type: 'cancel', target: id })
          }
          await expect
            .poll(() => client.frames.filter((frame) => /^\d+$/.test(String(frame['id']))).length, { timeout: 10_000 })
            .toBe(requests.length)
          const codes = {
            answered: 'ok',
            failed: 'storage',
            silent: 'internal',
            cancelled: 'cancelled',
            late: 'timeout',
          }
          for (const [index, [, each]] of requests.entries()) expect(outcome(client, String(index))).toBe(codes[each])
        }),
        { numRuns: sampleSize(15, 1_000) },
      )
    },
  )

  it(
    'gets its own result among 1,000 in flight that end in any order [WIRE-once]',
    { timeout: sampleSize(20_000, 600_000) },
    () => {
      const fates = ['answered', 'failed', 'cancelled'] as const
      const order = fc.shuffledSubarray(
        Array.from({ length: 1_000 }, (_, index) => index),
        { minLength: 1_000 },
      )
      fc.assert(
        fc.property(order, fc.infiniteStream(fc.nat()), (ending, fate) => {
          const results = new Map<string, Subject<ToolResult>>()
          const { client } = setup({
            runTool: ({ name }) => {
              const result$ = new Subject<ToolResult>()
              results.set(name, result$)
              return result$
            },
          })
          for (const id of ending.toSorted())
            client.ask(String(id), { type: 'run_tool', cwd: '/', name: String(id), args: {} })
          client.ask('more', { type: 'run_tool', cwd: '/', name: 'more', args: {} })
          expect(outcome(client, 'more')).toBe('overloaded')
          const wanted = new Map<string, unknown>()
          for (const index of ending) {
            const id = String(index)
            const end = fates[(fate.next().value as number) % fates.length]
            if (end === 'answered') results.get(id)?.next({ type: 'result', content: [{ type: 'text', text: id }] })
            else if (end === 'failed') results.get(id)?.error(new Failure('storage', id))
            else client.ask(`${id}c`, { type: 'cancel', target: id })
            wanted.set(id, end === 'answered' ? id : end === 'failed' ? `storage ${id}` : 'cancelled')
          }
          // results after the response are dropped
          for (const index of ending) results.get(String(index))?.next({ type: 'result', content: [] })
          const got = client.frames.filter(({ id, type }) => type === 'response' && wanted.has(String(id)))
          expect(got).toHaveLength(1_000)
          expect(new Map(got.map((frame) => [frame['id'], endOf(frame)]))).toEqual(wanted)
          client.ask('again', { type: 'ping' })
          expect(outcome(client, 'again')).toBe('ok')
        }),
        { numRuns: sampleSize(4, 200) },
      )
    },
  )

  it('can be cancelled by a client at its limit of requests', () => {
    const { client } = setup({ runTool: () => NEVER })
    for (let id = 0; id < 1_000; id += 1) client.ask(String(id), { type: 'run_tool', cwd: '/', name: 'slow', args: {} })
    client.ask('more', { type: 'ping' })
    client.ask('c', { type: 'cancel', target: '7' })
    expect(['more', '7', 'c'].map((id) => outcome(client, id))).toEqual(['overloaded', 'cancelled', 'ok'])
  })

  it('ends at its timeout, in virtual time, and unsubscribes its work [WIRE-timeout]', () => {
    new TestScheduler((actual, expected) => {
      expect(actual).toEqual(expected)
    }).run(({ cold, expectObservable, expectSubscriptions }) => {
      const tool$ = cold<ToolResult>('---------a')
      const host: FakeBackend = fakeBackend({ runTool: () => tool$ })
      const server: ServerContext = {
        backend: host,
        sessions: createSessions(host),
        hello: 'hello',
        status: failOnStatus,
        end: () => undefined,
      }
      const request = { id: '1', type: 'run_tool', cwd: '/', name: 'x', args: {}, timeoutMs: 5 }
      const lines$ = cold('-l', { l: { text: JSON.stringify(request) } })
      const message = 'run_tool was not answered within 5 ms; what it began goes on'
      expectObservable(framesOf(lines$, server)).toBe('h-----t', {
        h: 'hello',
        t: `{"v":1,"type":"response","id":"1","ok":false,"error":{"code":"timeout","message":"${message}"}}`,
      })
      expectSubscriptions(tool$.subscriptions).toBe('-^----!')
    })
  })

  it('can be cancelled while it is pending, and not afterwards [WIRE-timeout, COMMAND-cancel]', () => {
    let left = false
    const { client } = setup({ runTool: () => NEVER.pipe(finalize(() => (left = true))) })
    client.ask('1', { type: 'run_tool', cwd: '/', name: 'x', args: {} })
    expect(client.answers('1')).toHaveLength(0)
    client.ask('2', { type: 'cancel', target: '1' })
    expect(outcome(client, '1')).toBe('cancelled')
    expect(client.answers('2')).toMatchObject([{ result: { cancelled: true } }])
    expect(left).toBe(true)
    client.ask('3', { type: 'cancel', target: '1' })
    expect(client.answers('3')).toMatchObject([{ result: { cancelled: false } }])
  })

  it('cannot be cancelled once it is answered, not even during the delivery of the response', () => {
    const { lines$, frames } = spoken({ runTool: () => of({ type: 'result', content: [] }) }, (frame) => {
      if (frame['id'] === '1') lines$.next(requestLine('2', { type: 'cancel', target: '1' }))
    })
    lines$.next(requestLine('1', { type: 'run_tool', cwd: '/', name: 'x', args: {} }))
    const answers = frames.filter(({ type }) => type === 'response')
    expect(answers).toMatchObject([
      { id: '1', ok: true },
      { id: '2', result: { cancelled: false } },
    ])
  })

  it('is still answered after the client’s last line, but attachments send no more', () => {
    const result$ = new Subject<ToolResult>()
    const { host, lines$, frames } = spoken({ runTool: () => result$ })
    const stored = fakeSession({ id: session })
    host.sessionsById.set(session, stored)
    lines$.next(requestLine('1', { type: 'attach', session }))
    lines$.next(requestLine('2', { type: 'run_tool', cwd: '/', name: 'x', args: {} }))
    stored.record({ type: 'agent_settled' })
    lines$.complete()
    stored.record({ type: 'agent_settled' })
    result$.next({ type: 'result', content: [] })
    expect(frames.map(({ type, id }) => id ?? type)).toEqual(['hello', '1', 'event', '2'])
  })

  it('can be cancelled after an earlier one with the same id was answered', () => {
    const answers = [new Subject<ToolResult>(), new Subject<ToolResult>()]
    const waiting = [...answers]
    const { client } = setup({ runTool: () => waiting.shift() ?? NEVER })
    client.ask('1', { type: 'run_tool', cwd: '/', name: 'x', args: {} })
    client.ask('1', { type: 'run_tool', cwd: '/', name: 'x', args: {} })
    answers[0]?.next({ type: 'result', content: [] })
    client.ask('2', { type: 'cancel', target: '1' })
    expect(client.answers('2')).toMatchObject([{ result: { cancelled: true } }])
    expect([client.answers('1').length, answers[1]?.observed]).toEqual([2, false])
  })

  it('is refused if its session has 1,000 unanswered commands, over all clients [WIRE-bounds]', () => {
    const { server, client, host } = setupWithSession({ session: { answer: () => NEVER } })
    const other = lineClient(server)
    for (let index = 0; index < 1_000; index++) client.ask(`a${index}`, { type: 'steer', session, text: '' })
    other.ask('1', { type: 'steer', session, text: '' })
    expect(outcome(other, '1')).toBe('overloaded')
    client.ask('cancel', { type: 'cancel', target: 'a7' })
    other.ask('2', { type: 'steer', session, text: '' })
    expect(other.answers('2')).toHaveLength(0)
    expect(host.sessionsById.get(session)?.sent).toHaveLength(1_001)
  })

  it.each<Record<string, unknown>>([
    { type: 'attach', session },
    { type: 'open_session', session, cwd: '/' },
  ])('is refused if 1,000 $type of its connection wait for a session that is being opened', (command) => {
    const { client, host } = setup({ ready$: NEVER })
    host.sessionsById.set(session, fakeSession({ id: session }))
    for (let index = 0; index <= 1_000; index++) client.ask(`a${index}`, command)
    expect(outcome(client, 'a1000')).toBe('overloaded')
    expect(client.answers('a999')).toEqual([])
  })

  it('is refused if its connection has 1,000 unanswered requests without a session [WIRE-bounds]', () => {
    const { client } = setup({ runTool: () => NEVER })
    const command = { type: 'run_tool', cwd: '/', name: 'x', args: {} }
    for (let index = 0; index <= 1_000; index++) client.ask(`a${index}`, command)
    expect(outcome(client, 'a1000')).toBe('overloaded')
  })

  it('gets the session’s own failure with its data', () => {
    const failure = new Failure('busy', 'a run is on', { data: { runId: 'rrrrrrrr' } })
    const { client } = setupWithSession({ session: { answer: () => throwError(() => failure) } })
    client.ask('1', { type: 'prompt', session, text: 'hi' })
    expect(client.answers('1')).toEqual([
      {
        v: 1,
        type: 'response',
        id: '1',
        ok: false,
        error: { code: 'busy', message: 'a run is on', data: { runId: 'rrrrrrrr' } },
      },
    ])
  })

  it('is answered `internal` if a handler throws', () => {
    const { client } = setup({
      runTool: () =>
        defer(() => {
          throw new TypeError('undefined is not a tool')
        }),
    })
    client.ask('1', { type: 'run_tool', cwd: '/', name: 'x', args: {} })
    expect(outcome(client, '1')).toBe('internal')
  })

  it('passes fields and opId to the session, without the envelope', () => {
    const { client, host } = setupWithSession()
    client.ask('1', { type: 'prompt', session, text: 'hi', limits: { turns: 4 }, opId: 'once', timeoutMs: 1_000 })
    expect(outcome(client, '1')).toBe('ok')
    expect(host.sessionsById.get(session)?.sent).toEqual([
      { command: { type: 'prompt', text: 'hi', limits: { turns: 4 } }, opId: 'once' },
    ])
  })

  it.each(['prompt', 'steer', 'follow_up', 'abort'])('routes %s', (type) => {
    const { client, host } = setupWithSession()
    client.ask('1', { type, session, text: 'hi' })
    expect(outcome(client, '1')).toBe('ok')
    expect(host.sessionsById.get(session)?.sent.map(({ command }) => command.type)).toEqual([type])
  })

  it('runs one tool and answers with its result only [COMMAND-run_tool]', () => {
    const { client } = setup({
      runTool: ({ name, args }) =>
        of(
          { type: 'progress', updateType: 'stdout', content: 'working' } as const,
          {
            type: 'result',
            content: [{ type: 'text', text: `${name} ${JSON.stringify(args)}` }],
            isError: true,
          } as const,
        ),
    })
    client.ask('1', { type: 'run_tool', cwd: '/', name: 'read', args: { path: 'a' } })
    expect(client.answers('1')).toMatchObject([
      { result: { content: [{ type: 'text', text: 'read {"path":"a"}' }], isError: true } },
    ])
  })

  it('answers doctor with the checks of the backend and the socket [COMMAND-doctor]', () => {
    const { client } = setup()
    client.ask('1', { type: 'doctor', cwd: '/', env: { RXPI_SOCKET: '/nowhere/rxpi.sock' } })
    const checks = [
      { name: 'node', ok: true },
      { name: 'accounts', ok: true },
      { name: 'extensions', ok: true },
      { name: 'socket', ok: true, message: '/nowhere/rxpi.sock: no server runs' },
    ]
    expect(client.answers('1')).toMatchObject([{ result: { checks } }])
  })
})
