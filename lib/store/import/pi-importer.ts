// Imports a pi session (version 1, 2 or 3).
// Guarantees: each line is imported, or a note says why not.
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { Ids } from '../../streams/values/identifiers.ts'
import { checkEvent } from '../../streams/validation/validators.ts'
import { customTypes } from './custom-types.ts'
import { createEntryTree } from './build-entry-tree.ts'
import type { EntryTree } from './build-entry-tree.ts'
import type { ForeignObject } from './foreign-values.ts'
import { foreignObject, replacement, foreignTime } from './foreign-values.ts'
import { isBlank } from './foreign-lines.ts'
import type { ImportNotes, Importer } from './importer.ts'
import type { PiContext } from './pi-entry.ts'
import { piEntry } from './pi-entry.ts'
import type { Message } from '../../streams/messages/message.ts'
import { noUsage } from '../../streams/messages/message.ts'
import { tokenEstimate } from '../../streams/ports/token-estimate.ts'

export interface PiImporterOptions {
  readonly header: ForeignObject
  /** Time of entries without one, Unix milliseconds. */
  readonly createdAt: number
  readonly ids: Pick<Ids, 'short'>
  readonly notes: ImportNotes
}

/** Handles the lines after the header. A file without a version is of version 1. */
export function piImporter({ header, createdAt, ids, notes }: PiImporterOptions): Importer {
  const state: PiState = { tree: createEntryTree(ids), nodes: piNodes() }
  const linear = typeof header['version'] !== 'number' || header['version'] < 2
  const identified = linear ? linearIds() : (entry: ForeignObject) => entry
  let at = createdAt
  return {
    line: ({ number, text }) => {
      const addNote = (message: string): void => notes.add(number, message)
      if (text !== undefined && isBlank(text)) return []
      const parsed = text === undefined ? { ok: false as const, problem: 'it is too long' } : foreignObject(text)
      if (!parsed.ok) {
        addNote(`${parsed.problem}; it was left out`)
        return []
      }
      if (text?.includes(replacement) === true) addNote('it holds U+FFFD, which stands for bytes that are not UTF-8')
      if (parsed.removed > 0) addNote('properties called __proto__ were left out')
      at = foreignTime(parsed.value['timestamp']) ?? at
      return convertLine(state, { entry: identified(parsed.value), at, onNote: addNote }).map((event) => ({
        at,
        event,
      }))
    },
  }
}

interface PiState {
  readonly tree: EntryTree
  readonly nodes: PiNodes
}

interface PiLine {
  readonly entry: ForeignObject
  readonly at: number
  onNote(message: string): void
}

/** The events of one entry; moves the head to it. */
function convertLine({ tree, nodes }: PiState, { entry, at, onNote: addNote }: PiLine): AgentEvent[] {
  const foreignId = typeof entry['id'] === 'string' ? entry['id'] : undefined
  const parentId = parentOf(entry, tree, addNote)
  if (foreignId !== undefined && tree.find(foreignId) !== undefined)
    addNote('its id was used before; from here on it means this entry')
  const context: PiContext = { ...nodes, tree, at, parentId, entryId: tree.freshId(), addNote }
  const moved: AgentEvent[] = parentId === tree.head ? [] : [{ type: 'head_moved', entryId: parentId }]
  const [event, rest] = eventOf(entry, context)
  if (event === undefined || !('parentId' in event)) tree.addOther(parentId, foreignId)
  else {
    tree.addNode(event.entryId, parentId, foreignId)
    nodes.add(event.entryId, parentId, event)
  }
  if (event === undefined) return moved
  const start = event.type === 'message_end' ? [messageStart(event)] : []
  return [...moved, ...start, event, ...remainingFields(rest, event, addNote)]
}

function parentOf({ id, parentId }: ForeignObject, tree: EntryTree, addNote: PiLine['onNote']): string | null {
  if (parentId === null) return null
  const position = typeof parentId === 'string' && parentId !== id ? tree.find(parentId) : undefined
  if (position !== undefined) return position.entryId
  addNote('the entry that it follows is not in the file before it; it now follows the last imported entry')
  return tree.head
}

/** Its event, if there is one, and the fields that the event does not hold. */
function eventOf(entry: ForeignObject, context: PiContext): [AgentEvent | undefined, object] {
  if (entry['type'] === 'custom' && entry['customType'] === customTypes.head) return [undefined, {}]
  const converted = piEntry(entry, context)
  if (converted === undefined) return [undefined, {}]
  const checked = checkEvent(converted.event)
  if (!checked.ok) {
    context.addNote(`it is invalid: ${checked.problem}; it was left out`)
    return [undefined, {}]
  }
  const known = ['type', 'id', 'parentId', 'timestamp', ...converted.fields]
  const rest = Object.entries(entry).filter(([name, value]) => !known.includes(name) && value !== undefined)
  return [checked.value, Object.fromEntries(rest)]
}

function remainingFields(fields: object, event: AgentEvent, addNote: PiLine['onNote']): AgentEvent[] {
  const names = Object.keys(fields)
  if (names.length === 0) return []
  addNote(`fields unknown to rxpi were stored as data: ${names.slice(0, 10).join(', ')}`)
  const entry = 'parentId' in event ? { entryId: event.entryId } : {}
  return [{ type: 'custom', customType: customTypes.piFields, data: { ...entry, type: event.type, fields } }]
}

/**
 * Assigns an id and the previous entry as parent to each entry of a file of version 1, called in order: entries of a
 * linear file have no ids, and each follows the one before it.
 */
function linearIds(): (entry: ForeignObject) => ForeignObject {
  const ids = ['#0'] // the header, which is entry 0
  return (entry) => {
    const parentId = ids.length === 1 ? null : ids.at(-1)
    const id = `#${ids.length}`
    ids.push(id)
    const { firstKeptEntryIndex: index, ...rest } = entry
    if (entry['type'] !== 'compaction' || typeof index !== 'number') return { ...entry, id, parentId }
    return { ...rest, firstKeptEntryId: ids[index], id, parentId }
  }
}

/** The `message_start` before this end, like that of a streamed message: with all fields but the content. */
function messageStart({ entryId, parentId, message }: EventNamed<'message_end'>): EventNamed<'message_start'> {
  return { type: 'message_start', entryId, parentId, message: openingMessage(message) }
}

function openingMessage(message: Message): Message {
  const { timestamp } = message
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [], timestamp }
    case 'assistant': {
      const { role, api, provider, model } = message
      return { role, content: [], api, provider, model, usage: noUsage, stopReason: 'stop', timestamp }
    }
    case 'toolResult': {
      const { role, toolCallId, toolName, isError } = message
      return { role, toolCallId, toolName, content: [], isError, timestamp }
    }
    default:
      return { role: (message as Message).role, timestamp } as unknown as Message // a custom role: its schema requires no more
  }
}

// Facts about imported nodes that later entries need: tokens on the path, and the message without its content.

interface PiNodes {
  add(entryId: string, parentId: string | null, event: AgentEvent): void
  /** Estimated tokens from the first message to this node. */
  tokensTo(entryId: string | null): number
  /** Without content and details; undefined if that node is not a message. */
  shellOf(entryId: string): object | undefined
}

function piNodes(): PiNodes {
  const tokens = new Map<string, number>()
  const shells = new Map<string, object>()
  const tokensTo = (entryId: string | null): number => (entryId === null ? 0 : (tokens.get(entryId) ?? 0))
  return {
    add: (entryId, parentId, event) => {
      const message = event.type === 'message_end' ? event.message : undefined
      tokens.set(entryId, tokensTo(parentId) + (message === undefined ? 0 : estimateTokens(message)))
      if (message !== undefined) shells.set(entryId, shellMessage(message))
    },
    tokensTo,
    shellOf: (entryId) => shells.get(entryId),
  }
}

const noModel = { id: 'none', provider: 'none', api: 'none', inputs: [], reasoning: false }
const estimate = tokenEstimate({ system: '', tools: [], messages: [], model: noModel })
const modelRoles = new Set<string>(['user', 'assistant', 'toolResult'])

function estimateTokens(message: Message): number {
  return modelRoles.has(message.role) ? estimate(message) : 0
}

function shellMessage(message: Message): object {
  const { content, details, ...rest } = message as Message & { readonly details?: unknown }
  return rest
}
