// Tests how an AG-UI front end stops and steers a run: a closed stream, `POST /ag-ui/cancel`, `forwardedProps.rxpi`.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { scripted } from '../../../../lib/providers/offline/scripted.ts'
import { bearer, startGateway } from '../gateway-scene.ts'
import { agentAt, faultOf, framesIn, input, post, textOf, typesOf } from './ag-ui-scene.ts'

/** Answers `slow` for about 20 s, and everything else with the texts of the prompts. */
const echo$ = scripted(({ messages }) => {
  const prompts = messages.filter(({ role }) => role === 'user').map(({ content }) => JSON.stringify(content))
  if (prompts.at(-1)?.includes('slow') === true) return { text: 'x'.repeat(4_000), pieceLength: 2, pieceDelayMs: 10 }
  if (prompts.at(-1)?.includes('brief') === true) return { text: 'y'.repeat(100), pieceLength: 2, pieceDelayMs: 10 }
  return { text: `The prompts: ${prompts.join(', ')}.` }
})

const rxpi = (options: object) => ({ forwardedProps: { rxpi: options } })
const cancelAt = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${url}/ag-ui/cancel`, {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const cancelled = async (url: string, body: object) => (await (await cancelAt(url, body)).json()) as object

/** Begins a run, reads its first text and leaves by closing the stream. */
async function leaveEarly(url: string, body: object): Promise<void> {
  const cut = new AbortController()
  const reader = ((await post(url, body, {}, cut.signal)).body as ReadableStream<Uint8Array>).getReader()
  for (let text = ''; !text.includes('TEXT_MESSAGE_CONTENT');)
    text += String(Buffer.from((await reader.read()).value ?? []))
  cut.abort()
}

/** The last event of the run, once it is over; by a request that comes after the gateway knows that the first has left. */
const endOf = async (url: string, threadId: string) => {
  await new Promise((resolve) => setTimeout(resolve, 300))
  return framesIn(await (await post(url, input(threadId, 'slow'))).text()).at(-1)?.event
}

describe('a front end that closes the stream of its run [AGUI-request-stop]', () => {
  it('ends the run with onDisconnect cancel, as abortRun of the client does', async () => {
    const { url } = await startGateway({}, echo$)
    const agent = agentAt(url, 'thread')
    agent.addMessage({ id: 'm1', role: 'user', content: 'slow' })
    const ended = agent.runAgent(
      { runId: 'run-1', ...rxpi({ onDisconnect: 'cancel' }) },
      { onTextMessageContentEvent: () => agent.abortRun() },
    )
    await ended.catch(() => undefined) // how the client reports its own abort is up to it
    expect(await endOf(url, 'thread')).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } })
    agent.addMessage({ id: 'm2', role: 'user', content: 'next' })
    await agent.runAgent()
    expect(agent.messages.at(-1)?.content).toContain('next')
  })

  it('ends nothing otherwise, and nothing while another request follows the run', async () => {
    const { url } = await startGateway({}, echo$)
    const [goesOn, followed] = [randomUUID(), randomUUID()]
    await leaveEarly(url, { ...input(goesOn, 'brief') })
    const other = await post(url, { ...input(followed, 'brief'), ...rxpi({ onDisconnect: 'cancel' }) })
    await leaveEarly(url, { ...input(followed, 'brief'), ...rxpi({ onDisconnect: 'cancel' }) })
    for (const response of [await post(url, input(goesOn, 'brief')), other]) {
      const frames = framesIn(await response.text())
      expect(textOf(frames)).toBe('y'.repeat(100))
      expect(frames.at(-1)?.event).toMatchObject({ outcome: { type: 'success' } })
    }
  })

  it('ends the run also if it leaves before the run starts', async () => {
    const { url } = await startGateway({}, echo$)
    const threadId = randomUUID()
    const cut = new AbortController()
    const body = { ...input(threadId, 'slow'), ...rxpi({ onDisconnect: 'cancel' }) }
    const response = await post(url, body, {}, cut.signal) // the head is sent before the session is opened
    expect(response.status).toBe(200)
    cut.abort()
    expect(await endOf(url, threadId)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } })
  })
})

describe('POST /ag-ui/cancel [AGUI-request-stop]', () => {
  it('ends the run, whose stream ends as cancelled; a second time there is none', async () => {
    const { url } = await startGateway({}, echo$)
    const threadId = randomUUID()
    const stream = await post(url, input(threadId, 'slow'))
    const body = stream.text()
    await expect
      .poll(() => cancelled(url, { threadId, runId: 'run-1' }), { timeout: 10_000 })
      .toEqual({ cancelled: true })
    const frames = framesIn(await body)
    expect(frames.at(-1)?.event).toMatchObject({ type: 'RUN_FINISHED', runId: 'run-1', outcome: { type: 'cancelled' } })
    expect(faultOf(frames)).toBeUndefined()
    expect(await cancelled(url, { threadId, runId: 'run-1' })).toEqual({ cancelled: false })
    expect(await cancelled(url, { threadId })).toEqual({ cancelled: false })
  })

  it('ends no other run than the one of its runId', async () => {
    const { url } = await startGateway({}, echo$)
    const threadId = randomUUID()
    await (await post(url, input(threadId, 'first', 'run-1'))).text()
    const second = await post(url, input(threadId, 'brief', 'run-2'))
    expect(await cancelled(url, { threadId, runId: 'run-1' })).toEqual({ cancelled: false })
    expect(framesIn(await second.text()).at(-1)?.event).toMatchObject({ outcome: { type: 'success' } })
  })

  it.each<[string, object, Record<string, string>, number]>([
    ['without a token', { threadId: 't' }, { authorization: '' }, 401],
    ['with another type', { threadId: 't' }, { 'content-type': 'text/plain' }, 415],
    ['without a thread', { runId: 'r' }, {}, 400],
    ['for a thread that is not open', { threadId: 't' }, {}, 400],
  ])('is refused %s', async (_, body, headers, status) => {
    const { url } = await startGateway()
    const response = await cancelAt(url, body, headers)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code: expect.any(String) as string } })
  })
})

describe('a prompt during a run [AGUI-request-steer]', () => {
  it.each(['steer', 'follow_up'])(
    'waits for it with whileRunning %s, and the first stream goes on with it',
    async (whileRunning) => {
      const { url } = await startGateway({}, echo$)
      const threadId = randomUUID()
      const first = await post(url, input(threadId, 'brief', 'run-1'))
      const steered = { ...input(threadId, 'also this', 'run-2'), ...rxpi({ whileRunning }) }
      const second = framesIn(await (await post(url, steered)).text())
      expect(typesOf(second)).toEqual(['RUN_STARTED', 'CUSTOM', 'RUN_FINISHED'])
      expect(second[0]?.event).toMatchObject({ threadId, runId: 'run-2' })
      expect(second[1]?.event).toMatchObject({
        name: 'rxpi.prompt_queued',
        value: { queueId: expect.any(String) as string },
      })
      const frames = framesIn(await first.text())
      expect(textOf(frames)).toMatch(/y{100}.*brief.*also this/)
      expect(faultOf([...frames])).toBeUndefined()
      // the run of the thread is still the first
      expect(framesIn(await (await post(url, input(threadId, 'brief', 'run-1'))).text())).toEqual(frames)
    },
  )

  it('starts a run with whileRunning if none is on', async () => {
    const { url } = await startGateway({}, echo$)
    const frames = framesIn(
      await (await post(url, { ...input('t', 'now'), ...rxpi({ whileRunning: 'steer' }) })).text(),
    )
    expect(textOf(frames)).toContain('now')
  })

  it.each([{ whileRunning: 'soon' }, { onDisconnect: true }])('is refused with %j', async (options) => {
    const { url } = await startGateway({}, echo$)
    const frames = framesIn(await (await post(url, { ...input('t', 'now'), ...rxpi(options) })).text())
    expect(frames.at(-1)?.event).toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(Object.keys(options)[0] ?? '') as string,
    })
  })
})
