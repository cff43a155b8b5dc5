// Sessions of pi as lines of text, in the three versions of its format.
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { emptySession, foldSession } from '../../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import type { Ids } from '../../../lib/streams/values/identifiers.ts'
import type { SessionStore } from '../../../lib/streams/ports/session-log.ts'
import type { ImportOptions, ImportedSession } from '../../../lib/store/import/import-session.ts'
import { importSession } from '../../../lib/store/import/import-session.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import { valuesOf } from '../../support/values-of.ts'
import { countedIds } from '../../../lib/testing/counted-ids.ts'

export const piTime = '2025-11-20T23:33:50.805Z'
export const piMs = Date.parse(piTime)

export type PiLine = Readonly<Record<string, unknown>>

export const piUsage = {
  input: 3,
  output: 191,
  cacheRead: 0,
  cacheWrite: 4,
  totalTokens: 198,
  cost: { input: 0.5, output: 0.25, cacheRead: 0, cacheWrite: 0, total: 0.75 },
}

export function piHeader(fields: PiLine = {}): PiLine {
  return {
    type: 'session',
    version: 3,
    id: 'd703a1a9-1b7b-4fb1-b512-c9738b1fe617',
    timestamp: piTime,
    cwd: '/elsewhere',
    ...fields,
  }
}

export function piEntry(id: string, parentId: string | null, fields: PiLine): PiLine {
  return { id, parentId, timestamp: piTime, ...fields }
}

export const printed = (text: string): PiLine => ({
  type: 'message',
  message: { role: 'user', content: text, timestamp: piMs },
})

export const answered = (content: readonly PiLine[], fields: PiLine = {}): PiLine => ({
  type: 'message',
  message: {
    role: 'assistant',
    content,
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: 'sonnet',
    usage: piUsage,
    stopReason: 'stop',
    timestamp: piMs,
    ...fields,
  },
})

export const asText = (lines: readonly PiLine[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

export interface Imported extends ImportedSession {
  readonly state: SessionState
  readonly events: readonly AgentEvent[]
  /** `line: message` of each note. */
  readonly notices: readonly string[]
  readonly store: SessionStore
}

/**
 * Imports a text (or bytes) into a store in memory and reads the result back; `cwd: null` uses the file's own folder.
 */
export async function imported(
  content: string | Uint8Array,
  { cwd, ...options }: Partial<Omit<ImportOptions, 'cwd'>> & { readonly cwd?: string | null } = {},
): Promise<Imported> {
  const store = memoryStore()
  const [result] = await valuesOf(
    importSession({
      name: 'the file',
      pieces: [typeof content === 'string' ? Buffer.from(content) : content],
      ...(cwd === null ? {} : { cwd: cwd ?? '/tmp' }),
      store,
      ids: countedIds() satisfies Ids,
      now: 1,
      ...options,
    }),
  )
  if (result === undefined) throw new Error('nothing was imported')
  return {
    ...result,
    ...readBack(store, result.header.id),
    notices: result.notes.map(({ line, message }) => `${line}: ${message}`),
    store,
  }
}

export function readBack(store: SessionStore, id: string): Pick<Imported, 'state' | 'events'> {
  const records = [...store.open(id, { readOnly: true }).log.records()]
  const state = records.reduce<SessionState>((before, record) => foldSession(before, record), emptySession())
  return { state, events: records.map(({ event }) => event) }
}
