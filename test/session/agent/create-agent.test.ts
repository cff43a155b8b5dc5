// Tests the promise API of the library: what each method resolves with, and its rejections.
// Over 250 lines: one interface, method by method, as docs/library.md lists them.
import { NEVER, map, timer } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAgent } from '../../../lib/session/agent/create-agent.ts'
import type { Agent } from '../../../lib/session/agent/create-agent.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { ScriptedReply } from '../../../lib/providers/offline/scripted.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { SessionLog, SessionStore } from '../../../lib/streams/ports/session-log.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import type { FaultyLog } from '../../support/faulty-log.ts'

const agents: Agent[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.allSettled(agents.splice(0).map((agent) => agent.close()))
})

function agentOf(script: Parameters<typeof scripted>[0], more: CreateSessionOptions = {}): Agent {
  const model = { model: scriptedModel, provider: scripted(script) }
  const agent = createAgent({
    model,
    cwd: '/somewhere',
    env: {},
    tools: [],
    approve: 'auto',
    retry: { attempts: 1 },
    ...more,
  })
  agents.push(agent)
  return agent
}

const slow = { text: 'slow', delayMs: 30 }
const slowTool = fakeTool('slow', timer(30).pipe(map(() => textResult('after a while'))))

/** A store whose only log is this one. */
function storeOf({ log }: FaultyLog): SessionStore {
  return {
    create: (): SessionLog => log,
    open: () => {
      throw new Error('nothing is opened here')
    },
    latest: () => undefined,
  }
}

describe('agent.prompt', () => {
  it('resolves with the result of the run', async () => {
    const agent = agentOf([{ text: 'I look.', toolCalls: [{ name: 'a' }] }, 'It is blue.'], {
      tools: [fakeTool('a', 'of a')],
    })
    const result = await agent.prompt('Which colour?')
    expect(result).toMatchObject({ text: 'It is blue.', terminationReason: 'completed', totalTurns: 2 })
    expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'toolResult', 'assistant'])
    expect(result.message).toBe(result.messages.at(-1))
  })

  it('returns only the messages of its own run', async () => {
    const agent = agentOf(['one', 'two'])
    await agent.prompt('first')
    expect((await agent.prompt('second')).messages).toHaveLength(2)
  })

  it('resolves with a failed result if the provider fails [LOOP-23c]', async () => {
    const agent = agentOf([new Failure('provider_error', 'no key', { data: { kind: 'auth' } }), slow])
    const result = await agent.prompt('Hi')
    expect(result).toMatchObject({
      terminationReason: 'error',
      text: '',
      error: { code: 'provider_error', message: 'no key' },
    })
    expect(agent.state.errorMessage).toBe('no key')
    const again = agent.prompt('Again')
    expect([agent.state.isStreaming, agent.state.errorMessage]).toEqual([true, undefined])
    await again
  })

  it('rejects with busy during a run, and starts none [LOOP-22a]', async () => {
    const agent = agentOf([slow])
    const first = agent.prompt('first')
    await expect(agent.prompt('second')).rejects.toMatchObject({ code: 'busy' })
    expect((await first).text).toBe('slow')
  })

  it.each(['steer', 'follow_up'] as const)(
    'queues as %s if whileRunning says so, and resolves with the active run',
    async (whileRunning) => {
      const agent = agentOf([slow, 'both'])
      const first = agent.prompt('first')
      const second = agent.prompt('second', { whileRunning })
      expect((await second).text).toBe('both')
      expect(await second).toEqual(await first)
    },
  )

  it.each([
    ['wait', 'slow', 'completed'],
    ['replace', '', 'aborted'],
  ] as const)(
    'starts a run of its own with %s, after the active one',
    async (whileRunning, text, terminationReason) => {
      const agent = agentOf([slow, 'own'])
      const first = agent.prompt('first')
      const second = agent.prompt('second', { whileRunning })
      await agent.waitForIdle()
      expect(await first).toMatchObject({ text, terminationReason })
      expect(await second).toMatchObject({ text: 'own', terminationReason: 'completed' })
      expect((await second).messages).toHaveLength(2)
    },
  )

  it('rejects a prompt that waits if a newer one replaces it', async () => {
    // a promise cannot be cancelled, so the first run takes a moment to settle
    const hang = fakeTool('hang', () => new Promise((resolve) => setTimeout(() => resolve(textResult('late')), 20)))
    const agent = agentOf([{ toolCalls: [{ name: 'hang' }] }, 'third'], { tools: [hang], approve: 'auto' })
    const first = agent.prompt('first')
    expect(hang.calls).toHaveLength(1)
    const [second, third] = ['second', 'third'].map((text) => agent.prompt(text, { whileRunning: 'replace' }))
    await expect(second).rejects.toMatchObject({ code: 'cancelled' })
    expect([(await first).terminationReason, (await third)?.text]).toEqual(['aborted', 'third'])
  })

  it('resolves two prompts that a listener sends one after the other', async () => {
    const agent = agentOf(['one', 'two'])
    let second: Promise<{ text: string }> | undefined
    agent.subscribe(({ type }) => {
      if (type === 'agent_settled') second ??= agent.prompt('second')
    })
    const first = await agent.prompt('first')
    expect([first.text, (await second)?.text]).toEqual(['one', 'two'])
  })

  it('accepts images and limits', async () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
    const call = { toolCalls: [{ name: 'none' }] }
    const result = await agentOf([call, call]).prompt('Look', { images: [image], limits: { turns: 1 } })
    expect(result).toMatchObject({ terminationReason: 'stopped', stopRule: 'maxTurns' })
    expect(result.messages[0]).toMatchObject({ content: [{ type: 'text', text: 'Look' }, image] })
  })

  it('rejects with storage if the prompt cannot be written', async () => {
    const stored = faultyLog()
    stored.disk.full = true
    await expect(agentOf(['x'], { store: storeOf(stored) }).prompt('Hi')).rejects.toMatchObject({ code: 'storage' })
    stored.disk.full = false
  })

  it('rejects with storage if the disk fills before the run has ended', async () => {
    const stored = faultyLog()
    const agent = agentOf([slow], { store: storeOf(stored) })
    agent.subscribe(({ type }) => {
      if (type === 'turn_start') setTimeout(() => (stored.disk.full = true), 5)
    })
    await expect(agent.prompt('Hi')).rejects.toMatchObject({ code: 'storage' })
    await expect(agent.waitForIdle()).rejects.toMatchObject({ code: 'storage' })
    stored.disk.full = false
    await agent.steer('there is space again')
    await expect(agent.waitForIdle()).resolves.toBeUndefined()
  })
})

describe('agent.setModel', () => {
  it('rejects if the session is closed while the model is resolved', async () => {
    const agent = agentOf([], { modelRegistry: { resolve: () => NEVER } })
    const chosen = agent.setModel('somewhere/else')
    await agent.close()
    await expect(chosen).rejects.toMatchObject({ code: 'unknown_session' })
  })
})

describe('agent.abort', () => {
  it('resolves when the run has settled, as the prompt does', async () => {
    const agent = agentOf([{ toolCalls: [{ name: 'slow' }] }, 'never'], { tools: [slowTool] })
    const run = agent.prompt('Go')
    await agent.abort()
    expect(agent.state.isStreaming).toBe(false)
    expect(await run).toMatchObject({ terminationReason: 'aborted' })
  })

  it('resolves at once without a run', async () => {
    await expect(agentOf([]).abort()).resolves.toBeUndefined()
  })
})

describe('agent.continue', () => {
  it('rejects if there is nothing to continue, else resolves with the run', async () => {
    const agent = agentOf([new Failure('provider_error', 'no', { data: { kind: 'auth' } }), 'Hello'])
    await expect(agent.continue()).rejects.toMatchObject({ code: 'bad_request' })
    await agent.prompt('Hi')
    expect((await agent.continue()).text).toBe('Hello')
  })
})

describe('agent queues', () => {
  it('deliver steers before follow-ups, and list the waiting inputs [LOOP-19a]', async () => {
    const agent = agentOf([slow, 'a', 'b'])
    const run = agent.prompt('Go')
    const followUp = await agent.followUp('f')
    const steer = await agent.steer('s')
    expect(agent.state.queue.map(({ queueId }) => queueId)).toEqual([followUp, steer])
    expect((await run).messages.flatMap(({ role, content }) => (role === 'user' ? [content] : []))).toEqual([
      'Go',
      's',
      'f',
    ])
  })

  it('can be cleared separately or together, and edited by id', async () => {
    const agent = agentOf(['Hello', 'x'])
    const [first] = await Promise.all([agent.followUp('f1'), agent.followUp('f2'), agent.steer('s')])
    expect(await agent.clearSteeringQueue()).toBe(1)
    await agent.editQueued(first, 'better')
    expect(agent.state.queue.map(({ content }) => content)).toEqual(['better', 'f2'])
    await agent.removeQueued(first)
    await expect(agent.removeQueued(first)).rejects.toMatchObject({ code: 'bad_request' })
    expect([await agent.clearFollowUpQueue(), await agent.clearAllQueues()]).toEqual([1, 0])
  })

  it('use the mode that is set', async () => {
    const agent = agentOf(['one', 'all'])
    await agent.setFollowUpMode('all')
    await agent.setSteeringMode('all')
    await Promise.all(['f1', 'f2'].map((text) => agent.followUp(text)))
    expect((await agent.prompt('Go')).totalTurns).toBe(2)
  })
})

describe('agent.waitForIdle', () => {
  it('resolves at once without a run, else when the run has settled', async () => {
    const agent = agentOf([slow])
    await agent.waitForIdle()
    const run = agent.prompt('Go')
    await agent.waitForIdle()
    expect(agent.state.isStreaming).toBe(false)
    await run
  })

  it('waits for a run that was started through the session', async () => {
    const agent = agentOf([slow])
    void agent.session.send({ type: 'prompt', text: 'Go' })
    expect(agent.state.isStreaming).toBe(true)
    await agent.waitForIdle()
    expect(agent.state.messages).toHaveLength(2)
  })
})

describe('agent.reset', () => {
  it('ends the run, clears the queues and starts a new conversation; the log keeps the old one', async () => {
    const agent = agentOf([slow, 'fresh'])
    const run = agent.prompt('old')
    await agent.followUp('f')
    await agent.reset()
    await run
    expect([agent.state.messages, agent.state.queue]).toEqual([[], []])
    expect((await agent.prompt('new')).text).toBe('fresh')
    expect(agent.state.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(agent.session.state$.value.entries.size).toBeGreaterThan(2)
  })

  it.each<[string, ScriptedReply]>([
    ['no run is active', 'fresh'],
    ['the active run ends at once', slow],
  ])('starts the new conversation in the call itself if %s: the next prompt belongs to it', async (_, first) => {
    const agent = agentOf([first, 'fresh'])
    const before = first === slow ? agent.prompt('old') : undefined
    const reset = agent.reset()
    const { messages } = await agent.prompt('new')
    await Promise.all([reset, before])
    expect(agent.state.messages).toEqual(messages)
  })
})

describe('agent.state', () => {
  it('contains the open answer and the running calls', async () => {
    const agent = agentOf([{ text: 'I look', toolCalls: [{ name: 'slow', id: 'c1' }] }, 'done'], { tools: [slowTool] })
    const received: unknown[] = []
    agent.subscribe(({ type }) => {
      const { isStreaming, streamingMessage, pendingToolCalls } = agent.state
      if (type === 'message_update') received.push([isStreaming, streamingMessage?.role])
      if (type === 'tool_execution_start') received.push([...pendingToolCalls])
    })
    await agent.prompt('Go')
    expect(received).toContainEqual([true, 'assistant'])
    expect(received).toContainEqual(['c1'])
    expect([agent.state.pendingToolCalls.size, agent.state.streamingMessage]).toEqual([0, undefined])
  })

  it('returns the same list of messages until a message is added', async () => {
    const agent = agentOf(['one', 'two'])
    await agent.prompt('Go')
    const { messages } = agent.state
    expect(agent.state.messages).toBe(messages)
    await agent.prompt('Go on')
    expect([messages.length, agent.state.messages.length]).toEqual([2, 4])
  })

  it('changes with the setters', async () => {
    const agent = agentOf(['x'], { customTools: [slowTool], tools: ['read'] })
    await agent.setTools(['slow'])
    await agent.setThinkingLevel('high')
    await agent.setModel({ model: { ...scriptedModel, id: 'other' }, provider: scripted(['from the other']) })
    expect(agent.state).toMatchObject({ tools: ['slow'], thinkingLevel: 'high', model: { id: 'other' } })
    expect((await agent.prompt('Go')).text).toBe('from the other')
    await expect(agent.setTools(['none'])).rejects.toMatchObject({ code: 'bad_request' })
  })
})

describe('agent.subscribe', () => {
  it('calls listeners in order of subscription, until they are removed [LOOP-30a]', async () => {
    const agent = agentOf(['one', 'two'])
    const heard: string[] = []
    const end = agent.subscribe(({ type }) => heard.push(`a ${type}`))
    agent.subscribe(({ type }) => heard.push(`b ${type}`))
    await agent.prompt('Go')
    expect(heard.slice(0, 2)).toEqual(['a agent_start', 'b agent_start'])
    end()
    heard.length = 0
    await agent.prompt('Go')
    expect(heard[0]).toBe('b agent_start')
  })

  it('waits for no listener, whatever it returns [LOOP-30a]', async () => {
    const agent = agentOf(['one'])
    const heard: string[] = []
    const listener = ({ type }: AgentEvent): unknown => {
      heard.push(type)
      return new Promise(() => undefined)
    }
    agent.subscribe(listener)
    expect((await agent.prompt('Go')).text).toBe('one')
    expect(heard.at(-1)).toBe('agent_settled')
  })

  it('turns a throw into a warning event and a line on stderr [LOOP-30b]', async () => {
    const stderr = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const agent = agentOf(['one'])
    const warnings: string[] = []
    agent.subscribe(() => {
      throw new Error('oops')
    })
    agent.subscribe((event) => {
      if (event.type === 'warning') warnings.push(event.message)
    })
    expect((await agent.prompt('Go')).text).toBe('one')
    expect(warnings).toEqual(['A listener failed at agent_start: oops'])
    expect(stderr).toHaveBeenCalledOnce()
  })
})

describe('agent.close', () => {
  it('ends the active run; its prompt resolves with server_shutdown', async () => {
    const agent = agentOf([slow])
    const run = agent.prompt('Go')
    await agent.close()
    expect(await run).toMatchObject({ terminationReason: 'server_shutdown' })
    await expect(agent.prompt('more')).rejects.toMatchObject({ code: 'unknown_session' })
  })
})
