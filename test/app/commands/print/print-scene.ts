// Prints one run in a test and records the output and the requests.
import { Observable, firstValueFrom, of } from 'rxjs'
import type { AgentEvent, EventNamed } from '../../../../lib/streams/events/event.ts'
import { noUsage } from '../../../../lib/streams/messages/message.ts'
import type { AssistantMessage } from '../../../../lib/streams/messages/message.ts'
import type { SessionCommand } from '../../../../lib/session/contract/session.ts'
import type { PrintInvocation, SessionChoice } from '../../../../app/cli/invocation.ts'
import { print } from '../../../../app/commands/print/print.ts'
import type { FakeSession } from '../../../support/fake-session.ts'
import type { FakeWorld, FakeWorldOptions } from '../../../support/fake-world.ts'

export const runId = 'rrrrrrrr'

export const stored = 'aaaaaaaaaaaa'

export function invocation(more: Partial<PrintInvocation> = {}, choice: Partial<SessionChoice> = {}): PrintInvocation {
  return {
    mode: 'print',
    format: 'text',
    words: 'hi',
    files: [],
    stdin: 'added',
    limits: {},
    choice: { cwd: '/here', from: 'new', ...choice },
    ...more,
  }
}

export function answer(text: string, more: Partial<AssistantMessage> = {}): AgentEvent[] {
  const message: AssistantMessage = {
    role: 'assistant',
    content: text === '' ? [] : [{ type: 'text', text }],
    api: 'fake',
    provider: 'fake',
    model: 'model',
    usage: noUsage,
    stopReason: 'stop',
    timestamp: 1,
    ...more,
  }
  return [
    { type: 'message_start', entryId: 'mmmmmmmm', parentId: null, message: { ...message, content: [] } },
    { type: 'message_end', entryId: 'mmmmmmmm', parentId: null, message },
  ]
}

export function end(more: Partial<EventNamed<'agent_end'>> = {}): AgentEvent[] {
  return [
    { type: 'agent_end', totalTurns: 1, usage: noUsage, durationMs: 1, terminationReason: 'completed', ...more },
    { type: 'agent_settled' },
  ]
}

export const start: AgentEvent = { type: 'agent_start', model: 'fake/model', tools: [], thinkingLevel: 'off' }

/** A session that answers a prompt with these events, and an abort with the end of the run. */
export function runs(events: readonly AgentEvent[]): FakeWorldOptions {
  return { session: { answer: (command, session) => play(events, command, session) } }
}

export function play(events: readonly AgentEvent[], command: SessionCommand, session: FakeSession): Observable<object> {
  const record = (all: readonly AgentEvent[]): void => {
    for (const event of all) session.record(event, { runId })
  }
  if (command.type === 'prompt') record([start, ...events])
  if (command.type === 'abort') record(end({ terminationReason: 'aborted' }))
  return of(command.type === 'prompt' ? { status: 'started', runId } : {})
}

export function begin(own: FakeWorld, requests = invocation()): Promise<unknown> {
  return firstValueFrom(print(requests, own.world), { defaultValue: 'no code' })
}

export function made(own: FakeWorld): FakeSession {
  const [session] = [...own.host.sessionsById.values()].slice(-1)
  if (session === undefined) throw new Error('no session was made')
  return session
}
