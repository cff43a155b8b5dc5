// Tests the end of a connection: sessions go on; pending responses and attachments end.
import { NEVER, Subject, of, lastValueFrom } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { ToolResult } from '../../../lib/streams/ports/tool.ts'
import { createServer } from '../../../lib/server/create-server.ts'
import { createSessions } from '../../../lib/server/sessions/sessions.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import { fakeSession } from '../../support/fake-session.ts'
import { framesOf } from '../../support/frames-of.ts'
import { lineClient } from '../../support/line-client.ts'
import { session, setup, outcome, setupWithSession, failOnStatus } from './connection-scene.ts'

describe('the end of a connection', () => {
  it('leaves a session and its run unchanged', () => {
    const { client, host } = setupWithSession()
    client.ask('1', { type: 'attach', session })
    client.close()
    host.sessionsById.get(session)?.record({ type: 'agent_settled' })
    expect(host.sessionsById.get(session)?.isClosed).toBe(false)
  })

  it('still answers the requests that are pending at the last line', () => {
    const result$ = new Subject<ToolResult>()
    const host = fakeBackend({ runTool: () => result$ })
    const lines$ = of({ text: JSON.stringify({ id: '1', type: 'run_tool', cwd: '/', name: 'x', args: {} }) })
    const frames: string[] = []
    const server = {
      backend: host,
      sessions: createSessions(host),
      hello: 'hello',
      status: failOnStatus,
      end: () => undefined,
    }
    framesOf(lines$, server).subscribe({ next: (frame) => frames.push(frame), complete: () => frames.push('|') })
    expect(frames).toEqual(['hello'])
    result$.next({ type: 'result', content: [] })
    expect(frames).toEqual([
      'hello',
      '{"v":1,"type":"response","id":"1","ok":true,"result":{"content":[],"isError":false}}',
      '|',
    ])
  })

  it('fails a prompt 30 s after the last line: the command of an extension may never end', () => {
    vi.useFakeTimers()
    try {
      const host = fakeBackend({ session: { answer: () => NEVER } })
      const opening = { id: 'new', type: 'new_session', cwd: '/somewhere' }
      const prompt = { id: '1', type: 'prompt', session, text: '/forever' }
      const frames: string[] = []
      const server = {
        backend: host,
        sessions: createSessions(host),
        hello: 'hello',
        status: failOnStatus,
        end: () => undefined,
      }
      framesOf(of({ text: JSON.stringify(opening) }, { text: JSON.stringify(prompt) }), server).subscribe({
        next: (frame) => frames.push(frame),
        complete: () => frames.push('|'),
      })
      vi.advanceTimersByTime(29_999)
      expect(frames).toHaveLength(2)
      vi.advanceTimersByTime(1)
      expect(frames.slice(2)).toEqual([expect.stringContaining('"code":"timeout"'), '|'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('ends attachments with the last line', () => {
    const host = fakeBackend()
    const stored = fakeSession({ id: session })
    host.sessionsById.set(session, stored)
    const lines$ = of({ text: JSON.stringify({ id: '1', type: 'attach', session }) })
    const server = {
      backend: host,
      sessions: createSessions(host),
      hello: 'hello',
      status: failOnStatus,
      end: () => undefined,
    }
    let ended = false
    framesOf(lines$, server).subscribe({ complete: () => (ended = true) })
    expect(ended).toBe(true)
  })

  it('follows a status event if a log cannot be read any more', () => {
    const broken = fakeSession({ id: session })
    broken.record({ type: 'agent_settled' })
    const host = fakeBackend()
    host.sessionsById.set(session, {
      ...broken,
      logged: () => {
        throw new Failure('storage', 'line 7 is damaged')
      },
    })
    const client = lineClient(createServer({ host, version: '1' }))
    client.ask('1', { type: 'attach', session, after: 0 })
    expect(outcome(client, '1')).toBe('ok')
    expect(client.frames.at(-1)).toMatchObject({ type: 'event', session, event: { code: 'storage' } })
    expect(client.closed).toBe(true)
  })
})

describe('shutdown', () => {
  it('is answered when every session is closed, then the connections end [COMMAND-shutdown]', () => {
    const closing$ = new Subject<never>()
    const { client, server, host } = setupWithSession({ session: { closing$ } })
    const other = lineClient(server)
    client.ask('1', { type: 'shutdown' })
    expect(client.answers('1')).toEqual([])
    closing$.complete()
    expect(outcome(client, '1')).toBe('ok')
    expect(host.sessionsById.get(session)?.isClosed).toBe(true)
    expect([client.closed, other.closed]).toEqual([true, true])
  })

  it('refuses later connections', () => {
    const { client, server } = setup()
    client.ask('1', { type: 'shutdown' })
    const late = lineClient(server)
    expect([late.frames, late.closed]).toEqual([[], true])
  })

  it('is answered with the storage failure of a session', () => {
    const { client } = setupWithSession({ session: { closeFails: new Failure('storage', 'disk full') } })
    client.ask('1', { type: 'shutdown' })
    expect(outcome(client, '1')).toBe('storage')
  })

  it('ends the server even if a session could not be stored', async () => {
    const { client, server } = setupWithSession({ session: { closeFails: new Failure('storage', 'disk full') } })
    client.ask('1', { type: 'shutdown' })
    await lastValueFrom(server.ended$, { defaultValue: undefined })
    expect(client.closed).toBe(true)
  })

  it('ends the server even if its client has disconnected', async () => {
    const ready$ = new Subject<void>()
    const { client, server } = setup({ ready$ })
    client.ask('1', { type: 'new_session', cwd: '/a' })
    client.ask('2', { type: 'shutdown' })
    client.close()
    let isOver = false
    server.ended$.subscribe(() => (isOver = true))
    expect(isOver).toBe(false)
    ready$.next()
    await lastValueFrom(server.ended$, { defaultValue: undefined })
    expect(isOver).toBe(true)
  })
})
