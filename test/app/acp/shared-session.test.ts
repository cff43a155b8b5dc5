// Tests a session that an editor drives while other clients use it: settings, prompts, questions.
import { methods } from '@agentclientprotocol/sdk'
import { lastValueFrom, of } from 'rxjs'
import { expect, it, onTestFinished } from 'vitest'
import type { Client } from '../../../lib/server/client/client.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { acpScene } from './acp-scene.ts'

const { session } = methods.agent
const paint = fakeTool('paint', () => of(textResult('painted')), { capability: 'write' })
const call = { toolCalls: [{ name: 'paint', arguments: {} }] }

function send(client: Client, command: Parameters<Client['request']>[0]): Promise<unknown> {
  return lastValueFrom(client.request(command), { defaultValue: undefined })
}

it('shows what another client sends, changes and answers [ACP-shared]', async () => {
  const scene = acpScene({ script: [call, 'Done.'], tools: [paint] })
  const editor = await scene.editor({ permit: () => new Promise(() => undefined) })
  const { sessionId } = await editor.newSession()
  const terminal = scene.client()
  await send(terminal, { type: 'hello', client: 'ui', ui: true, questions: true })
  const answering = terminal.events$(sessionId, {}).subscribe((event) => {
    if (event.type !== 'event' || event.event.type !== 'question') return
    const outcome = { choice: 'once' }
    void send(terminal, { type: 'ui_response', session: sessionId, requestId: event.event.requestId, outcome })
  })
  onTestFinished(() => answering.unsubscribe())
  await send(terminal, { type: 'set_thinking_level', session: sessionId, thinkingLevel: 'high' })
  await send(terminal, { type: 'rename_session', session: sessionId, title: 'Paint' })
  await send(terminal, { type: 'prompt', session: sessionId, text: 'paint it' })
  await expect.poll(() => editor.text(), { timeout: 10_000 }).toBe('Done.')
  expect(editor.text('user_message_chunk')).toBe('paint it')
  expect(editor.requests).toHaveLength(1) // taken back when the terminal answered
  expect(editor.of('session_info_update')).toMatchObject([{ title: 'Paint' }])
  await send(terminal, { type: 'set_approval_mode', session: sessionId, mode: 'auto' })
  await send(terminal, { type: 'set_scenario_phase', session: sessionId, scenario: 'plan' })
  await expect.poll(() => editor.of('current_mode_update').map(({ currentModeId }) => currentModeId), { timeout: 10_000 }).toEqual(['auto', 'plan']) // prettier-ignore
  const { configOptions = [] } = editor.of('config_option_update').at(-1) ?? {}
  expect(configOptions.map(({ id, currentValue }) => [id, currentValue])).toEqual([
    ['mode', 'plan'],
    ['model', 'scripted/scripted'],
    ['thinking', 'high'],
  ])
})

it('sets modes and options, and refuses what there is not [ACP-settings, ACP-method-set_mode, ACP-method-set_config_option, ACP-update-mode]', async () => {
  const scene = acpScene({ script: [] })
  const editor = await scene.editor()
  const { sessionId, modes } = await editor.newSession()
  expect(modes?.availableModes.map(({ id }) => id)).toEqual(expect.arrayContaining(['ask', 'writes', 'auto', 'plan', 'plan:build'])) // prettier-ignore
  await editor.agent.request(session.setMode, { sessionId, modeId: 'plan' })
  const set = async (configId: string, value: string): Promise<unknown> => {
    const { configOptions } = await editor.agent.request(session.setConfigOption, { sessionId, configId, value })
    return configOptions.find(({ id }) => id === configId)?.currentValue
  }
  expect(await set('thinking', 'low')).toBe('low')
  expect(await set('mode', 'auto')).toBe('auto')
  const state = await send(scene.client(), { type: 'get_state', session: sessionId })
  expect(state).toMatchObject({ thinkingLevel: 'low', approvalMode: 'auto' })
  expect(state).not.toHaveProperty('scenario')
  for (const [configId, value] of [
    ['mode', 'bold'],
    ['thinking', 'x'],
    ['colour', 'red'],
  ] as const)
    // prettier-ignore
    await expect(set(configId, value)).rejects.toMatchObject({ code: -32_602, data: { code: 'bad_request' } })
})

it('steers a run, whose input comes as a message when the model gets it [ACP-steer, ACP-method-steer]', async () => {
  let release: () => void = () => undefined
  const wait = fakeTool('wait', () => new Promise<void>((resolve) => (release = resolve)).then(() => textResult('ok')), { capability: 'read' }) // prettier-ignore
  const scene = acpScene({ script: [{ toolCalls: [{ name: 'wait', arguments: {} }] }, 'Blue, then.'], tools: [wait] })
  const editor = await scene.editor()
  const { sessionId } = await editor.newSession()
  const ended = editor.prompt(sessionId, 'go')
  await expect
    .poll(() => editor.of('tool_call_update').some(({ status }) => status === 'in_progress'), { timeout: 10_000 })
    .toBe(true)
  const prompt = [{ type: 'text', text: 'blue!' }]
  expect(await editor.agent.request('_rxpi/steer', { sessionId, prompt })).toEqual({
    queueId: expect.any(String) as string,
  })
  release()
  expect(await ended).toBe('end_turn')
  expect([editor.text('user_message_chunk'), editor.text()]).toEqual(['blue!', 'Blue, then.'])
})

it('asks what has no choices by a form, or goes on without an answer [ACP-questions]', async () => {
  const questions = [{ question: 'Which colour?' }, { question: 'Sure?', options: ['yes', 'no'] }]
  const calls = questions.map((each) => ({ toolCalls: [{ name: 'ask', arguments: each }] }))
  const shown: string[] = []
  const scene = acpScene({ script: [...calls, 'Blue.', ...calls, 'Hm.'] })
  const able = await scene.editor({
    capabilities: { elicitation: { form: {} } },
    elicit: ({ message }) => {
      shown.push(message)
      return { action: 'accept', content: { answer: 'blue' } }
    },
    permit: ({ toolCall }) => {
      shown.push(toolCall.title ?? '')
      return 'yes'
    },
  })
  const { sessionId } = await able.newSession()
  await able.prompt(sessionId, 'paint')
  expect(shown).toEqual(['Which colour?', 'Sure?'])
  const results = able.of('tool_call_update').filter(({ status }) => status === 'completed')
  expect(JSON.stringify(results)).toMatch(/The person answered: blue.*The person answered: yes/)
  able.close()

  const plain = await scene.editor({ permit: () => 'no' })
  const other = await plain.newSession()
  expect(await plain.prompt(other.sessionId, 'paint')).toBe('end_turn')
  expect(plain.text()).toBe('Hm.')
  expect(JSON.stringify(plain.of('tool_call_update'))).toMatch(/did not choose an answer.*The person answered: no/)
})

it('waits for an editor that does not read, and then sends everything once [ACP-slow]', async () => {
  let read: () => void = () => undefined
  const reads = new Promise<void>((resolve) => (read = resolve))
  const words = Array.from({ length: 3_000 }, (_, index) => `${index} `)
  const scene = acpScene({ script: [{ text: words }, 'Next.'] })
  const editor = await scene.editor({ reads })
  const { sessionId } = await editor.newSession()
  const ended = editor.prompt(sessionId, 'count')
  const terminal = scene.client()
  const isOver = async (): Promise<boolean> => {
    const state = await send(terminal, { type: 'get_state', session: sessionId })
    return (state as { readonly lastEnd?: unknown }).lastEnd !== undefined
  }
  await expect.poll(isOver, { timeout: 10_000 }).toBe(true) // the run does not wait for the editor
  expect(editor.text()).toBe('')
  read()
  expect(await ended).toBe('end_turn')
  expect(editor.text()).toBe(words.join(''))
  expect(editor.of('agent_message_chunk').length).toBeLessThan(1_000) // what it missed came as one piece
  await editor.prompt(sessionId, 'next')
  expect(editor.text()).toBe(`${words.join('')}Next.`)
})

it('leaves its open question to a client that can answer [ACP-shared]', async () => {
  const scene = acpScene({ script: [call, 'Done.'], tools: [paint] })
  const editor = await scene.editor({ permit: () => new Promise(() => undefined) })
  const { sessionId } = await editor.newSession()
  const terminal = scene.client()
  await send(terminal, { type: 'hello', client: 'ui', ui: true, questions: true })
  const following = terminal.events$(sessionId, {}).subscribe()
  onTestFinished(() => following.unsubscribe())
  void editor.prompt(sessionId, 'paint').catch(() => undefined)
  await expect.poll(() => editor.requests, { timeout: 10_000 }).toHaveLength(1)
  editor.close()
  const state = (await send(terminal, { type: 'get_state', session: sessionId })) as { readonly questions?: readonly { readonly requestId: string }[] } // prettier-ignore
  const requestId = state.questions?.[0]?.requestId ?? ''
  await send(terminal, { type: 'ui_response', session: sessionId, requestId, outcome: { choice: 'once' } })
  const done = await scene.editor()
  await expect
    .poll(
      async () => {
        await done.agent.request(session.load, { sessionId, cwd: scene.folder, mcpServers: [] })
        return done.text()
      },
      { timeout: 10_000 },
    )
    .toContain('Done.')
})
