// Tests the options that a program sets for the sessions of its embedded server.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EMPTY } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tapContext } from '../../../lib/operators/context/change-messages.ts'
import { maxTurns } from '../../../lib/operators/run/stop-when.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { ScriptedProvider } from '../../../lib/providers/offline/scripted.ts'
import { eventsOf } from '../../../lib/server/client/events-of.ts'
import type { Client } from '../../../lib/server/client/client.ts'
import { createEmbeddedServer } from '../../../lib/server/machine-server.ts'
import type { OpeningCommand, ProgramSessionOptions } from '../../../lib/services/contract/program-sessions.ts'
import type { AgentEvent, EventNamed, EventType } from '../../../lib/streams/events/event.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { resultOf } from '../../support/result-of.ts'

let folder: string
let client: Client | undefined
let provider: ScriptedProvider
const commands: OpeningCommand[] = []

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-program-')))
  provider = scripted([{ toolCalls: [{ name: 'clock' }] }, 'Noon.', 'Again.'])
  commands.length = 0
})
afterEach(async () => {
  if (client !== undefined) await resultOf(client.request({ type: 'shutdown' }))
  client?.close()
  client = undefined
  rmSync(folder, { recursive: true, force: true })
})

/** A server whose sessions have these options, with an answering model and the tool `clock`. */
function serving(options: ProgramSessionOptions = {}): Client {
  const { client: linked } = createEmbeddedServer({
    env: {
      HOME: folder,
      RXPI_HOME: path.join(folder, 'state'),
      XDG_CONFIG_HOME: path.join(folder, 'config'),
      NONE: undefined,
    },
    session: (command) => {
      commands.push(command)
      return {
        model: { model: scriptedModel, provider },
        customTools: [fakeTool('clock', '12:00')],
        approve: 'auto',
        ...options,
      }
    },
  })
  return (client = linked)
}

/** Sends a prompt, and returns the events up to the end of its run. */
async function runOf(session: string): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = []
  const listening = client
    ?.events$(session)
    .pipe(eventsOf())
    .subscribe((event) => events.push(event))
  await resultOf(client?.request({ type: 'prompt', session, text: 'What time is it?' }) ?? EMPTY)
  await expect.poll(() => events.at(-1)?.type, patient).toBe('agent_settled')
  listening?.unsubscribe()
  return events
}

const named = <Type extends EventType>(events: readonly AgentEvent[], type: Type): EventNamed<Type> | undefined =>
  events.find((event): event is EventNamed<Type> & AgentEvent => event.type === type)

const patient = { timeout: 15_000 }

describe('the session of an embedded server', () => {
  it('has the model, the tools and the transform of the program, and is stored', async () => {
    const contexts: unknown[] = []
    serving({ transformContext: tapContext(({ sessionId }) => contexts.push(sessionId)), system: 'Tell the time.' })
    const { session, model } = await resultOf(newSession())
    const events = await runOf(session)
    expect(model).toEqual(scriptedModel)
    expect(named(events, 'tool_execution_end')).toMatchObject({ toolName: 'clock', isError: false })
    expect(contexts).toEqual([session, session])
    expect(provider.requests[0]?.system).toBe('Tell the time.')
    expect(readdirSync(path.join(folder, 'state/sessions'))).toHaveLength(1)
    expect(commands).toMatchObject([{ cwd: folder, title: 'mine' }])
  })

  it('has them again when it is opened again', async () => {
    serving()
    const { session } = await resultOf(newSession())
    await runOf(session)
    await resultOf(client?.request({ type: 'close_session', session }) ?? EMPTY)
    const opened = await resultOf(client?.request({ type: 'open_session', session, cwd: '/' }) ?? EMPTY)
    expect(opened.model).toEqual(scriptedModel)
    expect(commands[1]).toMatchObject({ session, cwd: folder })
    await runOf(session)
    expect(provider.requests).toHaveLength(3)
  })

  it('precedes what the client names', async () => {
    serving({ tools: [fakeTool('clock', '12:00'), 'read'], thinkingLevel: 'low' })
    const { session } = await resultOf(newSession({ tools: ['bash'], thinkingLevel: 'high', model: 'no/such' }))
    const state = await resultOf(client?.request({ type: 'get_state', session }) ?? EMPTY)
    expect(state).toMatchObject({ activeTools: ['clock', 'read'], thinkingLevel: 'low', model: 'scripted/scripted' })
  })

  it('keeps the tools that the client names if the program sets none', async () => {
    serving()
    const { session } = await resultOf(newSession({ tools: ['read', 'clock'] }))
    const state = await resultOf(client?.request({ type: 'get_state', session }) ?? EMPTY)
    expect(state.activeTools).toEqual(['read', 'clock'])
  })

  it('has what its client chose when it is opened again before its first run', async () => {
    serving({ model: undefined } as object)
    const chosen = { model: 'demo/guide', thinkingLevel: 'high', tools: ['read', 'clock'] }
    const { session, header } = await resultOf(newSession(chosen))
    const state = { model: 'demo/guide', thinkingLevel: 'high', activeTools: ['read', 'clock'] }
    expect(header.chosen).toEqual(chosen)
    await resultOf(client?.request({ type: 'close_session', session }) ?? EMPTY)
    const get = { type: 'get_state', session } as const
    expect(await resultOf(client?.request(get) ?? EMPTY)).toMatchObject({ ...state, open: false })
    await resultOf(client?.request({ type: 'open_session', session, cwd: '/' }) ?? EMPTY)
    expect(await resultOf(client?.request(get) ?? EMPTY)).toMatchObject({ ...state, open: true })
  })

  it('records no choice that the program makes', async () => {
    serving({ thinkingLevel: 'low', tools: ['read'] })
    const { header } = await resultOf(newSession({ model: 'demo/guide', thinkingLevel: 'high', tools: ['bash'] }))
    expect(header).not.toHaveProperty('chosen')
  })

  it('has stop rules, hooks and a listener', async () => {
    const types: string[] = []
    serving({
      stopWhen: [maxTurns(1)],
      hooks: { afterToolCall: () => textResult('late') },
      onEvent: ({ type }) => types.push(type),
    })
    const { session } = await resultOf(newSession())
    const events = await runOf(session)
    expect(named(events, 'agent_end')).toMatchObject({ terminationReason: 'stopped', stopRule: 'maxTurns' })
    expect(types).toContain('tool_execution_end')
    expect(named(events, 'tool_execution_end')?.content).toEqual([{ type: 'text', text: 'late' }])
  })

  it('asks by its rules if the program approves nothing itself', async () => {
    serving({ approve: undefined } as object)
    const { session } = await resultOf(newSession())
    expect(await resultOf(client?.request({ type: 'get_state', session }) ?? EMPTY)).toMatchObject({
      approvalMode: 'writes',
    })
  })

  it.each(['store', 'cwd', 'env', 'sessionId', 'signal', 'settings'])('does not take %s', async (name) => {
    serving({ [name]: undefined })
    await expect(resultOf(newSession())).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(name) as string,
    })
  })

  it('is refused if a hook of the settings has a bad matcher; the file is named', async () => {
    const file = path.join(folder, 'config/rxpi/settings.json')
    mkdirSync(path.dirname(file), { recursive: true })
    const hook = { matcher: '(', hooks: [{ type: 'command', command: 'true' }] }
    writeFileSync(file, JSON.stringify({ hooks: { PreToolUse: [hook] } }))
    serving()
    await expect(resultOf(newSession())).rejects.toMatchObject({
      code: 'bad_config',
      message: expect.stringContaining(`hooks.PreToolUse in ${file} has a matcher`) as string,
    })
  })

  it('refuses the command if the function throws', async () => {
    const { client: linked } = createEmbeddedServer({
      env: { HOME: folder, RXPI_HOME: path.join(folder, 'state') },
      version: '1',
      session: () => {
        throw new Error('no more sessions')
      },
    })
    client = linked
    await expect(resultOf(newSession())).rejects.toMatchObject({
      message: expect.stringContaining('no more') as string,
    })
  })
})

function newSession(more: object = {}) {
  return client?.request({ type: 'new_session', cwd: folder, title: 'mine', ...more }) ?? EMPTY
}
