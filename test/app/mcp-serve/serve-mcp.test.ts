// Tests rxpi as an MCP server, with the SDK's client in both revisions of the protocol.
import { NEVER, Observable, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { revisions, serveScene, textOf } from './serve-scene.ts'

const paint = fakeTool('paint', () => of(textResult('painted')), { capability: 'write' })
const call = { toolCalls: [{ name: 'paint', arguments: {} }] }
/** JSON has an unpaired surrogate as an escape; many readers refuse the message for it. */
const halfCharacter = /\\ud[89a-f]/

describe.each(revisions)('an MCP client of %s', (revision) => {
  it('runs a prompt with progress, goes on in its session, and reads it [MCP-serve-run]', async () => {
    const { connect, folder } = serveScene({ script: ['Hello.', 'Again.'] })
    const client = await connect(revision)
    expect(client.getServerVersion()).toMatchObject({ name: 'rxpi', version: '1.2.3' })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'run',
      'continue',
      'status',
      'read_session',
    ])
    const progress: unknown[] = []
    const result = await client.callTool(
      { name: 'run', arguments: { prompt: 'hi', cwd: folder } },
      { onprogress: ({ progress: count, message }) => progress.push([count, message]) },
    )
    const { session } = result.structuredContent as { session: string }
    expect(result).toMatchObject({ structuredContent: { reason: 'completed', turns: 1 } })
    expect([textOf(result), result.isError]).toEqual(['Hello.', undefined])
    expect(progress).toEqual([
      [0, `session ${session}`],
      [1, 'turn 1'],
    ])
    expect(textOf(await client.callTool({ name: 'continue', arguments: { session, prompt: 'more' } }))).toBe('Again.')
    const read = await client.callTool({ name: 'read_session', arguments: { session, limit: 3 } })
    expect(textOf(read)).toMatch(/^#\d+ user\nhi\n\n#\d+ assistant\nHello\.\n\n#\d+ user\nmore$/)
    const { next } = read.structuredContent as { next: number }
    const rest = await client.callTool({ name: 'read_session', arguments: { session, from: next } })
    expect([textOf(rest), rest.structuredContent]).toEqual([
      expect.stringMatching(/^#\d+ assistant\nAgain\.$/),
      { session, messages: 1 },
    ])
    const status = await client.callTool({ name: 'status', arguments: { session } })
    expect(status.structuredContent).toMatchObject({ session, cwd: folder, running: false })
    const all = await client.callTool({ name: 'status', arguments: {} })
    expect(all.structuredContent).toMatchObject({ running: [], sessions: [{ session, firstWords: 'hi' }], total: 1 })
  })

  it('is refused what asks, as with -p, if it shows no questions [MCP-serve-approval]', async () => {
    const { connect } = serveScene({ script: [call, 'I could not.'], tools: [paint] })
    const client = await connect(revision)
    const result = await client.callTool({ name: 'run', arguments: { prompt: 'paint' } })
    expect(result.structuredContent).toMatchObject({ reason: 'completed', refused: ['paint'] })
    expect(textOf(result)).toContain('I could not.\n\nCalls of these tools asked, and no client could answer: paint.')
  })

  it.each([
    ['allows the call', { action: 'accept', content: { answer: 'once' } }, 'painted'],
    ['denies it', { action: 'accept', content: { answer: 'deny', reason: 'not now' } }, /not now/],
    ['answers what is no choice', { action: 'accept', content: { answer: 'always' } }, /did not allow/],
    ['closes the question', { action: 'cancel' }, /did not allow/],
  ] as const)('asks the person, who %s [MCP-serve-approval]', async (_, answer, text) => {
    const { connect } = serveScene({ script: [call, call, 'Done.'], tools: [paint] })
    const forms: Readonly<Record<string, unknown>>[] = []
    const client = await connect(revision, (params) => {
      forms.push(params)
      return answer
    })
    const progress: number[] = []
    const onprogress = ({ progress: count }: { progress: number }): void => void progress.push(count)
    const result = await client.callTool({ name: 'run', arguments: { prompt: 'paint' } }, { onprogress })
    expect(textOf(result)).toBe('Done.')
    expect(forms).toHaveLength(2)
    const own = revision === '2025-11-25' ? progress : [] // the newer client reports its rounds too
    expect(own).toEqual(own.toSorted((left, right) => left - right))
    expect(forms[0]?.['message']).toMatch(/paint/)
    const { session } = result.structuredContent as { session: string }
    const read = textOf(await client.callTool({ name: 'read_session', arguments: { session } }))
    expect(read.split('toolResult\n').slice(1).join('')).toMatch(text)
  })

  it('cancels a call, which aborts the run [MCP-serve-cancel]', async () => {
    let ended: () => void = () => undefined
    const over = new Promise<void>((resolve) => (ended = resolve))
    let started: () => void = () => undefined
    const running = new Promise<void>((resolve) => (started = resolve))
    const work = fakeTool(
      'work',
      () =>
        new Observable<never>(() => {
          started()
          return () => {
            ended()
          }
        }),
      { capability: 'read' },
    )
    const { connect, hub } = serveScene({
      script: [{ toolCalls: [{ name: 'work', arguments: {} }] }, 'x'],
      tools: [work],
    })
    const client = await connect(revision)
    const stop = new AbortController()
    const result = client.callTool({ name: 'run', arguments: { prompt: 'go' } }, { signal: stop.signal })
    await running
    stop.abort()
    await expect(result).rejects.toThrow()
    await over
    expect(hub.sessions().length).toBeLessThanOrEqual(1)
  })
})

describe('bad calls', () => {
  it.each([
    ['run', {}, /^bad_request: The arguments of run do not fit: .*prompt/],
    ['run', { prompt: 5 }, /^bad_request: .*string/],
    ['run', { prompt: 'x', surprise: 1 }, /^bad_request: .*additional/],
    ['run', { prompt: 'x', cwd: 'relative' }, /^bad_request: cwd has to be an absolute path, not "relative"$/],
    ['run', { prompt: 'x', cwd: '/nowhere/at all' }, /^bad_request: /],
    ['run', { prompt: 'x', cwd: '/a\0b' }, /^bad_request: cwd contains a NUL/],
    ['continue', { session: 'aaaaaaaaaaaa', prompt: 'x' }, /^unknown_session: /],
    ['continue', { session: '../../etc' }, /^bad_request: .*pattern/],
    ['status', { session: 'aaaaaaaaaaaa' }, /^unknown_session: /],
    ['read_session', { session: 'aaaaaaaaaaaa', limit: 1e9 }, /^bad_request: .*<= 200/],
    ['read_session', { session: 'aaaaaaaaaaaa', from: -1 }, /^bad_request: .*>= 0/],
  ])('%s %j is an error result that says why [MCP-serve-errors]', async (name, args, reason) => {
    const { connect } = serveScene({ script: [] })
    const client = await connect('2026-07-28')
    const result = await client.callTool({ name, arguments: args })
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(reason)])
  })

  it('a second run of one session is busy; a state of no run is refused', async () => {
    const work = fakeTool('work', () => NEVER, { capability: 'read' })
    const { tools, hub } = serveScene({ script: [{ toolCalls: [{ name: 'work', arguments: {} }] }], tools: [work] })
    const context = { canElicit: false, onProgress: () => undefined }
    const outcomes: unknown[] = []
    const first = tools.run({ prompt: 'go' }, context).subscribe((outcome) => outcomes.push(outcome))
    await expect.poll(() => hub.sessions(), { timeout: 10_000 }).toHaveLength(1)
    const [session = ''] = hub.sessions()
    expect(() => hub.start({ session })).toThrow(expect.objectContaining({ code: 'busy' }) as Error)
    const lost = { ...context, round: { runId: 'no such run', responses: {} } }
    tools.run({ prompt: 'go' }, lost).subscribe({ error: (error: unknown) => outcomes.push(error) })
    expect(outcomes).toEqual([expect.objectContaining({ code: 'bad_request' })])
    first.unsubscribe()
  })
})

it('refuses for a client that does not come back, and bounds long texts', async () => {
  const { tools, hub } = serveScene({ script: [call, `x${'😀'.repeat(30_000)}`], tools: [paint], waitMs: 20 })
  const sessions: string[] = []
  tools.run({ prompt: 'go' }, { canElicit: true, onProgress: () => undefined }).subscribe((outcome) => {
    sessions.push(outcome.type === 'questions' ? outcome.run.session : '')
  })
  await expect.poll(() => sessions, { timeout: 10_000 }).toEqual([expect.stringMatching(/^[a-z2-7]{12}$/)])
  await expect.poll(() => hub.sessions(), { timeout: 10_000 }).toEqual([])
  const read$ = tools.readSession({ session: sessions[0] ?? '' })
  const texts: string[] = []
  read$.subscribe((outcome) => texts.push(outcome.type === 'answer' ? textOf(outcome.answer) : ''))
  await expect.poll(() => texts.join(''), { timeout: 10_000 }).toContain('No person could answer.')
  expect(texts.join('').length).toBeLessThan(20_000)
  expect(texts.join('')).toContain('[cut: 60001 characters]')
  expect(JSON.stringify(texts)).not.toMatch(halfCharacter)
})
