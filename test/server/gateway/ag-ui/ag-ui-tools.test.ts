// Tests the tools of an AG-UI front end: several calls in one answer, their questions, errors and late results.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { scripted } from '../../../../lib/providers/offline/scripted.ts'
import { startGateway } from '../gateway-scene.ts'
import { faultOf, framesIn, post, textOf } from './ag-ui-scene.ts'
import type { Frame } from './ag-ui-scene.ts'

/** Calls both tools of the front end at once, then says what they gave. */
const bothTools$ = scripted(({ messages }) => {
  const results = messages.filter(({ role }) => role === 'toolResult')
  if (results.length > 0) return { text: `Got ${results.map((result) => JSON.stringify(result)).join(' and ')}.` }
  return {
    toolCalls: [
      { id: 'call_1', name: 'channel_agui_pick_color', arguments: {} },
      { id: 'call_2', name: 'channel_agui_pick_size', arguments: {} },
    ],
  }
})

const toolNamed = (name: string) => ({
  name,
  description: `Runs ${name}.`,
  parameters: { type: 'object', properties: {} },
})
const tools = ['pick_color', 'pick_size'].map(toolNamed)

interface Outcome {
  readonly type: string
  readonly interrupts?: readonly { readonly id: string }[]
  readonly pendingToolCallIds?: readonly string[]
}

const outcomeOf = (frames: readonly Frame[]) => (frames.at(-1)?.event['outcome'] ?? { type: 'none' }) as Outcome
const resultOf = (id: string) => ({ id: `result of ${id}`, role: 'tool', toolCallId: id, content: `picked by ${id}` })
const answersTo = ({ interrupts = [] }: Outcome, approved = true) =>
  interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload: { approved } }))

/** A thread that keeps the whole conversation, as the client of AG-UI does, and sends it with each request. */
function threadAt(url: string) {
  const threadId = randomUUID()
  const messages: object[] = [{ id: 'm1', role: 'user', content: 'pick' }]
  const rounds: Frame[][] = []
  const request = async (more: object = {}): Promise<Outcome> => {
    const body = { threadId, runId: randomUUID(), messages, tools, ...more }
    const frames = framesIn(await (await post(url, body)).text())
    rounds.push(frames)
    return outcomeOf(frames)
  }
  return { messages, rounds, request }
}

describe('two calls of front-end tools in one answer', () => {
  it('ask and run one after the other; results that came already are sent again, and harm nothing [AGUI-request-answers]', async () => {
    const { url } = await startGateway({}, bothTools$)
    const { messages, rounds, request } = threadAt(url)
    let outcome = await request()
    for (const id of ['call_1', 'call_2']) {
      expect(outcome.type).toBe('interrupt')
      outcome = await request({ resume: answersTo(outcome) })
      expect(outcome).toEqual({ type: 'success', pendingToolCallIds: [id] })
      messages.push(resultOf(id))
      outcome = await request()
    }
    expect(outcome).toEqual({ type: 'success' })
    expect(textOf(rounds.at(-1) ?? [])).toMatch(/picked by call_1.*picked by call_2/)
    expect(faultOf(rounds.flat())).toBeUndefined()
  })

  it('may both be answered in one request, before the session runs the second', async () => {
    const { url } = await startGateway({}, bothTools$)
    const { messages, rounds, request } = threadAt(url)
    const first = await request()
    messages.push(resultOf('call_1'), resultOf('call_2'))
    const second = await request({ resume: answersTo(first) })
    expect(second.type).toBe('interrupt') // that of the second call: no call waits for the front end
    expect(await request({ resume: answersTo(second) })).toEqual({ type: 'success' })
    expect(textOf(rounds.at(-1) ?? [])).toMatch(/picked by call_1.*picked by call_2/)
    expect(faultOf(rounds.flat())).toBeUndefined()
  })

  it('get no result that came for a call which is then denied', async () => {
    const { url } = await startGateway({}, bothTools$)
    const { messages, rounds, request } = threadAt(url)
    const first = await request()
    messages.push(resultOf('call_1'), resultOf('call_2'))
    const second = await request({ resume: answersTo(first) })
    expect(await request({ resume: answersTo(second, false) })).toEqual({ type: 'success' })
    const text = textOf(rounds.at(-1) ?? [])
    expect(text).toContain('picked by call_1')
    expect(text).not.toContain('picked by call_2')
    // the run is over: the results come with a request that has nothing new
    await request()
    expect(rounds.at(-1)?.at(-1)?.event).toMatchObject({ type: 'RUN_ERROR', code: 'bad_request' })
  })
})

describe('the result of a front-end tool', () => {
  it('may be an error', async () => {
    const { url } = await startGateway({}, bothTools$)
    const { messages, rounds, request } = threadAt(url)
    const first = await request()
    messages.push({ ...resultOf('call_1'), content: '', error: 'no colors left' }, resultOf('call_2'))
    await request({ resume: answersTo(await request({ resume: answersTo(first) })) })
    expect(textOf(rounds.at(-1) ?? [])).toMatch(/no colors left.*"isError":true/)
  })

  it('of a call that the model has not made is refused, and the call goes on waiting', async () => {
    const { url } = await startGateway({}, bothTools$)
    const { messages, rounds, request } = threadAt(url)
    const pending = await request({ resume: answersTo(await request()) })
    messages.push(resultOf('call_9'))
    await request()
    expect(rounds.at(-1)?.at(-1)?.event).toMatchObject({
      type: 'RUN_ERROR',
      code: 'bad_request',
      message: expect.stringContaining('call_9') as string,
    })
    messages.splice(-1, 1, resultOf('call_1'))
    expect(pending.pendingToolCallIds).toEqual(['call_1'])
    expect((await request()).type).toBe('interrupt')
  })
})

describe('a front end that changes its tools between two runs', () => {
  it('gets the events of each run', { timeout: 20_000 }, async () => {
    const { url } = await startGateway(
      {},
      scripted(() => ({ text: 'done' })),
    )
    const { rounds, request } = threadAt(url)
    for (const names of [['a'], [], ['a'], ['b'], ['b']]) {
      expect(await request({ tools: names.map(toolNamed) })).toEqual({ type: 'success' })
      expect(textOf(rounds.at(-1) ?? [])).toBe('done')
    }
  })

  it(
    'gets the call of a tool that joined under its own name, with its own arguments',
    { timeout: 20_000 },
    async () => {
      const joined$ = scripted(({ messages }) => {
        const isFirst = messages.filter(({ role }) => role === 'user').length < 2
        if (isFirst || messages.some(({ role }) => role === 'toolResult')) return { text: 'done' }
        const call = { name: 'channel_agui_pick_size', arguments: { most: 2 } }
        return { toolCalls: [{ id: 'call_1', name: 'use_tool', arguments: call }] }
      })
      const { url } = await startGateway({}, joined$)
      const { messages, rounds, request } = threadAt(url)
      await request({ tools: [] })
      messages.push({ id: 'm2', role: 'user', content: 'pick' })
      const interrupted = await request()
      const { event: start } = rounds.at(-1)?.find(({ event }) => (event.type as string) === 'TOOL_CALL_START') ?? {}
      expect(start).toMatchObject({ toolCallId: 'call_1', toolCallName: 'pick_size' })
      expect(await request({ resume: answersTo(interrupted) })).toEqual({
        type: 'success',
        pendingToolCallIds: ['call_1'],
      })
    },
  )
})
