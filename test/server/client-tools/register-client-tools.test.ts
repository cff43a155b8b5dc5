// Tests tools that a client registers: called over its connection, removed when it disconnects.
// Over 250 lines: one story over one pair of connections, from the offer of a tool to its client’s end.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { Observable, filter, firstValueFrom, lastValueFrom, of, throwError } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { connectSocket } from '../../../lib/server/socket/connect-socket.ts'
import type { ChannelTool } from '../../../lib/server/client-tools/answer-channel-calls.ts'
import { reconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { serve } from '../../../lib/server/serve.ts'
import { linkedPair } from '../../../lib/server/protocol/linked-pair.ts'
import type { Transport } from '../../../lib/server/protocol/transport.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { askingServer } from '../../support/asking-server.ts'
import type { AskingServer } from '../../support/asking-server.ts'
import { lineClient } from '../../support/line-client.ts'
import type { LineClient } from '../../support/line-client.ts'

const name = 'channel_ed_look'
const look = {
  name: 'look',
  description: 'Where the cursor is',
  parameters: { type: 'object', properties: { lines: { type: 'integer' } } },
}
const called = { toolCalls: [{ name, arguments: { lines: 3 } }] }

function setup(script: Parameters<typeof askingServer>[0]['script'] = [called, 'done']): AskingServer {
  return askingServer({ script, tools: [] })
}

interface Member extends LineClient {
  of(type: string): Record<string, unknown>[]
  answer(id: string): Promise<Record<string, unknown>>
}

/** A client that sent `hello` and is attached; `null`: without tools. */
async function member({ server, session }: AskingServer, hello: object = { client: 'ed' }, tools: unknown = [look]) {
  const client = lineClient(server)
  const own: Member = Object.assign(client, {
    of: (type: string) => client.frames.filter((frame) => frame['type'] === type),
    answer: (id: string) =>
      vi.waitFor(
        () => {
          const [answer] = client.answers(id)
          if (answer === undefined) throw new Error(`${id} is not answered`)
          return answer
        },
        { timeout: 10_000 },
      ),
  })
  own.ask('n', { type: 'new_session', cwd: '/' })
  own.ask('h', { type: 'hello', ...hello })
  own.ask('a', { type: 'attach', session: session.id, ...(tools === null ? {} : { tools }) })
  await own.answer('a')
  return own
}

const outcomeOf = (frame: Record<string, unknown>) => (frame['ok'] === true ? 'ok' : frame['error'])

/** Answers every approval question with this outcome. */
function approving({ session }: AskingServer, outcome = 'once'): void {
  session.answering$.subscribe()
  session.events$.subscribe((event) => {
    if (event.type === 'ui_request') void session.send({ type: 'ui_response', requestId: event.requestId, outcome })
  })
}

const settled = ({ session }: AskingServer) =>
  firstValueFrom(session.events$.pipe(filter(({ type }) => type === 'agent_settled')), { defaultValue: undefined })

function prompt({ session }: AskingServer): void {
  void session.send({ type: 'prompt', text: 'Hi' })
}

function changesOf({ session }: AskingServer): (readonly string[])[] {
  const changes: (readonly string[])[] = []
  session.events$.subscribe((event: AgentEvent) => {
    if (event.type === 'active_tools_change') changes.push(event.to)
  })
  return changes
}

function resultsOf({ session }: AskingServer): string[] {
  return [...session.state$.value.entries.values()].flatMap(({ message }) =>
    message.role === 'toolResult' ? message.content.map((part) => (part.type === 'text' ? part.text : '')) : [],
  )
}

async function callOf(client: Member): Promise<string> {
  return vi.waitFor(
    () => {
      const [call] = client.of('channel_call')
      if (call === undefined) throw new Error('nothing was called')
      return call['callId'] as string
    },
    { timeout: 10_000 },
  )
}

const resultContent = [{ type: 'text', text: 'line 7' }]

describe('a tool of a client', () => {
  it('is called on its own connection only, after a person approved the call, and answered once [S10a, S10b, S10c, ATTACH-channel, COMMAND-channel_result, COMMAND-hello]', async () => {
    const all = setup()
    const editor = await member(all)
    const other = await member(all, { client: 'other' }, null)
    approving(all)
    const over = settled(all)
    prompt(all)
    const callId = await callOf(editor)
    expect(editor.of('channel_call')).toEqual([
      {
        v: 1,
        type: 'channel_call',
        session: all.session.id,
        callId,
        toolCallId: 'call_1_1',
        name: 'look',
        args: { lines: 3 },
      },
    ])
    expect(other.of('channel_call')).toEqual([])
    other.ask('r', { type: 'channel_result', callId, content: resultContent })
    expect(outcomeOf(await other.answer('r'))).toMatchObject({ code: 'bad_request' })
    editor.ask('r', { type: 'channel_result', callId, content: resultContent, details: { at: 7 } })
    editor.ask('s', { type: 'channel_result', callId, content: [] })
    expect(outcomeOf(await editor.answer('r'))).toBe('ok')
    expect(outcomeOf(await editor.answer('s'))).toMatchObject({ code: 'bad_request' })
    await over
    expect(resultsOf(all)).toEqual(['line 7'])
    const requests = [...all.session.logged()].map(({ event }) => event).filter(({ type }) => type === 'ui_request')
    expect(requests).toMatchObject([{ kind: 'approval', tool: name, args: { lines: 3 } }])
  })

  it.each([
    ['no client can answer a question', () => undefined, /no client can give it/],
    ['a person denies the call', (all: AskingServer) => approving(all, 'deny'), /did not allow/],
  ])('is not called if %s [S4b, S10b]', async (_, people, text) => {
    const all = setup()
    const editor = await member(all)
    people(all)
    const over = settled(all)
    prompt(all)
    await over
    expect(editor.of('channel_call')).toEqual([])
    expect(resultsOf(all).join()).toMatch(text)
  })

  it('is called only with arguments that fit its schema', async () => {
    const all = setup([{ toolCalls: [{ name, arguments: { lines: 'many' } }] }, 'done'])
    const editor = await member(all)
    approving(all)
    const over = settled(all)
    prompt(all)
    await over
    expect(editor.of('channel_call')).toEqual([])
    expect(resultsOf(all).join()).toContain('/lines')
  })

  it('does not hold up the server with a hostile pattern in its schema [S27c]', async () => {
    const lines = `${'a'.repeat(50)}!`
    const all = setup([{ toolCalls: [{ name, arguments: { lines } }] }, 'done'])
    const parameters = { type: 'object', properties: { lines: { type: 'string', pattern: '^(a+)+$' } } }
    const editor = await member(all, { client: 'ed' }, [{ ...look, parameters }])
    approving(all)
    const over = settled(all)
    prompt(all)
    await over
    expect(editor.of('channel_call')).toEqual([])
    expect(resultsOf(all).join()).toContain('must have the form ^(a+)+$')
  })

  it('gets channel_cancel when its call ends, and its late result is refused [S10c, ATTACH-channel]', async () => {
    const all = setup()
    const editor = await member(all)
    approving(all)
    prompt(all)
    const callId = await callOf(editor)
    await lastValueFrom(all.session.send({ type: 'abort' }), { defaultValue: undefined })
    expect(editor.of('channel_cancel')).toEqual([{ v: 1, type: 'channel_cancel', session: all.session.id, callId }])
    editor.ask('r', { type: 'channel_result', callId, content: resultContent })
    expect(outcomeOf(await editor.answer('r'))).toMatchObject({ code: 'bad_request' })
  })

  it.each<[string, (client: Member, session: string) => void]>([
    ['connection ends', (client) => client.close()],
    ['attachment ends', (client, session) => client.ask('d', { type: 'detach', session })],
  ])('fails its call and is withdrawn when the %s', async (_, leave) => {
    const all = setup([called, called, 'done'])
    const editor = await member(all)
    approving(all)
    const over = settled(all)
    prompt(all)
    await callOf(editor)
    leave(editor, all.session.id)
    await over
    expect(resultsOf(all)[0]).toMatch(/disconnected before it answered/)
    expect(resultsOf(all)[1]).toContain(`no active tool "${name}"`)
    expect(all.session.activeTools).toEqual([])
    expect(editor.of('channel_cancel')).toEqual([])
  })

  it('is active exactly while its client is attached', async () => {
    const all = setup()
    const changes = changesOf(all)
    const editor = await member(all)
    editor.ask('b', { type: 'attach', session: all.session.id, tools: [look, { ...look, name: 'mark' }] })
    await editor.answer('b')
    editor.ask('c', { type: 'attach', session: all.session.id })
    await editor.answer('c')
    expect(changes).toEqual([[name], [name, 'channel_ed_mark'], []])
  })
})

describe('an attachment that replaces another', () => {
  const seqsOf = (client: Member, from: number) =>
    client.frames.slice(from).flatMap((frame) => {
      if (frame['type'] === 'response') return [{ head: (frame['result'] as { head?: number }).head }]
      return frame['type'] === 'event' || frame['type'] === 'caught_up' ? [frame['seq']] : []
    })

  it.each<[string, unknown, unknown, unknown[]]>([
    ['brings tools', null, [look], [{ head: 1 }, 1, 1]],
    ['brings others', [look], [{ ...look, name: 'mark' }], [{ head: 2 }, 2, 2]],
    ['takes them away', [look], null, [{ head: 2 }, 2, 2]],
    ['changes nothing', [look], [look], [{ head: 1 }, 1]],
  ])('publishes one tool change, after its response: it %s', async (_, before, tools, notices) => {
    const all = setup()
    const client = await member(all, { client: 'ed' }, before)
    const from = client.frames.length
    const after = all.session.state$.value.seq
    client.ask('b', { type: 'attach', session: all.session.id, after, ...(tools === null ? {} : { tools }) })
    await client.answer('b')
    expect(seqsOf(client, from)).toEqual(notices)
  })

  it.each<[string, object]>([
    ['begins beyond the end', { after: 99, tools: [{ ...look, name: 'mark' }] }],
    ['begins in two places', { after: 0, tail: 1 }],
    ['has tools that cannot be offered', { tools: [look, look] }],
  ])('publishes no tool change if it %s', async (_, fields) => {
    const all = setup()
    const client = await member(all)
    client.ask('b', { type: 'attach', session: all.session.id, ...fields })
    expect(outcomeOf(await client.answer('b'))).toMatchObject({ code: 'bad_request' })
    expect(all.session.activeTools.map((tool) => tool.name)).toEqual([name])
    const over = settled(all)
    prompt(all)
    await over
    expect(client.of('event').map((frame) => (frame['event'] as AgentEvent).type)).toContain('agent_settled')
  })
})

describe('a refused offer of tools', () => {
  it.each<[string, object, unknown, RegExp]>([
    ['of a client without a name', {}, [look], /hello \{client\}/],
    ['with an invalid name', { client: 'my editor' }, [look], /letters, digits and dashes/],
    ['with a name that no model accepts', { client: 'ed' }, [{ ...look, name: 'look at' }], /name/],
    ['twice', { client: 'ed' }, [look, look], /channel_ed_look/],
    ['with parameters that are no object', { client: 'ed' }, [{ ...look, parameters: { type: 'string' } }], /"object"/],
    ['with an invalid schema', { client: 'ed' }, [{ ...look, parameters: { type: 'object', required: 7 } }], /look/],
    [
      'with an endless schema',
      { client: 'ed' },
      [{ ...look, parameters: { type: 'object', title: 'x'.repeat(70_000) } }],
      /longer/,
    ],
    ['by the thousand', { client: 'ed' }, Array.from({ length: 65 }, () => look), /tools/],
  ])('is a tool %s [S10a]', async (_, hello, tools, message) => {
    const all = setup()
    const client = await member(all, hello, tools)
    expect(outcomeOf(await client.answer('a'))).toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(message) as string,
    })
    expect(all.session.activeTools).toEqual([])
  })

  it('is a tool that another client offers [S10a]', async () => {
    const all = setup()
    await member(all)
    const second = await member(all)
    expect(outcomeOf(await second.answer('a'))).toMatchObject({ code: 'bad_request' })
    expect(all.session.activeTools).toHaveLength(1)
  })

  it('registers no tool if the attachment is refused', async () => {
    const all = setup()
    const client = await member(all, { client: 'ed' }, null)
    client.ask('b', { type: 'attach', session: all.session.id, tools: [look], after: 99 })
    expect(outcomeOf(await client.answer('b'))).toMatchObject({ code: 'bad_request' })
    expect(all.session.activeTools).toEqual([])
  })
})

describe('the typed client', () => {
  const parameters = Type.Object({ lines: Type.Optional(Type.Integer()) })
  const tool = (execute: ChannelTool['execute']): ChannelTool => ({ ...look, parameters, execute })

  function attached(all: AskingServer, execute: ChannelTool['execute'], open = linked(all)): ReconnectingClient {
    const client = reconnectingClient({ open, hello: { client: 'ed' }, baseDelayMs: 1, maxDelayMs: 1 })
    // a test may cut the connection, once the tools are registered, before this response arrives
    client.request({ type: 'new_session', cwd: '/' }).subscribe({
      error: (error: unknown) => {
        expect(error).toMatchObject({ code: 'disconnected' })
      },
    })
    client.events$(all.session.id, { tools: [tool(execute)] }).subscribe()
    return client
  }

  const offered = ({ session }: AskingServer) =>
    vi.waitFor(
      () => {
        if (session.activeTools.length === 0) throw new Error('nothing is offered')
      },
      { timeout: 10_000 },
    )

  it.each<[string, ChannelTool['execute'], RegExp]>([
    [
      'runs the call and sends its result',
      ({ lines }) => of({ content: [{ type: 'text', text: `${String(lines)} lines` }] }),
      /^3 lines$/,
    ],
    ['accepts the result itself, as textResult makes it', () => textResult('at once'), /^at once$/],
    ['accepts a promise', async () => Promise.resolve({ content: [{ type: 'text', text: 'promised' }] }), /^promised$/],
    ['sends a failure as an error result', () => throwError(() => new Error('no editor')), /^no editor$/],
    [
      'sends an error result if there is no value',
      () => new Observable((subscriber) => subscriber.complete()),
      /without a result/,
    ],
  ])('%s', async (_, execute, text) => {
    const all = setup()
    const client = attached(all, execute)
    await offered(all)
    approving(all)
    const over = settled(all)
    prompt(all)
    await over
    expect(resultsOf(all).join()).toMatch(text)
    client.close()
  })

  it('ends the call when the server cancels it', async () => {
    const all = setup()
    let running = 0
    const client = attached(
      all,
      () =>
        new Observable(() => {
          running += 1
          return () => {
            running -= 1
          }
        }),
    )
    await offered(all)
    approving(all)
    prompt(all)
    await vi.waitFor(() => expect(running).toBe(1), { timeout: 10_000 })
    await lastValueFrom(all.session.send({ type: 'abort' }), { defaultValue: undefined })
    expect(running).toBe(0)
    client.close()
  })

  it('offers its tools again after a lost connection, also over a socket', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rxpi-channel-'))
    const path = join(folder, 'r.sock')
    const all = setup()
    const serving = serve(all.server, { path }).subscribe()
    const cuts: Transport[] = []
    const open$ = () =>
      new Observable<Transport>((subscriber) =>
        connectSocket(path).subscribe({
          next: (transport) => {
            cuts.push(transport)
            subscriber.next(transport)
          },
          error: (error: unknown) => subscriber.error(error),
        }),
      )
    const client = attached(all, () => of({ content: [{ type: 'text', text: 'over the socket' }] }), open$)
    const changes = changesOf(all)
    await offered(all)
    cuts[0]?.close()
    await vi.waitFor(() => expect(changes).toEqual([[name], [], [name]]), { timeout: 10_000 })
    approving(all)
    const over = settled(all)
    prompt(all)
    await over
    expect(resultsOf(all)).toEqual(['over the socket'])
    client.close()
    serving.unsubscribe()
    rmSync(folder, { recursive: true })
  })

  function linked({ server }: AskingServer): () => Observable<Transport> {
    return () => {
      const [clientEnd, serverEnd] = linkedPair()
      server.connect(serverEnd)
      return of(clientEnd)
    }
  }
})

it('a client without tools is attached synchronously', () => {
  const { server, session } = setup()
  const client = lineClient(server)
  client.ask('n', { type: 'new_session', cwd: '/' })
  client.ask('a', { type: 'attach', session: session.id })
  expect(client.answers('a')).toHaveLength(1)
})
