// Tests `POST /ag-ui` with the client of AG-UI: runs, questions, the front end's tools, broken streams.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { scripted } from '../../../../lib/providers/offline/scripted.ts'
import { isFull } from '../../../support/sample-size.ts'
import { readToEnd, startGateway, tcp, token } from '../gateway-scene.ts'
import { agentAt, faultOf, framesIn, input, post, textOf, typesOf } from './ag-ui-scene.ts'
import type { Frame } from './ag-ui-scene.ts'

const answering$ = scripted(({ messages }) => {
  const last = messages.at(-1)
  if (last?.role === 'toolResult') return { text: `The color is ${JSON.stringify(last.content)}.`, pieceLength: 5 }
  const text = JSON.stringify(last?.content)
  if (text.includes('pick'))
    return { toolCalls: [{ id: 'call_1', name: 'channel_agui_pick_color', arguments: { hint: 'warm' } }] }
  if (text.includes('slow')) return { text: 'äöü € 😀 '.repeat(30), pieceLength: 4, pieceDelayMs: 3 }
  return { text: 'Hello there.', pieceLength: 3 }
})

const pickColor = {
  name: 'pick_color',
  description: 'Lets the user pick a color.',
  parameters: { type: 'object', properties: { hint: { type: 'string' } } },
}

describe('a front end of AG-UI', () => {
  it('gets a run, and the next one of its thread [AGUI-request-prompt]', async () => {
    const { url } = await startGateway({}, answering$)
    const agent = agentAt(url)
    agent.addMessage({ id: 'm1', role: 'user', content: 'Hello' })
    await agent.runAgent()
    agent.addMessage({ id: 'm2', role: 'user', content: 'Again' })
    await agent.runAgent()
    const answers = agent.messages.filter(({ role }) => role === 'assistant')
    expect(answers.map(({ content }) => content)).toEqual(['Hello there.', 'Hello there.'])
    // it has its own messages already: a prompt comes back to it by no event
    expect(agent.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(agent.state).toMatchObject({ model: 'scripted/scripted' })
  })

  it('answers the question about its tool, runs the tool, and the run goes on [AGUI-request-answers]', async () => {
    const { url } = await startGateway({}, answering$)
    const frames: Frame[][] = []
    const threadId = randomUUID()
    const messages: object[] = [{ id: 'm1', role: 'user', content: 'pick' }]
    const step = async (more: object): Promise<Frame[]> => {
      const body = { threadId, runId: randomUUID(), messages, tools: [pickColor], ...more }
      const got = framesIn(await (await post(url, body)).text())
      frames.push(got)
      return got
    }
    const first = await step({})
    expect(first.find(({ event }) => (event.type as string) === 'TOOL_CALL_START')?.event).toMatchObject({
      toolCallName: 'pick_color',
    })
    const end = first.at(-1)?.event ?? {}
    const { outcome } = end as unknown as { outcome: { type: string; interrupts: { id: string }[] } }
    expect(outcome.type).toBe('interrupt')
    const resume = outcome.interrupts.map(({ id }) => ({
      interruptId: id,
      status: 'resolved',
      payload: { approved: true },
    }))
    const second = await step({ resume })
    expect(second.at(-1)?.event).toMatchObject({ outcome: { type: 'success', pendingToolCallIds: ['call_1'] } })
    messages.push({ id: 'm2', role: 'tool', toolCallId: 'call_1', content: 'red' })
    const third = await step({})
    expect(textOf(third)).toContain('red')
    expect(third.at(-1)?.event).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
    expect(third[0]?.event['parentRunId']).toBe(second[0]?.event['runId'])
    expect(faultOf(frames.flat())).toBeUndefined()
  })

  it('gets a broken stream from its last event on, without a gap or a repeat, though the run went on [AGUI-request-resume]', async () => {
    const { url } = await startGateway({}, answering$)
    const threadId = randomUUID()
    const cut = new AbortController()
    const response = await post(url, input(threadId, 'slow'), {}, cut.signal)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const decoder = new TextDecoder()
    let text = ''
    while (framesIn(text).length < 20) text += decoder.decode((await reader.read()).value, { stream: true })
    cut.abort()
    const first = framesIn(text.slice(0, text.lastIndexOf('\n\n') + 2))
    await new Promise((resolve) => setTimeout(resolve, 50))
    const rest = framesIn(
      await (await post(url, input(threadId, 'slow'), { 'last-event-id': first.at(-1)?.id ?? '' })).text(),
    )
    const whole = framesIn(await (await post(url, input(threadId, 'slow'))).text())
    expect([...first, ...rest]).toEqual(whole)
    expect(textOf(whole)).toContain('äöü € 😀 '.repeat(30))
    expect(faultOf(whole)).toBeUndefined()
    expect(whole.every(({ id }) => /^\d+\.\d+$/.test(id))).toBe(true)
  })

  it('gets errors as RUN_ERROR with their codes [AGUI-request-errors]', async () => {
    const { url } = await startGateway({}, answering$)
    const errorOf = async (body: object, headers = {}) =>
      framesIn(await (await post(url, body, headers)).text()).at(-1)?.event
    const threadId = randomUUID()
    expect(await errorOf(input('aaaaaaaaaaaa', 'Hello'))).toMatchObject({ type: 'RUN_ERROR' })
    const result = { id: 'm', role: 'tool', toolCallId: 'nothing', content: 'x' }
    expect(await errorOf({ threadId, runId: 'r', messages: [result] })).toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('nothing') as string,
    })
    expect(await errorOf({ threadId, runId: 'r', messages: [] })).toMatchObject({ code: 'bad_request' })
    const resume = [{ interruptId: 'nothing', status: 'cancelled' }]
    expect(await errorOf({ threadId, runId: 'r', messages: [], resume })).toMatchObject({ code: 'bad_request' })
    expect(await errorOf(input(threadId, 'Hello', 'unknown'), { 'last-event-id': '3.1' })).toMatchObject({
      code: 'bad_request',
    })
    expect(await errorOf({ ...input(randomUUID(), 'Hello'), forwardedProps: { cwd: '/' } })).toMatchObject({
      code: 'not_allowed',
    })
  })

  it('is busy while the run of another request is on [AGUI-request-steer]', async () => {
    const { url } = await startGateway({}, answering$)
    const threadId = randomUUID()
    const first = await post(url, input(threadId, 'slow'))
    const second = framesIn(await (await post(url, input(threadId, 'Hello', 'run-2'))).text())
    expect(second.at(-1)?.event).toMatchObject({ type: 'RUN_ERROR', code: 'busy' })
    expect(typesOf(framesIn(await first.text())).at(-1)).toBe('RUN_FINISHED')
  })
})

describe('a hostile client of AG-UI [S11f]', () => {
  it.each<[string, object | string, Record<string, string>, number]>([
    ['without a token', input('t', 'x'), { authorization: '' }, 401],
    ['with another type', input('t', 'x'), { 'content-type': 'text/plain' }, 415],
    ['without a thread', { runId: 'r', messages: [] }, {}, 400],
    ['with a run that is no text', { threadId: 't', runId: 1, messages: [] }, {}, 400],
    ['with a long id', { threadId: 't'.repeat(101), runId: 'r', messages: [] }, {}, 400],
    ['with a Last-Event-ID of another', input('t', 'x'), { 'last-event-id': '../1' }, 400],
  ])('is refused %s', async (_, body, headers, status) => {
    const { url } = await startGateway()
    const response = await post(url, body as object, headers)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code: expect.any(String) as string } })
  })

  it('is ended at a body over 16 MiB', async () => {
    const { port } = await startGateway()
    const socket = await tcp(port)
    socket.write(
      `POST /ag-ui HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 17000000\r\n\r\n{`,
    )
    const text = await new Promise<string>((resolve) =>
      socket.once('data', (chunk: Buffer) => resolve(chunk.toString())),
    )
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('that never reads is ended, and its run goes on', async () => {
    const long$ = scripted(({ messages }) =>
      messages.length === 1
        ? { text: 'x'.repeat(16 * 1024 * 1024), pieceLength: 65_536 }
        : { text: 'short', pieceLength: 5 },
    )
    const { port, url } = await startGateway({ agUi: { takesWithinMs: 200, unsentLimit: 1024 * 1024 } }, long$)
    const socket = await tcp(port)
    socket.pause()
    const body = JSON.stringify(input('thread', 'Go'))
    socket.write(
      `POST /ag-ui HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    // the stored events are bounded: a repeat gets none that was dropped, and a next run works
    await expect
      .poll(
        async () => {
          const text = await (await post(url, input('thread', 'Go'), { 'last-event-id': '1.1' })).text()
          return framesIn(text).at(-1)?.event
        },
        { timeout: 10_000 },
      )
      .toMatchObject({ code: 'bad_request', message: expect.stringContaining('not stored any more') as string })
    if (isFull) {
      socket.resume() // the kernel takes 6 s to hand over what it has buffered
      expect((await readToEnd(socket)).length).toBeLessThan(16 * 1024 * 1024)
    } else socket.destroy()
    const next = framesIn(await (await post(url, input('thread', 'Go', 'run-2'))).text())
    expect(next[0]?.event).toMatchObject({ type: 'RUN_STARTED', runId: 'run-2' }) // the first run has ended
  })
})
