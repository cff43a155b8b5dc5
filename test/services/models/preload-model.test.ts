// Tests that a model's module is loaded once, after the session has been open for a while.
import { EMPTY } from 'rxjs'
import { expect, it } from 'vitest'
import { preloadModel } from '../../../lib/services/models/models-backend.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { Model } from '../../../lib/streams/models/model.ts'

const model: Model = { id: 'm', provider: 'p', api: 'openai-completions', inputs: ['text'], reasoning: false }
const settled = { type: 'agent_settled' } as unknown as AgentEvent

it.each([
  ['once, 300 ms after the opening', 's 400ms s 400ms |', ['openai-completions']],
  ['never for a session that was closed before', 's 200ms |', []],
])("preloadModel loads the model's API %s", (_, events, expected) => {
  const loaded: string[] = []
  marbles(({ hot }) => {
    preloadModel({ model, events$: hot(events, { s: settled }) }, (api) => {
      loaded.push(api)
      return EMPTY
    })
  })
  expect(loaded).toEqual(expected)
})
