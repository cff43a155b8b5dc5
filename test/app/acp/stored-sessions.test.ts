// Tests how an editor opens stored sessions: load with history, resume, list, fork, close, delete.
import { methods } from '@agentclientprotocol/sdk'
import { NEVER, lastValueFrom, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { acpScene } from './acp-scene.ts'

const { session } = methods.agent
const look = fakeTool('look', () => of(textResult('red')), { capability: 'read' })
const call = { thinking: 'Where?', toolCalls: [{ name: 'look', arguments: { path: 'a.txt' } }] }

describe('a stored session', () => {
  it('is loaded with its history as updates before the answer, and goes on [ACP-sessions, ACP-method-load, ACP-update-user]', async () => {
    const scene = acpScene({ script: [call, 'It is red.', 'Still.'], tools: [look] })
    const first = await scene.editor()
    const { sessionId } = await first.newSession()
    await first.prompt(sessionId, 'look at it')
    first.close()

    const second = await scene.editor()
    const loaded = await second.agent.request(session.load, { sessionId, cwd: scene.folder, mcpServers: [] })
    expect(loaded).toMatchObject({ modes: { currentModeId: 'ask' } })
    expect([second.text('user_message_chunk'), second.text('agent_thought_chunk'), second.text()]).toEqual(['look at it', 'Where?', 'It is red.']) // prettier-ignore
    expect(second.of('tool_call')).toMatchObject([
      { title: 'look a.txt', locations: [{ path: `${scene.folder}/a.txt` }] },
    ])
    expect(second.of('tool_call_update')).toMatchObject([
      { status: 'completed', content: [{ type: 'content', content: { type: 'text', text: 'red' } }] },
    ])
    expect(await second.prompt(sessionId, 'and now?')).toBe('end_turn')
    expect(second.text()).toBe('It is red.Still.')
    expect(second.text('user_message_chunk')).toBe('look at it')
  })

  it('is resumed without its history [ACP-sessions, ACP-method-resume]', async () => {
    const scene = acpScene({ script: ['One.', 'Two.'] })
    const first = await scene.editor()
    const { sessionId } = await first.newSession()
    await first.prompt(sessionId, 'a')
    const second = await scene.editor()
    await second.agent.request(session.resume, { sessionId, cwd: scene.folder, mcpServers: [] })
    await second.prompt(sessionId, 'b')
    expect([second.text(), first.text(), first.text('user_message_chunk')]).toEqual(['Two.', 'One.Two.', 'b'])
  })

  it('is copied, listed by pages, closed and deleted [ACP-sessions, ACP-method-fork, ACP-method-list, ACP-method-close, ACP-method-delete]', async () => {
    const scene = acpScene({ script: ['One.'] })
    const editor = await scene.editor()
    const { sessionId } = await editor.newSession()
    await editor.prompt(sessionId, 'first words')
    const fork = await editor.agent.request<{ sessionId: string }>('session/fork', { sessionId, cwd: scene.folder })
    expect(fork.sessionId).not.toBe(sessionId)
    const listed = await editor.agent.request(session.list, { cwd: scene.folder })
    expect(listed.sessions).toHaveLength(2)
    expect(listed.sessions).toContainEqual({
      sessionId,
      cwd: scene.folder,
      title: 'first words',
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    })
    expect(await editor.agent.request(session.list, { cwd: '/nowhere' })).toEqual({ sessions: [] })
    const after = await editor.agent.request(session.list, { cursor: listed.sessions[0]?.sessionId ?? '' })
    expect(after.sessions).toHaveLength(1)
    await editor.agent.request(session.close, { sessionId: fork.sessionId })
    await expect(editor.prompt(fork.sessionId, 'x')).rejects.toMatchObject({ code: -32_002 })
    await editor.agent.request(session.delete, { sessionId: fork.sessionId })
    expect((await editor.agent.request(session.list, {})).sessions.map((each) => each.sessionId)).toEqual([sessionId])
  })

  it('is loaded again where it is open, and closed under a prompt [ACP-sessions]', async () => {
    const wait = fakeTool('wait', () => NEVER, { capability: 'read' })
    const scene = acpScene({ script: ['One.', { toolCalls: [{ name: 'wait', arguments: {} }] }], tools: [wait] })
    const editor = await scene.editor()
    const { sessionId } = await editor.newSession()
    await editor.prompt(sessionId, 'a')
    await editor.agent.request(session.load, { sessionId, cwd: scene.folder, mcpServers: [] })
    expect(editor.text()).toBe('One.One.')
    const ended = editor.prompt(sessionId, 'b')
    await expect.poll(() => editor.of('tool_call_update').some(({ status }) => status === 'in_progress'), { timeout: 10_000 }).toBe(true) // prettier-ignore
    await editor.agent.request(session.close, { sessionId })
    expect(await ended).toBe('cancelled')
    const state$ = scene.client().request({ type: 'get_state', session: sessionId })
    await expect
      .poll(() => lastValueFrom(state$, { defaultValue: undefined }), { timeout: 10_000 })
      .toMatchObject({ lastEnd: { terminationReason: 'aborted' } })
  })
})
