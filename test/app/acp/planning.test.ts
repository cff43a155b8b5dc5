// Tests that an editor plans first: the mode, the plan as a question, and the phase after it.
import { methods } from '@agentclientprotocol/sdk'
import { expect, it } from 'vitest'
import { acpScene } from './acp-scene.ts'

it('shows the plan as a question, and leaves the mode when it is accepted [ACP-questions]', async () => {
  const todo = { toolCalls: [{ name: 'todo', arguments: { items: [{ text: 'Paint', state: 'in_progress' }] } }] }
  const propose = { toolCalls: [{ name: 'propose_plan', arguments: { plan: '1. Paint it blue.' } }] }
  const scene = acpScene({ script: [propose, todo, 'Built.'] })
  const editor = await scene.editor({ permit: () => 'accept' })
  const { sessionId } = await editor.newSession()
  await editor.agent.request(methods.agent.session.setMode, { sessionId, modeId: 'plan' })
  expect(await editor.prompt(sessionId, 'plan it')).toBe('end_turn')
  expect(editor.requests).toMatchObject([
    {
      options: [{ optionId: 'reject' }, { optionId: 'accept' }],
      toolCall: { kind: 'switch_mode', content: [{ content: { text: '1. Paint it blue.' } }] },
    },
  ])
  expect(editor.of('current_mode_update').map(({ currentModeId }) => currentModeId)).toEqual(['plan', 'plan:build'])
  expect(editor.of('plan')).toMatchObject([{ entries: [{ content: 'Paint', status: 'in_progress' }] }])
  expect(editor.text()).toBe('Built.')
})
