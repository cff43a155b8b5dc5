// Tests the answers to a server's requests, over both revisions of the protocol, with the SDK's own server.
// Over 250 lines: one scene plays every request, and most of the lines are what the server sends.
/* oxlint-disable typescript/no-deprecated -- servers of the earlier revision exist, and are played here */
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { ElicitResult } from '@modelcontextprotocol/client'
import { Server, createMcpHandler, inputRequired } from '@modelcontextprotocol/server'
import type { ElicitRequestParams, ServerContext } from '@modelcontextprotocol/server'
import { EMPTY, NEVER, Observable, Subject, of, throwError } from 'rxjs'
import { describe, expect, it, onTestFinished } from 'vitest'
import type {
  ElicitAnswer,
  ElicitRequest,
  McpClientPorts,
  SampleRequest,
} from '../../../lib/mcp/contract/mcp-requests.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { answerRequests } from '../../../lib/mcp/requests/answer-requests.ts'

interface Scene {
  readonly elicit?: (request: ElicitRequest) => Observable<ElicitAnswer>
  readonly sample?: McpClientPorts['sample']
  readonly hasCall?: boolean
  /** What the tool of the server does. */
  readonly tool: (server: Server, context: ServerContext) => unknown
}

interface Played {
  readonly call: (signal?: AbortSignal) => Promise<string>
  readonly requests: ElicitRequest[]
  readonly samples: SampleRequest[]
  readonly notices: string[]
  readonly logs: string[]
  /** Pauses of the clock that are not over. */
  readonly pauses: () => number
}

const revisions = ['2025-11-25', '2026-07-28'] as const

async function play(revision: (typeof revisions)[number], scene: Scene): Promise<Played> {
  const [requests, samples, notices, logs]: [ElicitRequest[], SampleRequest[], string[], string[]] = [[], [], [], []]
  let pauses = 0
  const ended$ = new Subject<void>()
  const { elicit = () => of<ElicitAnswer>({ action: 'decline' }), sample, hasCall = true, tool } = scene
  const ports: McpClientPorts = {
    cwd: '/home/ann',
    env: {},
    sessionId: 'aaaaaaaaaaaa',
    roots: ['/home/ann/my project'],
    elicit: (request) => {
      requests.push(request)
      return elicit(request)
    },
    ...(sample && {
      sample: (request) => {
        samples.push(request)
        return sample(request)
      },
    }),
    redact: (text) => text,
    onNotice: ({ message }) => notices.push(message),
  }
  const client = new Client(
    { name: 'rxpi', version: '0' },
    {
      capabilities: { elicitation: { form: {}, url: {} }, roots: {}, ...(sample && { sampling: {} }) },
      versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : 'auto' },
    },
  )
  answerRequests(client, {
    server: { name: 'notes', sampling: sample !== undefined },
    router: {
      current: () => (hasCall ? { ports, toolCallId: 'call', ended$ } : undefined),
      roots: () => ports.roots,
      pause: () => {
        pauses += 1
        return () => (pauses -= 1)
      },
    },
    onLog: (line) => logs.push(line),
  })
  await connect(client, revision, tool)
  expect(client.getNegotiatedProtocolVersion()).toBe(revision)
  const call: Played['call'] = async (signal) => {
    const called = client.callTool({ name: 'ask', arguments: {} }, signal && { signal })
    const { content } = await called.finally(() => ended$.next())
    return content.map((block) => (block.type === 'text' ? block.text : block.type)).join()
  }
  return { call, requests, samples, notices, logs, pauses: () => pauses }
}

async function connect(client: Client, revision: string, tool: Scene['tool']): Promise<void> {
  const create = (): Server => {
    const server = new Server({ name: 'notes', version: '1' }, { capabilities: { tools: {}, logging: {} } })
    server.setRequestHandler('tools/call', async (_, context) => {
      const result = await tool(server, context)
      if (typeof result === 'object' && result !== null && 'resultType' in result) return result as never
      return { content: [{ type: 'text', text: JSON.stringify(result) }] }
    })
    return server
  }
  onTestFinished(() => client.close())
  if (revision === '2025-11-25') {
    const [near, far] = InMemoryTransport.createLinkedPair()
    await create().connect(far)
    await client.connect(near)
    return
  }
  const handler = createMcpHandler(create)
  const answer = (url: string | URL, init?: RequestInit): Promise<Response> => handler.fetch(new Request(url, init))
  await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch: answer }))
}

/** Asks by a request of the server, or by the result that requires input. */
function elicitation(params: ElicitRequestParams): Scene['tool'] {
  return (_, { mcpReq }) => {
    const answer = mcpReq.inputResponses?.['answer'] as ElicitResult | undefined
    if (answer !== undefined) return answer
    const isNew = mcpReq.envelope !== undefined && Object.keys(mcpReq.envelope).length > 0
    if (isNew) return inputRequired({ inputRequests: { answer: { method: 'elicitation/create', params } } })
    return mcpReq.send({ method: 'elicitation/create', params })
  }
}

const form = (properties: object, required: string[] = []): ElicitRequestParams =>
  ({ mode: 'form', message: 'Who?\u001b[2J', requestedSchema: { type: 'object', properties, required } }) as never

describe.each(revisions)('with a server of %s', (revision) => {
  it('shows a form and sends its values [MCP-ask-form]', async () => {
    const tool = elicitation(
      form({ name: { type: 'string', title: 'Name\u202e' }, age: { type: 'integer', default: 7 } }, ['name']),
    )
    const { call, requests, pauses } = await play(revision, {
      tool,
      elicit: () => of({ action: 'accept', values: { name: 'Ann' } }),
    })
    expect(JSON.parse(await call())).toEqual({ action: 'accept', content: { name: 'Ann', age: 7 } })
    expect(requests).toEqual([
      {
        kind: 'form',
        server: 'notes',
        message: 'Who?',
        schema: {
          type: 'object',
          properties: { name: { type: 'string', title: 'Name' }, age: { type: 'integer', default: 7 } },
          required: ['name'],
        },
        toolCallId: 'call',
      },
    ])
    expect(pauses()).toBe(0)
  })

  it('shows the host of a page', async () => {
    const url = 'https://example.com/sign?x=1'
    const tool = elicitation({ mode: 'url', message: 'Sign in.', url, elicitationId: 'e1' })
    const { call, requests } = await play(revision, { tool, elicit: () => of({ action: 'accept' }) })
    expect(JSON.parse(await call())).toEqual({ action: 'accept' })
    const message = 'Sign in.\n\nThe page is at example.com.'
    expect(requests).toMatchObject([{ kind: 'url', server: 'notes', message, url, toolCallId: 'call' }])
  })

  it('declines without an open call', async () => {
    const { call, requests } = await play(revision, {
      tool: elicitation(form({ a: { type: 'string' } })),
      hasCall: false,
    })
    expect([JSON.parse(await call()), requests]).toEqual([{ action: 'decline' }, []])
  })
})

describe('a question of a server', () => {
  const ask = (params: ElicitRequestParams, elicit?: Scene['elicit']) =>
    play('2025-11-25', { tool: elicitation(params), ...(elicit && { elicit }) })

  it.each([
    [
      'a form without fields',
      { mode: 'form', message: '', requestedSchema: { type: 'object', properties: {} } },
      undefined,
    ],
    ['a password', form({ password: { type: 'string' } }), /asks for a secret/],
    ['a key by its title', form({ a: { type: 'string', title: 'Your API key' } }), /the field a asks for a secret/],
    [
      'an unsafe page',
      { mode: 'url', message: '', url: 'http://example.com', elicitationId: 'e' },
      /its address is not https/,
    ],
    [
      'a program',
      { mode: 'url', message: '', url: 'javascript:alert(1)', elicitationId: 'e' },
      /its address is not https/,
    ],
    ['a user name', { mode: 'url', message: '', url: 'https://a@example.com', elicitationId: 'e' }, /has a user name/],
    [
      'a large form',
      form(Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`f${n}`, { type: 'boolean' }]))),
      /more than 50 fields/,
    ],
    [
      'too many choices',
      form({ a: { type: 'string', enum: Array.from({ length: 501 }, (_, n) => `${n}`) } }),
      /the field a has too many choices/,
    ],
  ] as [string, ElicitRequestParams, RegExp | undefined][])('is declined: %s', async (_, params, reason) => {
    const { call, requests, notices } = await ask(params)
    expect(JSON.parse(await call())).toEqual({ action: 'decline' })
    if (reason === undefined) return
    expect([requests, notices]).toEqual([[], [expect.stringMatching(reason)]])
  })

  it('opens a page of this machine without https', async () => {
    const { call, requests } = await ask({
      mode: 'url',
      message: '',
      url: 'http://127.0.0.1:8080/',
      elicitationId: 'e',
    })
    await call()
    expect(requests).toHaveLength(1)
  })

  it('gets no values that do not fit [MCP-ask-form]', async () => {
    const { call, notices } = await ask(form({ age: { type: 'integer' } }), () =>
      of({ action: 'accept', values: { age: 'old' } }),
    )
    expect(JSON.parse(await call())).toEqual({ action: 'cancel' })
    expect(notices).toEqual(['The answer was not sent: age must be a whole number.'])
  })

  it('offers choices with their titles', async () => {
    const choices = {
      a: { type: 'string', oneOf: [{ const: 'x', title: 'The X\u200b' }] },
      b: { type: 'array', items: { type: 'string', enum: ['y'] } },
    }
    const { call, requests } = await ask(form(choices), () => of({ action: 'accept', values: { a: 'x', b: ['y'] } }))
    expect(JSON.parse(await call())).toEqual({ action: 'accept', content: { a: 'x', b: ['y'] } })
    expect(requests[0]).toMatchObject({
      schema: { properties: { a: { oneOf: [{ const: 'x', title: 'The X' }] }, b: { items: { enum: ['y'] } } } },
    })
  })

  it('is withdrawn with the call, and its session can refuse to answer', async () => {
    let open = 0
    const waits$ = new Observable<ElicitAnswer>(() => {
      open += 1
      return () => (open -= 1)
    })
    const { call, pauses } = await ask(form({ a: { type: 'string' } }), () => waits$)
    const abort = new AbortController()
    const called = call(abort.signal).catch(() => 'cancelled')
    await expect.poll(() => [open, pauses()], { timeout: 10_000 }).toEqual([1, 1])
    abort.abort()
    expect(await called).toBe('cancelled')
    await expect.poll(() => [open, pauses()], { timeout: 10_000 }).toEqual([0, 0])
    const { call: callNext } = await ask(form({ a: { type: 'string' } }), () => EMPTY)
    expect(JSON.parse(await callNext())).toEqual({ action: 'cancel' })
  })

  it('is cancelled if it cannot be shown', async () => {
    const full = new Failure('overloaded', '1000 questions are open')
    const { call, logs } = await ask(form({ a: { type: 'string' } }), () => throwError(() => full))
    expect(JSON.parse(await call())).toEqual({ action: 'cancel' })
    expect(logs).toEqual(['A question could not be shown: 1000 questions are open'])
  })

  it('waits beside 7 others at most', async () => {
    const params = form({ a: { type: 'string' } })
    const tool: Scene['tool'] = async (_, { mcpReq }) => {
      const all = Array.from({ length: 9 }, () => mcpReq.send({ method: 'elicitation/create', params }))
      return Promise.race(all.map((each) => each.then(String, (error: unknown) => String(error))))
    }
    const { call } = await play('2025-11-25', { tool, elicit: () => NEVER })
    expect(await call()).toContain('8 requests of this server are waiting already.')
  })
})

describe('roots', () => {
  it('are the folders of the sessions', async () => {
    const { call } = await play('2025-11-25', { tool: (server) => server.listRoots() })
    expect(JSON.parse(await call())).toEqual({ roots: [{ uri: 'file:///home/ann/my%20project', name: 'my project' }] })
  })
})

describe('a sample', () => {
  const message = (content: object) => ({ role: 'user' as const, content: content as never })
  const sampleTool =
    (params: object): Scene['tool'] =>
    (server) =>
      server
        .createMessage({ maxTokens: 100, messages: [message({ type: 'text', text: 'Hi' })], ...params })
        .catch((error: unknown) => String(error))
  const answer = { text: 'Hello', model: 'demo', stopReason: 'endTurn' as const }

  it('is an answer of the session', async () => {
    const params = {
      maxTokens: 1e9,
      systemPrompt: 'Be brief.',
      temperature: 0.5,
      stopSequences: ['.'],
      modelPreferences: { hints: [{ name: 'claude' }, {}] },
    }
    const { call, samples, pauses } = await play('2025-11-25', { tool: sampleTool(params), sample: () => of(answer) })
    expect(JSON.parse(await call())).toMatchObject({
      content: { type: 'text', text: 'Hello' },
      model: 'demo',
      stopReason: 'endTurn',
    })
    expect(samples).toEqual([
      {
        server: 'notes',
        messages: [{ role: 'user', text: 'Hi' }],
        system: 'Be brief.',
        maxTokens: 32_768,
        temperature: 0.5,
        stop: ['.'],
        models: ['claude'],
      },
    ])
    expect(pauses()).toBe(0)
  })

  it.each([
    [
      'an image',
      { messages: [message({ type: 'image', data: 'AAAA', mimeType: 'image/png' })] },
      /type image is not supported/,
    ],
    [
      'too long a text',
      { messages: [message({ type: 'text', text: 'x'.repeat(300_000) })] },
      /300000 bytes; 262144 are allowed/,
    ],
    ['no messages', { messages: [] }, /1 to 100 messages/],
  ])('is refused: %s', async (_, params, reason) => {
    const { call, samples } = await play('2025-11-25', { tool: sampleTool(params), sample: () => of(answer) })
    expect([await call(), samples]).toEqual([expect.stringMatching(reason), []])
  })

  it('tells the server nothing of a failure', async () => {
    const failure = new Failure('provider_error', 'the key sk-1 is not valid')
    const { call, logs } = await play('2025-11-25', { tool: sampleTool({}), sample: () => throwError(() => failure) })
    expect([await call(), logs]).toEqual([
      '"ProtocolError: The model gave no answer."',
      ['A sample failed: the key sk-1 is not valid'],
    ])
  })

  it('is refused by a person, without an open call, and if it is not switched on [MCP-ask-sample]', async () => {
    const refused = await play('2025-11-25', { tool: sampleTool({}), sample: () => EMPTY })
    expect(await refused.call()).toContain('The person refused.')
    const denied = new Failure('not_allowed', 'no')
    const denying = await play('2025-11-25', { tool: sampleTool({}), sample: () => throwError(() => denied) })
    expect(await denying.call()).toContain('The person refused.')
    const alone = await play('2025-11-25', { tool: sampleTool({}), sample: () => of(answer), hasCall: false })
    expect(await alone.call()).toContain('No call is open')
    const off = await play('2025-11-25', { tool: sampleTool({}) })
    expect([await off.call(), off.samples]).toEqual([expect.stringContaining('Method not found'), []])
  })
})

it('notes log messages as single lines without escape codes', async () => {
  const tool: Scene['tool'] = async (server) => {
    await server.sendLoggingMessage({ level: 'warning', logger: 'db', data: 'two\nlines\u001b[31m' })
    await server.sendLoggingMessage({ level: 'info', data: { a: 1 } })
    return 'done'
  }
  const { call, logs } = await play('2025-11-25', { tool })
  await call()
  expect(logs).toEqual(['warning db: two lines', 'info: {"a":1}'])
})
