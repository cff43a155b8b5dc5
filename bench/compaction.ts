// Compaction: the time beside the model, of a session of 100,000 entries that was never compacted, and of one that was.
import { createConversation } from '../lib/operators/run/conversation.ts'
import { scripted, scriptedModel } from '../lib/providers/offline/scripted.ts'
import { sessionCompaction } from '../lib/session/runs/session-compaction.ts'
import { memoryStore } from '../lib/store/index.ts'
import type { ContextChanges } from '../lib/streams/state/fold-context-changes.ts'
import { contextMessages } from '../lib/streams/state/context-messages.ts'
import { emptySession, foldSession } from '../lib/streams/state/fold-session.ts'
import type { Entry, SessionState } from '../lib/streams/state/fold-session.ts'
import { behavior } from '../lib/streams/rx/behavior.ts'
import { longCompaction, longConversation } from './long-conversation.ts'
import type { Benchmark, Report } from './report.ts'
import { median } from './statistics.ts'

const entryCount = 100_000
const rounds = 9

export const compaction: Benchmark = {
  name: 'compaction',
  about: 'a compaction beside the model: plan, request and changes',
  run: () => {
    const whole = longState(false)
    const compacted = longState(true)
    return Promise.resolve(
      report([
        ['100,000 entries, never compacted', ...figures(whole)],
        ['100,000 entries, compacted before', ...figures(compacted)],
      ]),
    )
  },
}

function longState(isCompacted: boolean): SessionState {
  const { before, ...fields } = longCompaction(entryCount)
  const entries = new Map<string, Entry>()
  let state: SessionState = { ...emptySession(), entries }
  for (const run of longConversation(entryCount)) {
    for (const { id, parentId, message } of run) {
      if (isCompacted && entries.size === before) {
        const { id: entryId, ...rest } = fields
        state = foldSession(state, {
          event: { type: 'compaction', entryId, tokensBefore: 1, tokensAfter: 1, ...rest },
          seq: before,
        })
      }
      const parent = isCompacted && entries.size === before ? fields.id : parentId
      entries.set(id, { entryId: id, parentId: parent, message, seq: entries.size + 1 })
      state = { ...state, headEntryId: id }
    }
  }
  return { ...state, seq: entryCount + 1 }
}

/** Messages of the context, and milliseconds of one compaction as a person asks for it. */
function figures(state: SessionState): readonly [number, number] {
  const messages = contextMessages(state)
  const once = (): number => {
    const { compactNow } = openCompaction(state)
    const began = performance.now()
    let changes = 0
    compactNow(undefined).subscribe((event) => (changes += event.type === 'compaction' ? 1 : 0))
    const took = performance.now() - began
    if (changes !== 1) throw new Error('the session was not compacted')
    return took
  }
  once()
  return [messages.length, median(Array.from({ length: rounds }, once))]
}

/** The model answers at once, so that all of the time is ours. */
function openCompaction(state: SessionState) {
  const log = memoryStore().create({ id: 'aaaaaaaaaaaa', createdAt: 0, cwd: '/' })
  let count = 0
  const conversation = createConversation({
    history: contextMessages(state),
    headEntryId: state.headEntryId,
    nextEntryId: () => `new${String(count++).padStart(5, '0')}`,
  })
  const settings = {
    model: scriptedModel,
    provider: scripted(() => 'A summary.'),
    system: '',
    tools: [],
    thinkingLevel: 'off' as const,
  }
  return sessionCompaction({
    parts: { options: {}, log },
    conversation,
    settings: { thaw: () => undefined, current: () => settings },
    state$: behavior<SessionState>({ ...state, ...freshChanges(state) }).behavior$,
  })
}

/** The maps of a state change in place: each round has its own. */
function freshChanges({ edits, pins, carried }: SessionState): ContextChanges {
  return { edits: new Map(edits), pins: new Set(pins), carried: new Map(carried) }
}

function report(rows: readonly (readonly [string, number, number])[]): Report {
  const columns = [{ title: 'session' }, { title: 'messages of the context' }, { title: 'ms', digits: 1 }]
  return {
    tables: [{ title: 'milliseconds of one compaction, the model answering at once', columns, rows }],
    targets: [
      {
        what: 'compaction of a session of 100,000 entries, beside the model',
        measured: rows[0]?.[2],
        limit: 100,
        unit: 'ms',
      },
    ],
    notes: [
      'The request quotes the conversation as far as the window of the model allows; that text is part of the time.',
    ],
  }
}
