// Exports a session as a file of pi, version 3.
// Guarantees: entries keep their ids and order, and pi continues at the same entry.
import type { AgentEvent } from '../../streams/events/event.ts'
import { customTypes } from '../import/custom-types.ts'
import { piEntries } from './pi-entries.ts'
import type { LogToExport } from './complete-records.ts'
import { completeRecords } from './complete-records.ts'
import { isRecord } from '../../streams/values/json.ts'

type PiObject = Readonly<Record<string, unknown>>

/**
 * The lines, each with its line feed. Runs, turns, retries, queues and jobs are left out. The whole tree is exported;
 * entries keep their ids, and pi continues at the session's head.
 */
export function* exportPi(log: LogToExport): Generator<string, void> {
  const { id, createdAt, cwd, title } = log.header
  yield piLine({ type: 'session', version: 3, id, timestamp: timestamp(createdAt), cwd })
  const chain = createPiChain()
  const entriesOf = piEntries()
  let pending: PiObject | undefined // written when no later line can add fields to it
  if (title !== undefined)
    pending = { ...chain.beside(), timestamp: timestamp(createdAt), type: 'session_info', name: title }
  for (const { at, event } of completeRecords(log)) {
    const fields = importedFields(event)
    if (fields?.types.includes(pending?.['type']) === true) {
      pending = { ...fields.values, ...pending }
      continue
    }
    for (const entry of entriesOf(event)) {
      const link = entry.node === undefined ? chain.beside() : chain.node(entry.node)
      if (pending !== undefined) yield piLine(pending)
      pending = { ...link, timestamp: timestamp(at), ...entry.fields }
    }
    if (event.type === 'head_moved') chain.moveTo(event.entryId)
  }
  if (pending !== undefined) yield piLine(pending)
  const moved = chain.atHead()
  if (moved !== undefined)
    yield piLine({ ...moved, timestamp: pending?.['timestamp'], type: 'custom', customType: customTypes.head })
}

function piLine(value: PiObject): string {
  return `${JSON.stringify(value)}\n`
}

const lastTime = 8.64e15

function timestamp(at: number): string {
  return new Date(Math.min(at, lastTime)).toISOString()
}

/** The fields of a pi entry that an import stored beside its event. */
function importedFields(
  event: AgentEvent,
): { readonly types: readonly unknown[]; readonly values: object } | undefined {
  if (event.type !== 'custom' || event.customType !== customTypes.piFields || !isRecord(event.data)) return undefined
  const { type, fields } = event.data
  return typeof type === 'string' && isRecord(fields) ? { types: typesInPi[type] ?? [type], values: fields } : undefined
}

/** Event type → pi's entry type, if they differ. */
const typesInPi: Readonly<Record<string, readonly string[] | undefined>> = {
  message_end: ['message', 'custom_message'],
  session_info_change: ['session_info'],
}

// In pi every entry is a tree node; in rxpi only messages and summaries are. Other entries are chained after the node
// at which they happened.

interface PiLink {
  readonly id: string
  readonly parentId: string | null
}

interface PiChain {
  /** Links a tree node after the chain of its parent. It becomes the head. */
  node(entry: { readonly entryId: string; readonly parentId: string | null }): PiLink
  /** Links an entry that happened at the head. */
  beside(): PiLink
  moveTo(entryId: string | null): void
  /** A link at the head if another entry is the file's last one: pi continues at the last entry. */
  atHead(): PiLink | undefined
}

function createPiChain(): PiChain {
  const tips = new Map<string | null, string>() // tree node → last entry of its chain
  let head: string | null = null
  let last: string | null = null
  let count = 0

  function tipOf(entryId: string | null): string | null {
    return tips.get(entryId) ?? null
  }

  function beside(): PiLink {
    count += 1
    const id = count.toString(16).padStart(8, '0') // ids of rxpi never contain a zero
    const parentId = tipOf(head)
    tips.set(head, id)
    last = id
    return { id, parentId }
  }

  return {
    node: ({ entryId, parentId }) => {
      tips.set(entryId, entryId)
      head = entryId
      last = entryId
      return { id: entryId, parentId: tipOf(parentId) }
    },
    beside,
    moveTo: (entryId) => {
      head = entryId
    },
    atHead: () => (tipOf(head) === last ? undefined : beside()),
  }
}
