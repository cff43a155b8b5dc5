// Tests the description of the next request: it holds exactly what is sent.
import { lastValueFrom } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { untilSettled } from '../../../lib/operators/events/select-events.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import { joinSections } from '../../../lib/streams/ports/prompt-sections.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'

describe('the next request', () => {
  it('has the sections, tools and messages that are then sent [CONTEXT-report]', async () => {
    const provider = scripted(['one', 'two'])
    const model = { model: { ...scriptedModel, contextWindow: 10_000 }, provider }
    const session = createSession({ model, cwd: '/nowhere', env: {}, tools: [fakeTool('look', 'seen')] })
    const prompt = async (text: string): Promise<void> => {
      const settled = lastValueFrom(session.events$.pipe(untilSettled()), { defaultValue: undefined })
      session.send({ type: 'prompt', text }).subscribe()
      await settled
    }
    await prompt('Hi')
    const before = session.nextRequest?.()
    await prompt('Again')
    const sent = provider.requests[1]
    const sections = before?.parts.filter(({ kind }) => kind === 'section') ?? []
    expect(joinSections(sections.map(({ name, text = '' }) => ({ name, text })))).toBe(sent?.system)
    const tools = before?.parts.flatMap(({ kind, text = '' }) => (kind === 'tool' ? [JSON.parse(text) as unknown] : []))
    expect(tools).toEqual(
      sent?.tools.map(({ name, description, parameters }) => ({
        ...{ name, description },
        parameters: JSON.parse(JSON.stringify(parameters)) as unknown,
      })),
    )
    expect(before?.parts.filter(({ kind }) => kind === 'messages')).toMatchObject([
      { name: 'user', count: 1 },
      { name: 'assistant', count: 1 },
    ])
    expect(before?.contextWindow).toBe(10_000)
    expect(before?.tokens).toBe(before?.parts.reduce((sum, { tokens }) => sum + tokens, 0))
    expect(before?.parts.every(({ tokens }) => tokens > 0)).toBe(true)
    await lastValueFrom(session.close(), { defaultValue: undefined })
  })
})
