// Rebuilds the entry tree and the queue of a repaired log.
// A reference to a lost entry moves to the nearest remaining one.
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import type { QueuedInput } from '../../streams/state/fold-inputs.ts'
import { foldQueue, withoutInput } from '../../streams/state/fold-inputs.ts'

export interface MendedEvent {
  readonly event: AgentEvent
  /** The change in words; absent if nothing changed. */
  readonly change?: string
}

export interface EntryRepair {
  /** The event of the next valid record, as written to the copy. */
  mend(record: SessionRecord): MendedEvent
}

export function entryRepair(): EntryRepair {
  const known = new Set<string>()
  const parentOf = new Map<string, string | null>() // as in the copy: each is known, or null
  const lost = lostEntries(known)
  const ended = new Set<string>() // calls whose output is present, until their result
  let head: string | null = null

  /** The entry itself if it remains; else its predecessor, if its start remains; else the entry before. */
  function nearest(entryId: string | null): string | null {
    if (entryId === null || known.has(entryId)) return entryId
    const parent = parentOf.get(entryId)
    return parent === undefined ? head : parent
  }
  function mend(event: AgentEvent): MendedEvent {
    if (event.type === 'head_moved') {
      const entryId = nearest(event.entryId)
      return entryId === event.entryId ? { event } : { event: { ...event, entryId }, change: describeMove(entryId) }
    }
    if (!('parentId' in event)) return { event }
    const parentId = nearest(event.parentId)
    const mended =
      parentId === event.parentId ? { event } : { event: { ...event, parentId }, change: describeMove(parentId) }
    if (event.type === 'compaction') return mendCompaction(event, parentId, lost.firstRemaining(event.firstKeptEntryId))
    return event.type === 'message_end' && lacksOutput(event, ended) ? withoutOutput(event, parentId) : mended
  }
  function recordEvent(event: AgentEvent): void {
    if (event.type === 'tool_execution_end') ended.add(event.toolCallId)
    if (event.type === 'head_moved') head = event.entryId
    if (!('parentId' in event)) return
    parentOf.set(event.entryId, event.parentId)
    if (event.type === 'message_start') return
    if (event.type === 'message_end' && event.message.role === 'toolResult') ended.delete(event.message.toolCallId)
    known.add(event.entryId)
    head = event.entryId
  }

  return {
    mend({ event }) {
      const mended = mend(event)
      if ('parentId' in event) lost.follow(event)
      recordEvent(mended.event)
      return mended
    },
  }
}

/** The predecessors of lost entries; `known` are the remaining entries. */
function lostEntries(known: ReadonlySet<string>) {
  const followedBy = new Map<string, string>() // lost entry → the first entry that followed it
  return {
    follow({ entryId, parentId }: { readonly entryId: string; readonly parentId: string | null }): void {
      if (parentId !== null && !known.has(parentId) && !followedBy.has(parentId)) followedBy.set(parentId, entryId)
    },
    /** The entry itself if it remains, else the first one that followed it, else nothing. */
    firstRemaining(entryId: string | null): string | null {
      const visited = new Set<string>() // a manipulated log may have cycles
      let id = entryId ?? undefined
      while (id !== undefined && !known.has(id)) {
        if (visited.has(id)) return null
        visited.add(id)
        id = followedBy.get(id)
      }
      return id ?? null
    },
  }
}

function describeMove(entryId: string | null): string {
  return entryId === null
    ? 'its parent is lost; it is the first entry now'
    : `its parent is lost; it follows ${entryId} now`
}

/** If no kept message remained, a model would receive everything that the summary replaces. */
function mendCompaction(event: EventNamed<'compaction'>, parentId: string | null, firstId: string | null): MendedEvent {
  const changes = [
    ...(parentId === event.parentId ? [] : [describeMove(parentId)]),
    ...(firstId === event.firstKeptEntryId ? [] : [describeFirstEntry(firstId)]),
  ]
  return changes.length === 0
    ? { event }
    : { event: { ...event, parentId, firstKeptEntryId: firstId }, change: changes.join('; ') }
}

function describeFirstEntry(firstId: string | null): string {
  const from = firstId === null ? 'nothing of it is left' : `it keeps the messages from ${firstId} on`
  return `the first message that it keeps is lost; ${from}`
}

/** A result line has no content if its `tool_execution_end` holds it. */
function lacksOutput({ message }: EventNamed<'message_end'>, ended: ReadonlySet<string>): boolean {
  if (message.role !== 'toolResult') return false
  const line: Partial<typeof message> = message
  return line.content === undefined && !ended.has(message.toolCallId)
}

function withoutOutput(event: EventNamed<'message_end'>, parentId: string | null): MendedEvent {
  const { message } = event
  if (message.role !== 'toolResult') return { event }
  const text = "this call's output was lost: its line of the log was damaged"
  const replacement = { ...message, content: [{ type: 'text' as const, text }], isError: true }
  return { event: { ...event, parentId, message: replacement }, change: "its call's output is lost" }
}

// Repairs the queue: an input is either queued or in a message, never both; if its message is lost it is queued again.

interface QueueRepair {
  /**
   * Recreates the lost start of a message that matches a queued input: the start names the input. Without it a model
   * would receive the input twice. A message with an `opId` is its own prompt and no queued input.
   */
  lostStart(record: Pick<SessionRecord, 'opId' | 'event'>): EventNamed<'message_start'> | undefined
  /** The next valid event, as written to the copy. */
  mend(event: AgentEvent): MendedEvent
}

export function queueRepair(): QueueRepair {
  const started = new Map<string, string | undefined>() // messages whose start is present, with the input that they deliver
  const delivered = new Set<string | undefined>()
  let queue: readonly QueuedInput[] = []
  let isUnnamed = false // the message's start, which names the input, is lost: a later `take` may belong to it

  function noteEnd({ entryId, message }: EventNamed<'message_end'>): void {
    if (message.role !== 'user') return
    queue = withoutInput(queue, started.get(entryId))
    isUnnamed = !started.has(entryId)
    delivered.add(started.get(entryId))
  }
  return {
    lostStart({ opId, event }) {
      if (event.type !== 'message_end' || event.message.role !== 'user') return undefined
      if (opId !== undefined || started.has(event.entryId)) return undefined
      const words = JSON.stringify(event.message.content)
      const input = queue.find(({ content }) => JSON.stringify(content) === words)
      return input && startOf(event, input)
    },
    mend(event) {
      if (event.type === 'message_start') started.set(event.entryId, event.queueId)
      if (event.type === 'message_end') noteEnd(event)
      if (event.type !== 'queue_update') return { event }
      const isLost = event.op === 'take' && !isUnnamed && !delivered.has(event.queueId)
      isUnnamed = false
      if (isLost) return untaken
      queue = foldQueue(queue, event)
      return { event }
    },
  }
}

function startOf({ entryId, parentId, message }: EventNamed<'message_end'>, { queueId }: QueuedInput) {
  return { type: 'message_start' as const, entryId, parentId, message: { ...message, content: [] }, queueId }
}

const untaken: MendedEvent = {
  event: {
    type: 'error',
    code: 'lost_line',
    message: 'The message of a queued input was lost here: the input is queued again',
    recoverable: true,
  },
  change: 'the message of a queued input is lost; the input is queued again',
}
