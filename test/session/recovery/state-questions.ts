// Provides the queries that compare two session states, and the state from folding every line.
import { contextMessages } from '../../../lib/streams/state/context-messages.ts'
import {
  branch,
  emptySession,
  foldSession,
  path as pathTo,
  transcript,
} from '../../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'

/** The state from folding every line of the log. */
export function whole(log: SessionLog): SessionState {
  let state = emptySession()
  for (const record of log.records()) state = foldSession(state, record)
  return state
}

/** The queries to a state, run one by one in this order. */
export const questions: Record<string, (state: SessionState, opIds: readonly string[]) => unknown> = {
  plain: ({ entries, summaries, labels, commands, tools, ...plain }) => plain,
  'an unknown entry': ({ entries }) => [entries.has('zzzzzzzz'), entries.get('zzzzzzzz')],
  'an unknown command': ({ commands }) => [commands.has('nobody'), commands.get('nobody')],
  context: (state) => contextMessages(state),
  'commands one by one': ({ commands }, opIds) => opIds.map((opId) => commands.get(opId)),
  transcript: (state) => transcript(state),
  branch: (state) => branch(state).map(({ entryId, parentId, seq, message }) => ({ entryId, parentId, seq, message })),
  entries: ({ entries }) =>
    [...entries].map(([id, { entryId, parentId, seq, message }]) => ({ id, entryId, parentId, seq, message })),
  'entries, counted': ({ entries }) => entries.size,
  summaries: ({ summaries }) => [...summaries],
  labels: ({ labels }) => [...labels],
  commands: ({ commands }) => [...commands],
  tools: ({ tools }) => [...tools.values()].filter(({ end }) => end === undefined),
  'every path': (state) => [...state.entries.keys(), ...state.summaries.keys()].map((id) => pathTo(state, id)),
  'every context': (state) => [...state.entries.keys()].map((id) => contextMessages(state, id)),
}
