// Tests which model answers the active run.
import { expect, it } from 'vitest'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { assistant, sampleEvents } from '../events/samples.ts'
import { foldEvents } from './fold-session-scene.ts'

it('has the model that answers the active run: the next one only when it begins to answer [MODEL-footer]', () => {
  const to = 'q/next'
  const changed = foldEvents([sampleEvents.agent_start, { ...sampleEvents.model_change, to }])
  expect([changed.model, changed.running?.model]).toEqual([to, 'p/m'])
  const fallback: AgentEvent = { ...sampleEvents.model_fallback, from: 'p/m', to: 'f/back' }
  const turned = foldEvents([fallback, sampleEvents.turn_start], changed)
  expect(turned.running?.model).toBe('f/back')
  const message = { ...assistant(), provider: 'q', model: 'next' }
  expect(foldEvents([{ ...sampleEvents.message_start, message }], turned).running?.model).toBe(to)
})
