// Gives a module of pi the entries of the session in pi's form, with its own entries among them.
import { branch } from '../../../streams/state/fold-session.ts'
import type { Entry, SessionState } from '../../../streams/state/fold-session.ts'
import { messageText } from '../../../streams/messages/message-text.ts'
import type { PiOwnEntry, PiRuntime } from '../contract/pi-runtime.ts'
import type { PiRecord } from '../contract/pi-shapes.ts'

/** All entries, oldest first. */
export function allEntries(runtime: PiRuntime): PiRecord[] {
  const state = runtime.api.session.state()
  return state === undefined ? [] : withOwn(runtime, state, [...state.entries.values()])
}

/** The entries from the first to `entryId` (default: the head). */
export function branchEntries(runtime: PiRuntime, entryId?: string): PiRecord[] {
  const state = runtime.api.session.state()
  return state === undefined ? [] : withOwn(runtime, state, branch(state, entryId))
}

function withOwn(runtime: PiRuntime, state: SessionState, entries: readonly Entry[]): PiRecord[] {
  const following = Map.groupBy(runtime.entries, ({ after }) => after)
  const own = (after: string | null): PiRecord[] => (following.get(after) ?? []).map(ownEntry)
  const sent = [...runtime.sent]
  const rows = entries.flatMap((entry) => [messageEntry(entry, sent), ...own(entry.entryId)])
  const summaries = [...state.summaries.entries()].map(([id, { parentId, event }]) => summaryEntry(id, parentId, event))
  return [...own(null), ...summaries, ...rows]
}

function messageEntry({ entryId, parentId, message }: Entry, sent: PiRuntime['sent']): PiRecord {
  const base = { id: entryId, parentId, timestamp: new Date(message.timestamp).toISOString() }
  const index = message.role === 'user' ? sent.findIndex(({ text }) => text === messageText(message)) : -1
  const own = index === -1 ? undefined : sent.splice(index, 1)[0]?.message
  if (own === undefined) return { type: 'message', ...base, message: piMessage(message) }
  return { type: 'custom_message', ...base, ...own }
}

function ownEntry({ id, after, time, customType, message, data }: PiOwnEntry): PiRecord {
  const base = { id, parentId: after, timestamp: new Date(time).toISOString(), customType }
  if (message === undefined) return { type: 'custom', ...base, ...(data !== undefined && { data }) }
  const { content, display = true, details } = message
  return { type: 'custom_message', ...base, content, display, ...(details !== undefined && { details }) }
}

function summaryEntry(id: string, parentId: string | null, event: object): PiRecord {
  const { type, ...fields } = event as PiRecord // `compaction` or `branch_summary`, whose fields pi names the same
  return { ...fields, type, id, parentId, timestamp: new Date(0).toISOString() }
}

/** A message as pi has it: a cost that is not known is zero there. */
export function piMessage(message: object): PiRecord {
  const { usage, ...fields } = message as PiRecord
  if (typeof usage !== 'object' || usage === null) return { ...fields }
  const cost = (usage as PiRecord)['cost']
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }
  return { ...fields, usage: { ...usage, cost: cost === 'unknown' ? none : cost } }
}
