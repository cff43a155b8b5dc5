// Converts one entry of a pi session to an event of rxpi: a tree node, or a change at one.
import { thinkingLevels } from '../../streams/models/model.ts'
import { customTypes } from './custom-types.ts'
import type { ForeignObject } from './foreign-values.ts'
import { isForeignObject, shownValue } from './foreign-values.ts'
import { isPiMessage, piMessage } from './pi-message.ts'
import type { EntryTree } from './build-entry-tree.ts'

type Convert = (entry: ForeignObject, context: PiContext) => PiConverted | undefined

/** By the entry's `type`; other types are stored as data. */
export function piEntry(entry: ForeignObject, context: PiContext): PiConverted | undefined {
  const type = String(entry['type'])
  return Object.hasOwn(conversions, type) ? conversions[type]?.(entry, context) : convertUnknown(entry, context)
}

const conversions: Readonly<Record<string, Convert | undefined>> = {
  message: (entry, context) => {
    const { message } = entry
    if (!isPiMessage(message)) return omit(context, 'it holds no message')
    return { event: messageEnd(piMessage(message, context.at, context.addNote), context), fields: ['message'] }
  },
  custom_message: ({ customType, content, display, details }, context) => ({
    event: messageEnd({ role: 'custom', customType, content, display, details, timestamp: context.at }, context),
    fields: ['customType', 'content', 'display', 'details'],
  }),
  compaction: piCompaction,
  branch_summary: piCompaction,
  model_change: ({ provider, modelId, model, role = 'default' }, context) => {
    if (typeof model === 'string' && role === 'default')
      return { event: { type: 'model_change', to: model }, fields: ['model', 'role'] }
    if (typeof provider !== 'string' || typeof modelId !== 'string') return omit(context, 'it names no model')
    return { event: { type: 'model_change', to: `${provider}/${modelId}` }, fields: ['provider', 'modelId'] }
  },
  thinking_level_change: ({ thinkingLevel }, context) => {
    const level = thinkingLevels.find((known) => known === thinkingLevel) ?? mapHigherLevel(thinkingLevel, context)
    const fields = ['thinkingLevel']
    return level === undefined ? undefined : { event: { type: 'thinking_level_change', to: level }, fields }
  },
  label: ({ targetId, label }, context) => {
    const targetEntryId = findTarget(targetId, context)
    if (targetEntryId === undefined) return omit(context, 'its label is for an entry that is not in the file before it')
    return { event: { type: 'label', targetEntryId, label: label ?? null }, fields: ['targetId', 'label'] }
  },
  title_change: ({ title }) => ({
    event: { type: 'session_info_change', to: { title: title ?? '' } },
    fields: ['title'],
  }),
  session_info: ({ name }) => ({ event: { type: 'session_info_change', to: { title: name ?? '' } }, fields: ['name'] }),
  context_edit: ({ targetId, replacement }, context) => {
    const targetEntryId = findTarget(targetId, context)
    const shell = targetEntryId === undefined ? undefined : context.shellOf(targetEntryId)
    if (shell === undefined) return omit(context, 'it edits a message that is not in the file before it')
    const edited = isForeignObject(replacement) ? convertEdit(shell, replacement, context) : null
    return { event: { type: 'context_edit', targetEntryId, replacement: edited }, fields: ['targetId', 'replacement'] }
  },
  custom: ({ customType, data }, context) => {
    const own = customType === customTypes.message && isPiMessage(data) && !modelRoles.has(data['role'])
    const event = own ? messageEnd(data, context) : { type: 'custom', customType, data: data ?? null }
    return { event, fields: ['customType', 'data'] }
  },
  usage: (entry) => asCustomData(customTypes.piUsage, entry),
}

/** A message of a custom role, exported as data, becomes a message again. */
const modelRoles = new Set<unknown>(['user', 'assistant', 'toolResult'])

function messageEnd(message: object, { entryId, parentId }: PiContext): PiConverted['event'] {
  return { type: 'message_end', entryId, parentId, message }
}

/** pi has one more level. */
function mapHigherLevel(level: unknown, { addNote }: PiContext): 'xhigh' | undefined {
  const instead = level === 'max' ? 'xhigh' : undefined
  addNote(
    `the thinking level ${shownValue(level)} is unknown to rxpi; ${instead === undefined ? 'the change was left out' : `it became "${instead}"`}`,
  )
  return instead
}

/** The node that the entry is or follows. */
function findTarget(foreignId: unknown, { tree, addNote }: PiContext): string | undefined {
  const position = typeof foreignId === 'string' ? tree.find(foreignId) : undefined
  if (position === undefined || position.entryId === null) return undefined
  if (!position.isNode) addNote('what it names is not an entry of the tree; the message before it is used instead')
  return position.entryId
}

function convertEdit(shell: object, { content }: ForeignObject, { at, addNote }: PiContext): object {
  return piMessage({ ...shell, content }, at, addNote)
}

function convertUnknown(entry: ForeignObject, { addNote }: PiContext): PiConverted {
  addNote(`entries of type ${shownValue(entry['type'])} do not exist in rxpi; it was stored as data`)
  return asCustomData(customTypes.piUnknown, entry)
}

function asCustomData(customType: string, { id, parentId, timestamp, ...data }: ForeignObject): PiConverted {
  return { event: { type: 'custom', customType, data }, fields: Object.keys(data) }
}

function omit({ addNote }: PiContext, problem: string): PiConverted | undefined {
  addNote(`${problem}; it was left out`)
  return undefined
}

// Input and output of the conversion of one entry.

/** Access to entries read before. */
export interface PiContext {
  readonly tree: EntryTree
  /** Time of the entry, Unix milliseconds. */
  readonly at: number
  /** The node that the entry follows. */
  readonly parentId: string | null
  /** Id of the entry in rxpi, if it becomes a node. */
  readonly entryId: string
  /** Estimated tokens from the first message to this node. */
  tokensTo(entryId: string | null): number
  /** A message without its content; undefined if that entry is not a message. */
  shellOf(entryId: string): object | undefined
  /** Reports a change made by the conversion. */
  addNote(message: string): void
}

/** An event to check against its schema. Undefined: the entry is dropped, and `addNote` got the reason. */
export interface PiConverted {
  readonly event: ForeignObject & { readonly type: string }
  /** Fields of the entry that the event holds; all others are stored as data beside it. */
  readonly fields: readonly string[]
}

// Compactions and branch summaries of pi: nodes that replace earlier or other messages.

const charactersPerToken = 4

/** Either entry as its event; missing token counts are estimated from characters. */
function piCompaction(entry: ForeignObject, context: PiContext): PiConverted {
  return entry['type'] === 'compaction' ? compaction(entry, context) : branchSummary(entry, context)
}

function compaction(entry: ForeignObject, context: PiContext): PiConverted {
  const { parentId, tokensTo } = context
  const firstId = findFirstEntry(entry['firstKeptEntryId'], entry['id'], context)
  const all = tokensTo(parentId)
  const before = firstId === null ? all : tokensTo(firstId)
  return {
    event: {
      ...commonFields(entry, context, { before: entry['tokensBefore'] ?? all, after: all - before }),
      type: 'compaction',
      firstKeptEntryId: firstId,
    },
    fields: ['summary', 'tokensBefore', 'firstKeptEntryId', ...ownDetails(entry)],
  }
}

function branchSummary(entry: ForeignObject, context: PiContext): PiConverted {
  const { entryId, parentId, tree, tokensTo, addNote } = context
  const left = typeof entry['fromId'] === 'string' ? (tree.find(entry['fromId'])?.entryId ?? null) : null
  if (left === null) addNote('the branch that it summarises is not in the file before it')
  const before = Math.max(0, tokensTo(left) - tokensTo(parentId))
  return {
    event: {
      ...commonFields(entry, context, { before, after: 0 }),
      type: 'branch_summary',
      fromEntryId: left ?? parentId ?? entryId,
    },
    fields: ['summary', 'fromId', ...ownDetails(entry)],
  }
}

function commonFields(
  entry: ForeignObject,
  { entryId, parentId }: PiContext,
  tokens: { readonly before: unknown; readonly after: number },
): object {
  const summary = typeof entry['summary'] === 'string' ? entry['summary'] : ''
  const tokensAfter = tokens.after + Math.ceil(summary.length / charactersPerToken)
  const details = ownDetails(entry).length === 0 ? {} : { details: entry['details'] }
  return { entryId, parentId, summary, tokensBefore: tokens.before, tokensAfter, ...details }
}

/** pi's own summaries list files like rxpi's; notes of an extension are stored as data. */
function ownDetails({ details }: ForeignObject): string[] {
  if (!isForeignObject(details)) return []
  const isList = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string')
  return isList(details['readFiles']) && isList(details['modifiedFiles']) ? ['details'] : []
}

/**
 * In pi a compaction that keeps nothing names itself, and may name an entry that is not a node: then the next node
 * counts.
 */
function findFirstEntry(foreignId: unknown, ownId: unknown, { tree, parentId, addNote }: PiContext): string | null {
  if (foreignId === ownId && foreignId !== undefined) return null
  const position = typeof foreignId === 'string' ? tree.find(foreignId) : undefined
  const firstId = position?.isNode === false ? tree.after(position.entryId, parentId) : position?.entryId
  if (firstId === undefined || firstId === null)
    addNote('the first message that it keeps is not in the file before it; it keeps none')
  return firstId ?? null
}
