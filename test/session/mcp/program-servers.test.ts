// Tests `createSession({ mcpServers })` with a real server process: first request, chosen tools, failures, end.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filter, firstValueFrom, lastValueFrom, of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import { resultOf } from '../../support/result-of.ts'

let folder: string
const sessions: Session[] = []
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-program-servers-')))
})
afterEach(async () => {
  for (const session of sessions.splice(0)) await lastValueFrom(session.close(), { defaultValue: undefined })
  rmSync(folder, { recursive: true })
})

const plain = { command: process.execPath, args: [path.resolve('test/mcp/fixtures/plain-server.ts')] }
const pid = { toolCalls: [{ name: 'mcp__plain__pid', arguments: {} }] }

function open(script: Parameters<typeof scripted>[0], more: CreateSessionOptions = {}) {
  const requests: string[][] = []
  const provider = scripted(script)
  const model = {
    model: scriptedModel,
    provider: (request: Parameters<typeof provider>[0]) => {
      requests.push(request.tools.map(({ name }) => name))
      return provider(request)
    },
  }
  const env = { PATH: process.env['PATH'] ?? '' }
  const session = createSession({ model, cwd: folder, env, approve: 'auto', mcpServers: { plain }, ...more })
  sessions.push(session)
  return { session, requests }
}

async function run(session: Session): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  session.listen((event) => events.push(event))
  const settled = firstValueFrom(session.events$.pipe(filter(({ type }) => type === 'agent_settled')), { defaultValue: undefined }) // prettier-ignore
  await resultOf(session.send({ type: 'prompt', text: 'Go.' }))
  await settled
  return events
}
const resultsIn = (events: readonly AgentEvent[]): string[] =>
  events
    .filter((event): event is EventNamed<'tool_execution_end'> => event.type === 'tool_execution_end')
    .map(({ content }) => content.map((part) => (part.type === 'text' ? part.text : '')).join(''))
const isAlive = (id: number): boolean => {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}

describe('servers of a session that a program creates', () => {
  it('are in its first request, run its calls, and end with it', async () => {
    const { session, requests } = open([pid, 'done'])
    const [result = ''] = resultsIn(await run(session))
    expect(requests[0]).toContain('mcp__plain__pid')
    const id = Number(/\d+/.exec(result)?.[0])
    expect(isAlive(id)).toBe(true)
    await lastValueFrom(session.close(), { defaultValue: undefined })
    await vi.waitFor(() => expect(isAlive(id)).toBe(false), { timeout: 10_000 })
  })

  it('bring the tools alone that the program names, and their prompts as commands', async () => {
    const { session, requests } = open(['done'], { tools: ['read', 'mcp__plain__pid'] })
    await run(session)
    expect(requests[0]?.toSorted()).toEqual(['mcp__plain__pid', 'read'])
    const listed = await resultOf(session.commands?.list() ?? of({ commands: [], problems: [] }))
    expect(listed.commands.every(({ kind }) => kind === 'mcp')).toBe(true)
  })

  it('that do not fit are refused at once', () => {
    const mcpServers = { plain: { command: 'a', colour: 'red' } }
    expect(() => createSession({ cwd: folder, env: {}, mcpServers })).toThrow(/plain\.colour is no key/)
  })

  it('that cannot be started are warnings, and the run goes on', async () => {
    const mcpServers = { gone: { command: path.join(folder, 'none') }, both: { command: 'a', url: 'https://x.example' } } // prettier-ignore
    const { session } = open(['done'], { mcpServers })
    const events: AgentEvent[] = []
    session.listen((event) => events.push(event))
    await run(session)
    expect(events).toContainEqual(expect.objectContaining({ type: 'warning', message: expect.stringContaining('both') as string })) // prettier-ignore
    expect(events).toContainEqual(expect.objectContaining({ type: 'mcp_status', server: 'gone' }))
  })

  it('leave nothing if the session is closed at once', async () => {
    const { session } = open([])
    await lastValueFrom(session.close(), { defaultValue: undefined })
    expect(session.state$.value.running).toBeUndefined()
  })
})
