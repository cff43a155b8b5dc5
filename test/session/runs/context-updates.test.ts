// Tests that a session tells its model of instruction files and of changes, in order and in the log.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { lastValueFrom, map, of, timer } from 'rxjs'
import { untilSettled } from '../../../lib/operators/events/select-events.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { instructionWorkspace } from '../../context/instructions/instruction-place.ts'
import type { InstructionWorkspace } from '../../context/instructions/instruction-place.ts'
import { playSession } from '../../support/virtual-session.ts'

afterEach(() => {
  vi.useRealTimers()
})

type Script = Parameters<typeof scripted>[0]
const look = fakeTool('look', () => of(textResult('seen')), { capability: 'read' })

function start(workspace: InstructionWorkspace, script: Script, more: CreateSessionOptions = {}) {
  const provider = scripted(script)
  const options = { cwd: workspace.path('repo'), env: {}, tools: [look], instructions: true, approve: 'auto' as const }
  const session = createSession({ ...options, model: { model: scriptedModel, provider }, ...more })
  return { provider, session }
}

async function run(session: Session, text: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  const settled = lastValueFrom(session.events$.pipe(untilSettled()), { defaultValue: undefined })
  const listening = session.events$.subscribe((event) => events.push(event))
  session.send({ type: 'prompt', text }).subscribe()
  await settled
  listening.unsubscribe()
  return events
}

const shapesOf = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) => {
    if (event.type === 'message_end') return [event.message.role]
    return ['turn_start', 'context_added', 'warning', 'agent_end'].includes(event.type) ? [event.type] : []
  })

describe('a session with instruction files', () => {
  it('has them in its prompt, and the log says so once [CONTEXT-notes-told, EVENT-context_added]', async () => {
    using workspace = instructionWorkspace({ 'repo/AGENTS.md': 'Be brief.' })
    const store = memoryStore()
    const first = start(workspace, ['one', 'two'], { store })
    const events = await run(first.session, 'Hi')
    expect(shapesOf(events)).toEqual(['turn_start', 'context_added', 'user', 'assistant', 'agent_end'])
    await run(first.session, 'Again')
    expect(first.provider.requests[0]?.system).toMatch(/AGENTS\.md\n\nBe brief\.\n\nFolder: /)
    await lastValueFrom(first.session.close(), { defaultValue: undefined })
    const again = start(workspace, ['three'], { store, sessionId: first.session.id })
    expect(shapesOf(await run(again.session, 'And'))).not.toContain('context_added')
    expect(again.provider.requests[0]?.system).toBe(first.provider.requests[0]?.system)
    await lastValueFrom(again.session.close(), { defaultValue: undefined })
  })

  it('reads none without the option', async () => {
    using workspace = instructionWorkspace({ 'repo/AGENTS.md': 'Be brief.' })
    const { provider, session } = start(workspace, ['one'], { instructions: false })
    expect(shapesOf(await run(session, 'Hi'))).toEqual(['turn_start', 'user', 'assistant', 'agent_end'])
    expect(provider.requests[0]?.system).not.toContain('Be brief')
  })

  it('tells nested ones between the results and the next answer; the model gets a user message [CONTEXT-notes-place]', async () => {
    using workspace = instructionWorkspace({ 'repo/.git/HEAD': '', 'repo/sub/AGENTS.md': 'Test it.' })
    const { provider, session } = start(workspace, [
      { toolCalls: [{ name: 'look', arguments: { path: 'sub' } }] },
      'done',
    ])
    const events = await run(session, 'Hi')
    expect(shapesOf(events).slice(3)).toEqual([
      'toolResult',
      'turn_start',
      'context',
      'context_added',
      'assistant',
      'agent_end',
    ])
    const roles = provider.requests[1]?.messages.map(({ role }) => role)
    expect(roles).toEqual(['user', 'assistant', 'toolResult', 'user'])
    expect(provider.requests[1]?.messages.at(-1)?.content).toMatch(/sub\/AGENTS\.md holds[^]*Test it\.$/)
    expect(provider.requests[1]?.system).toBe(provider.requests[0]?.system)
    const added = events.find(({ type }) => type === 'context_added')
    const note = events.find(
      (event) =>
        event.type === 'message_end' &&
        event.message.role !== 'user' &&
        'content' in event.message &&
        typeof event.message.content === 'string',
    )
    expect(added).toMatchObject({ text: '', entryId: note?.type === 'message_end' ? note.entryId : '' })
  })

  it('tells another day before the next prompt, once, also after it was opened again [CONTEXT-notes-place]', async () => {
    vi.useFakeTimers({ now: new Date(2026, 0, 9, 12), toFake: ['Date'] })
    using workspace = instructionWorkspace({ 'repo/x': '' })
    const store = memoryStore()
    const first = start(workspace, ['one', 'two'], { store })
    await run(first.session, 'Hi')
    vi.setSystemTime(new Date(2026, 0, 10, 12))
    expect(shapesOf(await run(first.session, 'Again'))).toEqual([
      'turn_start',
      'context',
      'user',
      'assistant',
      'agent_end',
    ])
    await lastValueFrom(first.session.close(), { defaultValue: undefined })
    const again = start(workspace, ['three'], { store, sessionId: first.session.id })
    expect(shapesOf(await run(again.session, 'And'))).not.toContain('context')
    const texts = again.provider.requests[0]?.messages.map(({ content }) => JSON.stringify(content))
    expect(texts?.filter((text) => text.includes('The date is now 2026-01-10.'))).toHaveLength(1)
    await lastValueFrom(again.session.close(), { defaultValue: undefined })
  })

  it('warns of a refused file, and goes on [S22c]', async () => {
    using workspace = instructionWorkspace({ 'repo/.git/HEAD': '', secret: 'token' })
    workspace.link('repo/AGENTS.md', workspace.path('secret'))
    const { session } = start(workspace, ['one'])
    const events = await run(session, 'Hi')
    expect(shapesOf(events)).toEqual(['turn_start', 'warning', 'user', 'assistant', 'agent_end'])
  })

  it('is not continued by a note alone', async () => {
    using workspace = instructionWorkspace({ 'repo/x': '' })
    const { session } = start(workspace, [])
    const failure = await lastValueFrom(session.send({ type: 'continue' }), { defaultValue: undefined }).catch(
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ code: 'bad_request' })
  })
})

describe('an abort while a note is awaited, as of a server that starts', () => {
  it('ends the run at once, and the next run waits for the note again', () => {
    const note = { type: 'note', note: { kind: 'date', digest: 'later', content: 'Later.' } } as const
    const played = playSession({
      script: ['one'],
      prompt: 'Hi',
      contextNotes: { due: () => timer(30_000).pipe(map(() => note)), close: () => undefined },
      at: {
        50: ({ send }) => send({ type: 'abort' }),
        100: ({ send }) => send({ type: 'prompt', text: 'Again' }),
      },
    })
    expect(played.sent.map(({ command, answeredAt }) => [command.type, answeredAt])).toEqual([
      ['prompt', 50],
      ['abort', 50],
      ['prompt', 30_100],
    ])
    const ends = played.events.flatMap((event) => (event.type === 'agent_end' ? [event.terminationReason] : []))
    expect(ends).toEqual(['aborted', 'completed'])
    expect(shapesOf(played.events).filter((shape) => shape === 'context')).toHaveLength(1)
    expect(played.requests).toHaveLength(1)
  })
})
