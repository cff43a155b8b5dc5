// Tests a prompt's output schema: sent with each request of its run, and with no other run.
// The schema is in the system prompt and in a field of the request.
import { EMPTY, firstValueFrom } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { ScriptedProvider } from '../../../lib/providers/offline/scripted.ts'
import { createAgent } from '../../../lib/session/agent/create-agent.ts'
import type { Agent } from '../../../lib/session/agent/create-agent.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'

const outputSchema = { type: 'object', properties: { port: { type: 'integer' } } }

function agentWith(answers: ScriptedProvider, requests: ProviderRequest[]): Agent {
  function provider(request: ProviderRequest): Observable<AssistantDelta> {
    requests.push(request)
    return answers(request)
  }
  const model = { model: scriptedModel, provider }
  return createAgent({ model, system: 'Be brief.', cwd: '/', env: {}, tools: [fakeTool('look', () => EMPTY)] })
}

describe('outputSchema of a prompt', () => {
  it('is part of each request of its run, and of no later one', async () => {
    const requests: ProviderRequest[] = []
    const agent = agentWith(scripted([{ toolCalls: [{ name: 'look' }] }, '{"port":80}', 'Hello']), requests)
    expect((await agent.prompt('Which port?', { outputSchema })).text).toBe('{"port":80}')
    await agent.prompt('Hi')
    await agent.close()
    expect(requests.map((request) => request.outputSchema)).toEqual([outputSchema, outputSchema, undefined])
    expect(requests[1]?.system).toMatch(/^Be brief\.\n\nYour final answer is read by a program\./)
    expect(requests[1]?.system).toContain(JSON.stringify(outputSchema))
    expect(requests[2]?.system).toBe('Be brief.')
  })

  it('is refused if the prompt would be queued', async () => {
    const agent = agentWith(scripted([{ end: 'never' }]), [])
    const { session } = agent
    await firstValueFrom(session.send({ type: 'prompt', text: 'Wait' }), { defaultValue: undefined })
    const queued = { type: 'prompt', text: 'And?', whileRunning: 'steer', outputSchema } as const
    const refused = firstValueFrom(session.send(queued), { defaultValue: undefined })
    await expect(refused).rejects.toMatchObject({ code: 'bad_request' })
    await agent.abort()
    await agent.close()
  })
})
