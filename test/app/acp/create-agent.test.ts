// Tests rxpi as an agent of ACP with the SDK's client: prompts, updates, permission, cancel, errors.
import { methods } from '@agentclientprotocol/sdk'
import { NEVER, Observable, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { acpScene } from './acp-scene.ts'

const paint = fakeTool('paint', () => of(textResult('painted')), { capability: 'write' })
const call = { toolCalls: [{ name: 'paint', arguments: { colour: 'red' } }] }

describe('a prompt', () => {
  it('answers in pieces, thought and text, and ends with a reason [ACP-prompt, ACP-method-prompt, ACP-update-commands]', async () => {
    const scene = acpScene({ script: [{ thinking: 'Hm.', text: 'Hello there.' }] })
    const editor = await scene.editor()
    expect(editor.initialised).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: 'rxpi', version: '1.2.3' },
      agentCapabilities: { loadSession: true, _meta: { rxpi: { steer: '_rxpi/steer' } } },
    })
    const { sessionId } = await editor.newSession()
    expect(editor.updates).toEqual([]) // the editor does not know the session before the response
    expect(await editor.prompt(sessionId, 'hi')).toBe('end_turn')
    expect([editor.text('agent_thought_chunk'), editor.text(), editor.text('user_message_chunk')]).toEqual(['Hm.', 'Hello there.', '']) // prettier-ignore
    expect(editor.of('available_commands_update')[0]?.availableCommands.map(({ name }) => name)).toContain('review')
  })

  it.each([
    ['once', 'completed', 'painted'],
    ['deny', 'failed', /not allow|denied/i],
    [undefined, 'failed', /not allow|denied/i],
  ])('asks whether a call may run; the answer %s ends it as %s [ACP-permission]', async (choice, status, text) => {
    const scene = acpScene({ script: [call, 'Done.'], tools: [paint] })
    const editor = await scene.editor({ permit: () => choice })
    const { sessionId } = await editor.newSession()
    expect(await editor.prompt(sessionId, 'paint')).toBe('end_turn')
    const [request] = editor.requests
    expect(request).toMatchObject({ sessionId, toolCall: { title: 'paint', rawInput: { colour: 'red' } } })
    expect(request?.options.map(({ optionId }) => optionId)).toEqual(
      expect.arrayContaining(['deny', 'once', 'session']),
    )
    const [{ toolCallId, status: first } = { toolCallId: '' }] = editor.of('tool_call')
    expect([toolCallId, first]).toEqual([request?.toolCall.toolCallId, 'pending'])
    const last = editor.of('tool_call_update').at(-1)
    expect(last).toMatchObject({ toolCallId, status })
    expect(JSON.stringify(last?.content)).toMatch(text)
    expect(editor.text()).toBe('Done.')
  })

  it('stops when it is cancelled, and takes its question back [ACP-cancel, ACP-method-cancel]', async () => {
    const scene = acpScene({ script: [call, 'x'], tools: [paint] })
    const editor = await scene.editor({ permit: () => new Promise(() => undefined) })
    const { sessionId } = await editor.newSession()
    const ended = editor.prompt(sessionId, 'paint')
    await expect.poll(() => editor.requests, { timeout: 10_000 }).toHaveLength(1)
    await expect(editor.prompt(sessionId, 'more')).rejects.toMatchObject({ code: -32_600, data: { code: 'busy' } })
    await editor.agent.notify('session/cancel', { sessionId })
    expect(await ended).toBe('cancelled')
  })

  it('starts no run if it is cancelled while a hook looks at its text [ACP-cancel]', async () => {
    const called = Promise.withResolvers<undefined>()
    const input$ = () => {
      called.resolve(undefined)
      return NEVER
    }
    const editor = await acpScene({ script: ['Never asked'], hooks: { input: input$ } }).editor()
    const { sessionId } = await editor.newSession()
    const ended = editor.prompt(sessionId, 'Go')
    await called.promise
    await editor.agent.notify('session/cancel', { sessionId })
    expect(await ended).toBe('cancelled')
    expect(editor.text()).toBe('')
  })

  it('stops when the editor takes the request back [ACP-cancel]', async () => {
    let stopped = false
    const work = fakeTool('work', () => new Observable<never>(() => () => (stopped = true)), { capability: 'read' })
    const scene = acpScene({ script: [{ toolCalls: [{ name: 'work', arguments: {} }] }], tools: [work] })
    const editor = await scene.editor()
    const { sessionId } = await editor.newSession()
    const stop = new AbortController()
    const prompt = [{ type: 'text' as const, text: 'go' }]
    const ended = editor.agent.request(
      methods.agent.session.prompt,
      { sessionId, prompt },
      { cancellationSignal: stop.signal },
    )
    await expect
      .poll(() => editor.of('tool_call_update').some(({ status }) => status === 'in_progress'), { timeout: 10_000 })
      .toBe(true)
    stop.abort()
    expect(await ended).toMatchObject({ stopReason: 'cancelled' })
    expect(stopped).toBe(true)
  })

  it('goes on in the server when the editor ends [ACP-cancel]', async () => {
    const work = fakeTool('work', () => NEVER, { capability: 'read' })
    const scene = acpScene({ script: [{ toolCalls: [{ name: 'work', arguments: {} }] }], tools: [work] })
    const editor = await scene.editor()
    const { sessionId } = await editor.newSession()
    void editor.prompt(sessionId, 'go').catch(() => undefined)
    await expect
      .poll(() => editor.of('tool_call_update').some(({ status }) => status === 'in_progress'), { timeout: 10_000 })
      .toBe(true)
    editor.close()
    const other = scene.client()
    const states: unknown[] = []
    other.request({ type: 'get_state', session: sessionId }).subscribe(({ running, tools }) => states.push([running !== undefined, tools.length])) // prettier-ignore
    await expect.poll(() => states, { timeout: 10_000 }).toEqual([[true, 1]])
    other.request({ type: 'abort', session: sessionId }).subscribe()
  })
})

describe('bad requests', () => {
  it.each([
    ['session/new', { cwd: 'relative', mcpServers: [] }, -32_602, /absolute path, not "relative"/],
    ['session/new', { mcpServers: [] }, -32_602, /Invalid params/],
    ['session/prompt', { sessionId: 'aaaaaaaaaaaa', prompt: [] }, -32_002, /not open here/],
    ['session/load', { sessionId: 'aaaaaaaaaaaa', cwd: '/', mcpServers: [] }, -32_002, /aaaaaaaaaaaa/],
    ['session/list', { cursor: 'x' }, -32_602, /no cursor/],
    ['session/nothing', {}, -32_601, /not found/],
    [
      '_rxpi/steer',
      { sessionId: 'aaaaaaaaaaaa', prompt: [{ type: 'text' }] },
      -32_602,
      /prompt\[0\]\.text has to be a text/,
    ],
    ['session/fork', { sessionId: 5, cwd: '/' }, -32_602, /sessionId has to be a text/],
  ])('%s %j is an error that says why [ACP-errors]', async (method, params, code, message) => {
    const editor = await acpScene({ script: [] }).editor()
    await expect(editor.agent.request(method, params)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    })
  })
})
