// Tests what a session gives the step that compacts, and what it does with the step's end.
import { EMPTY, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { CompactionRequest, CompactionStep } from '../../../lib/operators/compaction/compact.ts'
import { memoryConversation } from '../../../lib/testing/memory-conversation.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { sessionCompaction } from '../../../lib/session/runs/session-compaction.ts'
import type { Overflow } from '../../../lib/operators/ports/run-ports.ts'
import type { SessionOptions } from '../../../lib/session/contract/session-parts.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { contextMessage } from '../../../lib/streams/messages/context-message.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { behavior } from '../../../lib/streams/rx/behavior.ts'
import { emptySession, foldSession } from '../../../lib/streams/state/fold-session.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { countedIds } from '../../../lib/testing/counted-ids.ts'
import { aUser, anAnswer } from '../../providers/adapter/messages.ts'
import { faultyLog } from '../../support/faulty-log.ts'

const local = { ...scriptedModel, contextWindow: 50, local: true }
const note = contextMessage({ kind: 'date', digest: 'd', content: 'The date is now …', timestamp: 1 })

/** A session with these messages and a window of 100 tokens, whose step records its requests. */
function compacting(messages: readonly Message[], options: SessionOptions = {}, step$: CompactionStep = () => EMPTY) {
  const requests: CompactionRequest[] = []
  const ids = countedIds()
  const conversation = memoryConversation(ids)
  let state = emptySession()
  for (const message of messages) {
    const [entryId, parentId] = [conversation.nextEntryId(), conversation.headEntryId]
    conversation.append(entryId, message)
    state = foldSession(state, { event: { type: 'message_end', entryId, parentId, message }, seq: state.seq + 1 })
  }
  const model = { ...scriptedModel, contextWindow: 100 }
  const current = () => ({ model, provider: scripted([]), system: '', thinkingLevel: 'off' as const, tools: [] })
  const compact$: CompactionStep = (request) => {
    requests.push(request)
    return step$(request)
  }
  const compaction = sessionCompaction({
    parts: { options: { ...options, compact: compact$ }, log: faultyLog().log },
    conversation,
    settings: { current, thaw: () => undefined },
    state$: behavior(state).behavior$,
  })
  return { compaction, requests, conversation }
}

function eventsBefore(compacting: ReturnType<ReturnType<typeof sessionCompaction>['forRun']>) {
  const events: AgentEvent[] = []
  compacting.compactFirst()?.subscribe((event) => events.push(event))
  return events
}

describe('before a request', () => {
  it('looks at the entries only if they may fill the window', () => {
    const short = compacting([aUser('Hello')])
    expect(short.compaction.forRun().compactFirst()).toBeUndefined()
    const long = compacting([aUser('x'.repeat(80))])
    long.compaction.forRun().compactFirst()?.subscribe()
    expect(long.requests).toMatchObject([{ reason: 'threshold', window: 100, entries: [{ kind: 'entry' }] }])
  })

  it('counts what the conversion of the session makes of the messages', () => {
    const convertToLlm = (messages: readonly Message[]): readonly Message[] =>
      messages.flatMap((message): Message[] =>
        message.role === 'user' ? [aUser('x'.repeat(200)), message] : [message],
      )
    const { compaction, requests } = compacting([aUser('Hello')], { convertToLlm })
    compaction.forRun().compactFirst()?.subscribe()
    expect(requests[0]?.entries.map(({ message, entryId }) => [message.content.length, entryId])).toEqual([
      [200, requests[0]?.entries[1]?.entryId],
      [5, requests[0]?.entries[1]?.entryId],
    ])
  })

  it('marks notes, which the model reads as messages of the user', () => {
    const { compaction, requests } = compacting([aUser('x'.repeat(80)), note, anAnswer('text')])
    compaction.forRun().compactFirst()?.subscribe()
    expect(requests[0]?.entries.map(({ message, isNote = false }) => [message.role, isNote])).toEqual([
      ['user', false],
      ['user', true],
      ['assistant', false],
    ])
  })

  it.each<[string, CompactionStep]>([
    ['fails', () => throwError(() => new Failure('internal', 'no'))],
    [
      'throws',
      () => {
        throw new Failure('internal', 'no')
      },
    ],
  ])('warns once a run if a step of the program %s', (_, step$) => {
    const run = compacting([aUser('x'.repeat(80))], {}, step$).compaction.forRun()
    expect(eventsBefore(run)).toMatchObject([
      { type: 'warning', code: 'compaction_failed', context: { code: 'internal' } },
    ])
    expect(eventsBefore(run)).toEqual([])
  })
})

describe('after an overflow', () => {
  it('takes the window of the model that was asked: it may be a fallback', () => {
    const { compaction, requests } = compacting([aUser('x'.repeat(400))])
    compaction
      .forRun()
      .makeRoom({ model: { ...scriptedModel, contextWindow: 50 }, tokens: 60 })
      .subscribe()
    expect(requests).toMatchObject([{ reason: 'overflow', window: 50 }])
  })

  it('of an estimate looks again: kept answers count with the usage that they had before a summary', () => {
    for (const [length, wanted] of [
      [20, 0],
      [400, 1],
    ] as const) {
      const { compaction, requests } = compacting([aUser('x'.repeat(length))])
      const model = { ...scriptedModel, contextWindow: 50 }
      compaction.forRun().makeRoom({ model, tokens: 60 }).subscribe()
      expect(requests).toHaveLength(wanted)
    }
  })

  const refused = new Failure('provider_error', 'too long', { data: { kind: 'context_overflow' } })
  it.each<[string, Partial<Overflow>, readonly string[]]>([
    ['with the failure of the provider', { failure: refused }, ['too long']],
    ['by itself for a local endpoint, which may cut the request', { model: local }, ['50 tokens']],
    ['not at all after an estimate: the provider decides', {}, []],
  ])('that cannot be mended fails %s', (_, fields, expected) => {
    const messages: string[] = []
    compacting([aUser('x'.repeat(400))])
      .compaction.forRun()
      .makeRoom({ model: { ...scriptedModel, contextWindow: 50 }, tokens: 60, ...fields })
      .subscribe({ error: (thrown: unknown) => messages.push(Failure.from(thrown).message) })
    expect(messages).toEqual(expected.map((words) => expect.stringContaining(words) as string))
  })

  it('applies edits: the conversation has them before their events are emitted', () => {
    const step$: CompactionStep = ({ entries }) =>
      of({ type: 'context_edit', targetEntryId: entries[0]?.entryId ?? '', replacement: aUser('Short') })
    const { compaction, conversation } = compacting([aUser('x'.repeat(400))], {}, step$)
    const contents: unknown[] = []
    compaction
      .forRun()
      .makeRoom({ model: { ...scriptedModel, contextWindow: 50 }, tokens: 60 })
      .subscribe(() => contents.push(conversation.messages[0]?.content))
    expect(contents).toEqual(['Short'])
  })
})
