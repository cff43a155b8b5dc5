// A session as a file of pi, version 3: what pi knows becomes its own kind of entry, in its own order, and opens at the same place.
import type { AgentEvent } from '../../streams/events/event.ts'
import { customTypes } from '../import/custom-types.ts'
import { piEntries } from './pi-entries.ts'
import type { LogToExport } from './session-path.ts'
import { wholeRecords } from './session-path.ts'
import { isRecord } from '../../streams/values/json.ts'

type PiObject = Readonly<Record<string, unknown>>

/**
 * The lines, each with its line feed. Runs, turns, retries, queues and jobs have no place there. The whole tree is exported;
 * entries keep their ids, and pi goes on at the session's head.
 */
export function* exportPi(log: LogToExport): Generator<string, void> {
  const { id, createdAt, cwd, title } = log.header
  yield line({ type: 'session', version: 3, id, timestamp: timestamp(createdAt), cwd })
  const chain = createPiChain()
  const entriesOf = piEntries()
  let held: PiObject | undefined
  if (title !== undefined)
    held = { ...chain.beside(), timestamp: timestamp(createdAt), type: 'session_info', name: title }
  for (const { at, event } of wholeRecords(log)) {
    const fields = importedFields(event)
    if (fields?.types.includes(held?.['type']) === true) {
      held = { ...fields.values, ...held }
      continue
    }
    for (const entry of entriesOf(event)) {
      const link = entry.node === undefined ? chain.beside() : chain.node(entry.node)
      if (held !== undefined) yield line(held)
      held = { ...link, timestamp: timestamp(at), ...entry.fields }
    }
    if (event.type === 'head_moved') chain.moveTo(event.entryId)
  }
  if (held !== undefined) yield line(held)
  const moved = chain.atHead()
  if (moved !== undefined)
    yield line({ ...moved, timestamp: held?.['timestamp'], type: 'custom', customType: customTypes.head })
}

function line(value: PiObject): string {
  return `${JSON.stringify(value)}\n`
}

const lastTime = 8.64e15

function timestamp(at: number): string {
  return new Date(Math.min(at, lastTime)).toISOString()
}

/** What an import kept of an entry of pi beside its event. */
function importedFields(
  event: AgentEvent,
): { readonly types: readonly unknown[]; readonly values: object } | undefined {
  if (event.type !== 'custom' || event.customType !== customTypes.piFields || !isRecord(event.data)) return undefined
  const { type, fields } = event.data
  return typeof type === 'string' && isRecord(fields) ? { types: typesInPi[type] ?? [type], values: fields } : undefined
}

/** Type of our event → of the entry of pi, where they differ. */
const typesInPi: Readonly<Record<string, readonly string[] | undefined>> = {
  message_end: ['message', 'custom_message'],
  session_info_change: ['session_info'],
}

// In a file of pi every entry is a node; in ours only messages and summaries are: the others are strung behind the node they happened at.

interface PiLink {
  readonly id: string
  readonly parentId: string | null
}

interface PiChain {
  /** Where a node of ours stands: behind whatever happened at its parent. It is the head now. */
  node(entry: { readonly entryId: string; readonly parentId: string | null }): PiLink
  /** Where something stands that happens at the head. */
  beside(): PiLink
  moveTo(entryId: string | null): void
  /** A place at the head, where the last entry of the file is another; pi goes on at the last one. */
  atHead(): PiLink | undefined
}

function createPiChain(): PiChain {
  const tips = new Map<string | null, string>() // node of ours → the last entry that was strung behind it
  let head: string | null = null
  let last: string | null = null
  let count = 0

  function tipOf(entryId: string | null): string | null {
    return tips.get(entryId) ?? null
  }

  function beside(): PiLink {
    count += 1
    const id = count.toString(16).padStart(8, '0') // no id of ours has a zero
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
