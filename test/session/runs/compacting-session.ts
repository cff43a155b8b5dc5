// A session's conversation, state and compaction without a run: a test appends messages and asks for room.
import { Type } from '@sinclair/typebox'
import type { Observable } from 'rxjs'
import { contextTokens } from '../../../lib/operators/compaction/context-tokens.ts'
import type { CompactionSettings } from '../../../lib/operators/compaction/plan-compaction.ts'
import { createConversation, modelMessage } from '../../../lib/operators/run/conversation.ts'
import type { RoomEvent } from '../../../lib/operators/ports/run-ports.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { sessionCompaction } from '../../../lib/session/runs/session-compaction.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import type { Summariser } from '../../../lib/streams/ports/agent-context.ts'
import { behavior } from '../../../lib/streams/rx/behavior.ts'
import { contextEntries } from '../../../lib/streams/state/context-messages.ts'
import type { ContextEntry } from '../../../lib/streams/state/context-messages.ts'
import type { Entry, SessionState } from '../../../lib/streams/state/fold-session.ts'
import { emptySession, foldSession } from '../../../lib/streams/state/fold-session.ts'
import { countedIds } from '../../../lib/testing/counted-ids.ts'
import { faultyLog } from '../../support/faulty-log.ts'

export interface CompactingSessionOptions {
  readonly window: number
  readonly system?: string
  readonly summariser: Summariser
  readonly compaction?: CompactionSettings
}

/** A list of parameters that every request has. */
const tools = [
  {
    name: 'read',
    description: 'Reads a file.',
    parameters: Type.Object({ path: Type.String() }),
    execute: () => {
      throw new Error('this session runs no tool')
    },
  },
]

export function compactingSession({
  window,
  system = '',
  summariser: summariser$,
  compaction,
}: CompactingSessionOptions) {
  const ids = countedIds()
  const conversation = createConversation({ history: [], headEntryId: null, nextEntryId: ids.short })
  const visits = { entries: 0 }
  const empty = { ...emptySession(), entries: countedMap(visits) }
  const state = behavior<SessionState>(empty)
  const fold = (event: AgentEvent): void => {
    const seq = state.behavior$.value.seq + 1
    state.set(foldSession(state.behavior$.value, { event, seq, at: seq }))
  }
  const model = { ...scriptedModel, contextWindow: window }
  const current = () => ({ model, provider: scripted([]), system, thinkingLevel: 'off' as const, tools })
  const session = sessionCompaction({
    parts: {
      options: { summariser: summariser$, compaction: { ...compaction, enabled: true } },
      log: faultyLog().log,
    },
    conversation,
    settings: { current, thaw: () => undefined },
    state$: state.behavior$,
  })
  const run = session.forRun()
  const entries = (): readonly ContextEntry[] => contextEntries(state.behavior$.value)
  const messages = (): readonly Message[] => entries().flatMap(({ message }) => modelMessage(message) ?? [])
  const counted = () =>
    contextTokens({
      system,
      tools,
      entries: entries().flatMap((entry) => {
        const message = modelMessage(entry.message)
        return message === undefined ? [] : [{ ...entry, message }]
      }),
    })
  const play = (event$: Observable<RoomEvent> | undefined): RoomEvent[] => {
    const events: RoomEvent[] = []
    event$?.subscribe({
      next: (event) => {
        events.push(event)
        if (event.type !== 'compaction_progress' && event.type !== 'warning') fold(event)
      },
      error: () => undefined, // nothing could be shortened: the request fails
    })
    return events
  }
  return {
    conversation,
    model,
    tools,
    visits,
    entries,
    messages,
    counted,
    get state() {
      return state.behavior$.value
    },
    append: (message: Message): string => {
      const [entryId, parentId] = [conversation.nextEntryId(), conversation.headEntryId]
      conversation.append(entryId, message)
      fold({ type: 'message_end', entryId, parentId, message })
      return entryId
    },
    pin: (targetEntryId: string): void => {
      fold({ type: 'context_pin', targetEntryId, pinned: true })
    },
    /** What a run does before a request: it compacts if the window fills up, and again if the context is too long. */
    compactFirst: (): RoomEvent[] => play(run.compactFirst()),
    makeRoom: (tokens: number): RoomEvent[] => play(run.makeRoom({ model, tokens })),
  }
}

/** Counts how often an entry is looked up. */
function countedMap(visits: { entries: number }): Map<string, Entry> {
  const map = new Map<string, Entry>()
  const get = map.get.bind(map)
  map.get = (id) => {
    visits.entries += 1
    return get(id)
  }
  return map
}
