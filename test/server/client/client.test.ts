// Tests the client: attachments, requests, the greeting, closing, and an embedded server.
import { NEVER, Subject, lastValueFrom, of } from 'rxjs'
import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { ToolResult } from '../../../lib/streams/ports/tool.ts'
import type { ClientEvent } from '../../../lib/server/protocol/server-frame.ts'
import { connect } from '../../../lib/server/client/client.ts'
import type { Client } from '../../../lib/server/client/client.ts'
import { helloFrame } from '../../../lib/server/protocol/frame.ts'
import { linkedPair } from '../../../lib/server/protocol/linked-pair.ts'
import { id, setup, clientWithoutServer, listen } from './client-scene.ts'

const none = { defaultValue: undefined }

function codeOf(client: Client): Promise<unknown> {
  return lastValueFrom(client.request({ type: 'ping' }), none).then(
    () => 'ok',
    (error: unknown) => (error as Failure).code,
  )
}

describe('an attachment that fails', () => {
  it('is removed before its subscriber gets the failure: attaching again at once works', () => {
    const { client, server, sent } = clientWithoutServer()
    const events: ClientEvent[] = []
    const again = (): void => {
      client.events$(id).subscribe((event) => events.push(event))
    }
    client.events$(id).subscribe({ error: again })
    const requestId = sent[0]?.['id'] as string
    server.send(
      JSON.stringify({ type: 'response', id: requestId, ok: false, error: { code: 'busy', message: 'later' } }),
    )
    expect(sent.map(({ type }) => type)).toEqual(['attach', 'attach'])
    const result = { channel: 1, head: 0, headEntryId: null, header: {}, queue: [] }
    server.send(JSON.stringify({ type: 'response', id: sent[1]?.['id'], ok: true, result }))
    expect(events).toMatchObject([{ type: 'attached' }])
  })
})

describe('a request of a client', () => {
  it('emits the typed result of its command', async () => {
    const { client } = setup()
    const answer$ = client.request({ type: 'prompt', session: id, text: 'hi' })
    expectTypeOf(answer$).toEqualTypeOf<import('rxjs').Observable<ResultOf<'prompt'>>>()
    expect(await lastValueFrom(answer$, none)).toEqual({ status: 'started', runId: 'rrrrrrrr' })
  })

  it('is sent on each subscription, and not before', () => {
    const { client, session } = setup()
    const steer$ = client.request({ type: 'steer', session: id, text: 'x' }, { opId: 'o' })
    expect(session.sent).toEqual([])
    steer$.subscribe()
    steer$.subscribe()
    expect(session.sent.map(({ opId }) => opId)).toEqual(['o', 'o'])
  })

  it('fails with the server’s failure: code, message, data', async () => {
    const { client } = setup()
    const failure$ = client.request({ type: 'attach', session: id, after: 5 })
    await expect(lastValueFrom(failure$, none)).rejects.toMatchObject({
      code: 'bad_request',
      message: 'after is 5, but the log ends at 0',
      data: { head: 0 },
    })
  })

  it('fails as `internal` with an unknown code in its message', async () => {
    const { client, server } = clientWithoutServer()
    const answer = lastValueFrom(client.request({ type: 'ping' }), none)
    server.send('{"v":1,"type":"response","id":"1","ok":false,"error":{"code":"too_hot","message":"39°"}}')
    await expect(answer).rejects.toMatchObject({ code: 'internal', message: 'too_hot: 39°' })
  })

  it('ends at its timeout on the server', async () => {
    const { client } = setup({ runTool: () => NEVER })
    const slow$ = client.request({ type: 'run_tool', cwd: '/', name: 'x', args: {} }, { timeoutMs: 1 })
    await expect(lastValueFrom(slow$, none)).rejects.toMatchObject({ code: 'timeout' })
  })

  it('is cancelled on the server when it is unsubscribed', () => {
    const tool$ = new Subject<ToolResult>()
    const { client } = setup({ runTool: () => tool$ })
    const subscription = client.request({ type: 'run_tool', cwd: '/', name: 'x', args: {} }).subscribe()
    expect(tool$.observed).toBe(true)
    subscription.unsubscribe()
    expect(tool$.observed).toBe(false)
  })

  it('is not cancelled after its response', () => {
    const { client, server, sent } = clientWithoutServer()
    client.request({ type: 'ping' }).subscribe()
    server.send('{"v":1,"type":"response","id":"1","ok":true,"result":{}}')
    expect(sent).toEqual([{ v: 1, id: '1', type: 'ping' }])
  })

  it('fails if the connection ends before the response, as do all later ones', async () => {
    const { client, server } = clientWithoutServer()
    const waiting = codeOf(client)
    server.close()
    expect([await waiting, await codeOf(client)]).toEqual(['disconnected', 'disconnected'])
  })

  it('over 16 MiB fails at once, before it is sent', async () => {
    const { client, session } = setup()
    const long$ = client.request({ type: 'steer', session: id, text: 'a'.repeat(16 * 1024 * 1024) })
    await expect(lastValueFrom(long$, none)).rejects.toMatchObject({ code: 'message_too_large' })
    expect(session.sent).toEqual([])
    const next$ = client.request({ type: 'steer', session: id, text: 'a' })
    await expect(lastValueFrom(next$, none)).resolves.toBeDefined() // the connection is still open
  })
})

describe('the hello of a server', () => {
  const server = { name: 'rxpi', version: '9', pid: 1, epoch: 'x' }
  const hello = helloFrame({ server, limits: {}, capabilities: [] })

  it('replays', async () => {
    const { client } = setup()
    expect(await lastValueFrom(client.hello$, none)).toMatchObject({ server: { name: 'rxpi', version: '1' } })
    expect(await lastValueFrom(client.hello$, none)).toMatchObject({ protocol: { min: 1, max: 1 } })
  })

  it('ends the connection if its protocol is too new', async () => {
    const { client, server: end } = clientWithoutServer()
    end.send(hello.replace('"min":1,"max":1', '"min":2,"max":3'))
    await expect(lastValueFrom(client.hello$, none)).rejects.toMatchObject({ code: 'unsupported_version' })
    expect(await codeOf(client)).toBe('unsupported_version')
  })

  it('must come in time, or the connection ends and requests fail', async () => {
    const [clientEnd, server] = linkedPair()
    const ends: unknown[] = []
    server.lines$.subscribe({ complete: () => ends.push('closed') })
    const client = connect(clientEnd, { greetsWithinMs: 20 })
    expect(await codeOf(client)).toBe('disconnected')
    await expect(lastValueFrom(client.hello$, none)).rejects.toThrow('The server sent no hello within 20 ms')
    expect(ends).toEqual(['closed'])
  })

  it('leaves no timer when it has come', () => {
    vi.useFakeTimers()
    const { client, server } = clientWithoutServer()
    let ended: unknown
    client.ended$.subscribe((failure) => (ended = failure))
    server.send(hello)
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
    expect(ended).toBeUndefined()
  })

  it('fails with `disconnected` if the connection ends before it', async () => {
    const { client, server: end } = clientWithoutServer()
    end.close()
    await expect(lastValueFrom(client.hello$, none)).rejects.toMatchObject({ code: 'disconnected' })
  })
})

describe('closing a client', () => {
  it('cancels the unanswered requests', () => {
    const tool$ = new Subject<ToolResult>()
    const { client } = setup({ runTool: () => tool$ })
    const codes: unknown[] = []
    client.request({ type: 'run_tool', cwd: '/', name: 'x', args: {} }).subscribe({
      error: (error: unknown) => codes.push((error as Failure).code),
    })
    client.close()
    expect([tool$.observed, codes]).toEqual([false, ['disconnected']])
  })
})

describe('an embedded server', () => {
  it('shuts down on request: sessions closed first, then the connection', async () => {
    const { client, session } = setup()
    const { events, ends } = listen(client)
    await lastValueFrom(client.request({ type: 'shutdown' }), none)
    expect([session.isClosed, events.length, ends]).toEqual([true, 1, ['disconnected']])
  })

  it('answers shutdown with the failure of a session that could not be closed', async () => {
    const { client } = setup({}, { closeFails: new Failure('storage', 'disk full') })
    await expect(lastValueFrom(client.request({ type: 'shutdown' }), none)).rejects.toMatchObject({ code: 'storage' })
  })

  it('answers run_tool with the tool’s result', async () => {
    const { client } = setup({ runTool: () => of<ToolResult>({ type: 'result', content: [], details: { a: 1 } }) })
    const answer$ = client.request({ type: 'run_tool', cwd: '/', name: 'x', args: {} })
    expect(await lastValueFrom(answer$, none)).toEqual({ content: [], details: { a: 1 }, isError: false })
  })
})
