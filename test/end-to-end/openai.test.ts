// Tests runs against an OpenAI-compatible server.
// Over 250 lines: one command and one API, with every end that its server can bring about.
import { LLMock } from '@copilotkit/aimock'
import type { ChatCompletionRequest, Fixture } from '@copilotkit/aimock'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { workplace } from '../support/command.ts'
import { rawSseServer } from '../support/raw-sse-server.ts'
import type { RawAnswer } from '../support/raw-sse-server.ts'
import { isFull } from '../support/sample-size.ts'

type Answer = Fixture['response']

interface Mock extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>
  readonly requests: readonly ChatCompletionRequest[]
}

const key = 'sk-planted-secret'

/** An independent mock of the wire that requires the key; it sends its answers in order, one per request. */
async function mock(answers: readonly Answer[], options: Omit<Fixture, 'match' | 'response'> = {}): Promise<Mock> {
  const server = new LLMock({ port: 0, auth: { apiKeys: [key] } })
  const left = [...answers]
  const refused: Answer = { error: { message: 'no answer left' }, status: 400 }
  server.on(
    { predicate: () => true },
    () => (left.shift() ?? refused) as Exclude<Answer, (...setup: never[]) => unknown>,
    options,
  )
  await server.start()
  return {
    env: { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: key, RXPI_RETRY_BUSY_MS: '0' },
    get requests() {
      return server.getRequests().map(({ body }) => body as ChatCompletionRequest)
    },
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

const call = (name: string, args: object): { name: string; arguments: string } => ({
  name,
  arguments: JSON.stringify(args),
})
const openai = ['--model', 'openai/gpt-test']
/** A line for each wait before another attempt, then one with the failure. */
const attemptsThenFailure = /^(?:rxpi: attempt \d follows in [^\n]+\n)*rxpi: (?!attempt)[^\n]+\n$/

// the tests run concurrently because most of their time is the delay before a retry
describe.concurrent('an OpenAI-compatible server', () => {
  it('answers a prompt with text, and gets what the options of the command set [CLI-model]', async () => {
    await using server = await mock([{ content: 'Hello from the wire.' }])
    using workspace = workplace({ 'brief.md': 'Answer in one line.\n' })
    const options = ['--model', 'openai/gpt-5.1', '--thinking', 'high', '--tools', 'grep,read', '--system', '@brief.md']
    const ended = await workspace.run([...options, '-p', 'Say hello'], { env: server.env })
    expect(ended).toMatchObject({ code: 0, stdout: 'Hello from the wire.\n', stderr: '' })
    const [request] = server.requests
    expect(request?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(request).toMatchObject({ model: 'gpt-5.1', reasoning_effort: 'high' })
    expect(request?.messages[0]?.content).toMatch(/^Answer in one line\./)
    expect(request?.tools?.map((tool) => tool.function.name)).toEqual(['grep', 'read', 'use_tool'])
  })

  it('gets ten tools and use_tool in a first request of at most 5.7 kB [TOOLS-talk-active]', async () => {
    await using server = await mock([{ content: 'Hello.' }])
    using workspace = workplace()
    await workspace.run([...openai, '-p', 'Say hello'], { env: server.env })
    const [request] = server.requests
    expect(Buffer.byteLength(JSON.stringify(request))).toBeLessThanOrEqual(5700)
    const names = ['read', 'write', 'edit', 'bash', 'grep', 'find', 'todo', 'ask', 'job_output', 'job_kill']
    expect(request?.tools?.map((tool) => tool.function.name)).toEqual([...names, 'use_tool'])
  })

  it('calls read, edit and bash over several turns, on real files [S6b]', async () => {
    await using server = await mock([
      { content: 'Let me read it.', toolCalls: [call('read', { path: 'sum.sh' })] },
      { toolCalls: [call('edit', { path: 'sum.sh', edits: [{ oldText: '2 - 2', newText: '2 + 2' }] })] },
      { toolCalls: [call('bash', { command: 'sh sum.sh | tee result.txt' }), call('read', { path: 'sum.sh' })] },
      { content: 'It prints 4 now.' },
    ])
    using workspace = workplace({ 'sum.sh': 'echo $((2 - 2))\n' })
    const ended = await workspace.run([...openai, '-p', 'Fix the sum'], { env: server.env })
    expect(ended).toMatchObject({ code: 0, stdout: 'It prints 4 now.\n' })
    expect(readFileSync(join(workspace.folder, 'sum.sh'), 'utf8')).toBe('echo $((2 + 2))\n')
    expect(readFileSync(join(workspace.folder, 'result.txt'), 'utf8')).toBe('4\n')
    const results = (server.requests[3]?.messages ?? []).filter(({ role }) => role === 'tool')
    expect(results.map(({ content }) => content)).toEqual([
      expect.stringContaining('2 - 2'),
      expect.any(String),
      expect.stringContaining('4'),
      expect.stringContaining('2 + 2'),
    ])
  })

  it.runIf(isFull)('gets the error result of a failed tool, and the run goes on', async () => {
    await using server = await mock([
      { toolCalls: [call('read', { path: 'missing.txt' })] },
      { content: 'It is not there.' },
    ])
    using workspace = workplace()
    const ended = await workspace.run([...openai, '-p', 'Read it'], { env: server.env })
    expect(ended).toMatchObject({ code: 0, stdout: 'It is not there.\n' })
    expect(server.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('missing.txt') as string,
    })
  })

  it('that refuses the key ends the run with 3, at once [EXIT-3]', async () => {
    await using server = await mock([{ content: 'never' }])
    using workspace = workplace()
    const wrong = 'sk-planted-wrong-key'
    const ended = await workspace.run([...openai, '-p', 'x'], { env: { ...server.env, OPENAI_API_KEY: wrong } })
    expect(ended).toMatchObject({ code: 3, stdout: '' })
    expect(ended.stderr).toMatch(/^rxpi: [^\n]*401[^\n]*\nrxpi: rxpi auth list [^\n]*\n$/)
    const log = workspace.logs()[0]?.lines.join('\n') ?? ''
    expect(log).not.toContain('"auto_retry"')
    expect(ended.stderr + log).not.toContain(wrong)
  })

  it('that limits the rate gets the request again after its retry-after [LOOP-28d]', async () => {
    const limit = { error: { message: 'Slow down', type: 'rate_limit_error' }, status: 429, retryAfter: 1 }
    await using server = await mock([limit, { content: 'Now.' }])
    using workspace = workplace()
    const started = performance.now()
    const ended = await workspace.run([...openai, '-p', 'x'], { env: server.env })
    expect(ended).toMatchObject({ code: 0, stdout: 'Now.\n' })
    expect(performance.now() - started).toBeGreaterThan(1_000)
    expect(server.requests).toHaveLength(2)
    expect(workspace.logs()[0]?.lines.filter((line) => line.includes('"auto_retry"'))).toHaveLength(1)
  })

  it.runIf(isFull)('that drops the connection in mid-stream never makes a success', async () => {
    await using server = await mock([{ content: 'one two three four five six seven' }], {
      truncateAfterChunks: 3,
      chunkSize: 4,
    })
    using workspace = workplace()
    const ended = await workspace.run([...openai, '-p', 'x'], { env: server.env })
    expect(ended.code).toBe(3)
    expect(ended.stderr).toMatch(attemptsThenFailure)
  })

  it('is found by its name in models.json, with its key [CONFIG-models]', async () => {
    await using server = await mock([{ content: 'Local.' }])
    using workspace = workplace()
    workspace.configure('models.json', {
      providers: {
        house: {
          api: 'openai-completions',
          baseUrl: server.env['OPENAI_BASE_URL'],
          apiKey: '$HOUSE_KEY',
          models: [{ id: 'small' }],
        },
      },
    })
    const ended = await workspace.run(['--model', 'house/small', '-p', 'x'], { env: { HOUSE_KEY: key } })
    expect(ended).toMatchObject({ code: 0, stdout: 'Local.\n' })
    expect(workspace.logs()[0]?.lines.join('\n')).not.toContain(key)
  })

  it.runIf(isFull)('gets images as images', async () => {
    await using server = await mock([{ content: 'A dot.' }])
    using workspace = workplace()
    workspace.write('dot.gif', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'))
    expect(await workspace.run([...openai, '-p', 'What is it?', '@dot.gif'], { env: server.env })).toMatchObject({
      code: 0,
    })
    const content = server.requests[0]?.messages.at(-1)?.content
    expect(JSON.stringify(content)).toContain('data:image/gif;base64,R0lGODlh')
  })

  it('gets the earlier messages of a continued session', async () => {
    await using server = await mock([{ content: 'One.' }, { content: 'Two.' }])
    using workspace = workplace()
    await workspace.run([...openai, '-p', 'first'], { env: server.env })
    expect(await workspace.run(['-c', '-p', 'second'], { env: server.env })).toMatchObject({
      code: 0,
      stdout: 'Two.\n',
    })
    expect(server.requests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(server.requests[1]?.model).toBe('gpt-test')
  })
})

/** One chunk of a chat completion stream. */
function chunk(delta: object, more: object = {}): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, ...more }] })}\n\n`
}

const half = [chunk({ role: 'assistant', content: 'Half ' }), chunk({ content: 'an answer' })]

describe.concurrent('a server that fails byte by byte', () => {
  const faults: [string, RawAnswer][] = [
    ['ends its body without the terminal event', { body: half }],
    ['drops the connection in mid-stream', { body: half, ending: 'cut' }],
    ['resets the connection in mid-stream', { body: half, ending: 'reset' }],
    ['stalls in mid-stream', { body: half, ending: 'stall' }],
    [
      'stalls in a tool call',
      {
        body: [chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'bash', arguments: '{"comm' } }] })],
        ending: 'stall',
      },
    ],
    [
      'ends in a tool call',
      {
        body: [
          chunk({
            tool_calls: [{ index: 0, id: 'a', function: { name: 'bash', arguments: '{"command":"touch ran"}' } }],
          }),
        ],
      },
    ],
    ['sends what is no JSON', { body: [...half, 'data: {"choices":[\n\n'] }],
    ['sends nothing', { ending: 'silent' }],
    ['answers with an HTML page', { headers: { 'content-type': 'text/html' }, body: ['<html>It works!</html>'] }],
    [
      'has a fault',
      { status: 500, headers: { 'content-type': 'application/json' }, body: ['{"error":{"message":"boom"}}'] },
    ],
  ]
  // `npm run test:full` has all of them
  it.each(faults.filter((_, index) => isFull || index % 4 === 1))(
    'and %s never makes a success [EXIT-never_0]',
    async (_, answer) => {
      await using server = await rawSseServer(answer)
      using workspace = workplace()
      workspace.configure('settings.json', { limits: { idleMs: 400 } })
      const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: key, RXPI_RETRY_BUSY_MS: '0' }
      const ended = await workspace.run([...openai, '-p', 'x', '--timeout', '15'], { env })
      expect(ended.code).toBe(3)
      expect(ended.stderr).toMatch(attemptsThenFailure)
      const [log] = workspace.logs()
      const types = (log?.lines ?? [])
        .filter((line) => line.startsWith('{"seq":'))
        .map((line) => (JSON.parse(line) as { event: { type: string } }).event.type)
      expect(types.slice(-2)).toEqual(['agent_end', 'agent_settled'])
      expect(existsSync(join(workspace.folder, 'ran'))).toBe(false)
      expect(log?.lines.join('\n')).not.toContain(key)
    },
  )

  it('and answers in the end is retried, if no output was shown before', async () => {
    const done = [chunk({ content: 'Here.' }), chunk({}, { finish_reason: 'stop' }), 'data: [DONE]\n\n']
    await using server = await rawSseServer((_, number) => (number === 0 ? { ending: 'cut' } : { body: done }))
    using workspace = workplace()
    const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'k' }
    expect(await workspace.run([...openai, '-p', 'x'], { env })).toMatchObject({ code: 0, stdout: 'Here.\n' })
    expect(server.requests).toHaveLength(2)
  })

  it('is disconnected when the run is interrupted', async () => {
    await using server = await rawSseServer({ body: half, ending: 'stall' })
    using workspace = workplace()
    const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'k' }
    const running = workspace.start([...openai, '--mode', 'json', '-p', 'x'], { env })
    const request = await server.request(0)
    await running.outputText('"role":"assistant"')
    running.child.kill('SIGINT')
    await request.abandoned
    expect(await running.ended).toMatchObject({
      code: 130,
      stderr: expect.stringMatching(/^rxpi: stopped by you after \d+ s\n$/) as string,
    })
  })

  it.runIf(isFull)('and cannot be reached ends the run with 3 [EXIT-3]', async () => {
    const closedServer = await rawSseServer({})
    await closedServer[Symbol.asyncDispose]()
    using workspace = workplace()
    const env = { OPENAI_BASE_URL: `${closedServer.url}/v1`, OPENAI_API_KEY: 'k' }
    const ended = await workspace.run([...openai, '-p', 'x'], { env })
    expect([ended.code, ended.stderr]).toEqual([3, expect.stringMatching(attemptsThenFailure)])
  })
})
