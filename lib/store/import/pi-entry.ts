// One entry of a pi session as an event of ours: a node of the tree, or something that happened at one.
import { thinkingLevels } from '../../streams/models/model.ts'
import { customTypes } from './custom-types.ts'
import type { ForeignObject } from './foreign-values.ts'
import { isForeignObject, shownValue } from './foreign-values.ts'
import { isPiMessage, piMessage } from './pi-message.ts'
import type { EntryTree } from './build-entry-tree.ts'

type Convert = (entry: ForeignObject, context: PiContext) => PiConverted | undefined

/** By the entry's `type`; one that is not here is kept as data. */
export function piEntry(entry: ForeignObject, context: PiContext): PiConverted | undefined {
  const type = String(entry['type'])
  return Object.hasOwn(conversions, type) ? conversions[type]?.(entry, context) : convertUnknown(entry, context)
}

const conversions: Readonly<Record<string, Convert | undefined>> = {
  message: (entry, context) => {
    const { message } = entry
    if (!isPiMessage(message)) return leaveOut(context, 'it holds no message')
    return { event: messageEnd(piMessage(message, context.at, context.tell), context), fields: ['message'] }
  },
  custom_message: ({ customType, content, display, details }, context) => ({
    event: messageEnd({ role: 'custom', customType, content, display, details, timestamp: context.at }, context),
    fields: ['customType', 'content', 'display', 'details'],
  }),
  compaction: piCompaction,
  branch_summary: piCompaction,
  model_change: ({ provider, modelId }, context) => {
    if (typeof provider !== 'string' || typeof modelId !== 'string') return leaveOut(context, 'it names no model')
    return { event: { type: 'model_change', to: `${provider}/${modelId}` }, fields: ['provider', 'modelId'] }
  },
  thinking_level_change: ({ thinkingLevel }, context) => {
    const level = thinkingLevels.find((known) => known === thinkingLevel) ?? mapHigherLevel(thinkingLevel, context)
    const fields = ['thinkingLevel']
    return level === undefined ? undefined : { event: { type: 'thinking_level_change', to: level }, fields }
  },
  label: ({ targetId, label }, context) => {
    const targetEntryId = findTarget(targetId, context)
    if (targetEntryId === undefined)
      return leaveOut(context, 'its label is for an entry that is not in the file before it')
    return { event: { type: 'label', targetEntryId, label: label ?? null }, fields: ['targetId', 'label'] }
  },
  session_info: ({ name }) => ({ event: { type: 'session_info_change', to: { title: name ?? '' } }, fields: ['name'] }),
  context_edit: ({ targetId, replacement }, context) => {
    const targetEntryId = findTarget(targetId, context)
    const shell = targetEntryId === undefined ? undefined : context.shellOf(targetEntryId)
    if (shell === undefined) return leaveOut(context, 'it edits a message that is not in the file before it')
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

/** A message of another role was exported as data, and is one again. */
const modelRoles = new Set<unknown>(['user', 'assistant', 'toolResult'])

function messageEnd(message: object, { entryId, parentId }: PiContext): PiConverted['event'] {
  return { type: 'message_end', entryId, parentId, message }
}

/** pi knows one level more than we do. */
function mapHigherLevel(level: unknown, { tell: addNote }: PiContext): 'xhigh' | undefined {
  const instead = level === 'max' ? 'xhigh' : undefined
  addNote(
    `the thinking level ${shownValue(level)} is not one of ours; ${instead === undefined ? 'the change was left out' : `it became "${instead}"`}`,
  )
  return instead
}

/** The node that an entry is or stands behind. */
function findTarget(foreignId: unknown, { tree, tell: addNote }: PiContext): string | undefined {
  const position = typeof foreignId === 'string' ? tree.find(foreignId) : undefined
  if (position === undefined || position.entryId === null) return undefined
  if (!position.isNode) addNote('what it names is no entry of our tree; the message before that stands for it')
  return position.entryId
}

function convertEdit(shell: object, { content }: ForeignObject, { at, tell: addNote }: PiContext): object {
  return piMessage({ ...shell, content }, at, addNote)
}

function convertUnknown(entry: ForeignObject, { tell: addNote }: PiContext): PiConverted {
  addNote(`entries of type ${shownValue(entry['type'])} have no place in a session of ours; it was kept as data`)
  return asCustomData(customTypes.piUnknown, entry)
}

function asCustomData(customType: string, { id, parentId, timestamp, ...data }: ForeignObject): PiConverted {
  return { event: { type: 'custom', customType, data }, fields: Object.keys(data) }
}

function leaveOut({ tell: addNote }: PiContext, problem: string): PiConverted | undefined {
  addNote(`${problem}; it was left out`)
  return undefined
}

// What the conversion of one entry of a pi session is given, and what it gives.

/** What a conversion may ask of what was read before. */
export interface PiContext {
  readonly tree: EntryTree
  /** When the entry was made, Unix milliseconds. */
  readonly at: number
  /** The node that the entry stands behind. */
  readonly parentId: string | null
  /** Our id of the entry, where it becomes a node. */
  readonly entryId: string
  /** Tokens from the first message to this node, guessed. */
  tokensTo(entryId: string | null): number
  /** A message without its content; undefined where that entry is no message. */
  shellOf(entryId: string): object | undefined
  /** Told what does not stay what it is. */
  tell(message: string): void
}

/** An event to be checked by its schema. Undefined: nothing of the entry is left, and `tell` said why. */
export interface PiConverted {
  readonly event: ForeignObject & { readonly type: string }
  /** Fields of the entry that the event holds; all others are kept as data beside it. */
  readonly fields: readonly string[]
}

// Compactions and branch summaries of a pi session: nodes of the tree that stand for what came before or aside.

const charactersPerToken = 4

/** Either entry as its event; the tokens that pi does not tell are guessed from characters. */
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
      ...common(entry, context, { before: entry['tokensBefore'] ?? all, after: all - before }),
      type: 'compaction',
      firstKeptEntryId: firstId,
    },
    fields: ['summary', 'tokensBefore', 'firstKeptEntryId', ...ownDetails(entry)],
  }
}

function branchSummary(entry: ForeignObject, context: PiContext): PiConverted {
  const { entryId, parentId, tree, tokensTo, tell: addNote } = context
  const left = typeof entry['fromId'] === 'string' ? (tree.find(entry['fromId'])?.entryId ?? null) : null
  if (left === null) addNote('the branch that it sums up is not in the file before it')
  const before = Math.max(0, tokensTo(left) - tokensTo(parentId))
  return {
    event: {
      ...common(entry, context, { before, after: 0 }),
      type: 'branch_summary',
      fromEntryId: left ?? parentId ?? entryId,
    },
    fields: ['summary', 'fromId', ...ownDetails(entry)],
  }
}

function common(
  entry: ForeignObject,
  { entryId, parentId }: PiContext,
  tokens: { readonly before: unknown; readonly after: number },
): object {
  const summary = typeof entry['summary'] === 'string' ? entry['summary'] : ''
  const tokensAfter = tokens.after + Math.ceil(summary.length / charactersPerToken)
  const details = ownDetails(entry).length === 0 ? {} : { details: entry['details'] }
  return { entryId, parentId, summary, tokensBefore: tokens.before, tokensAfter, ...details }
}

/** pi's own summaries list files like ours; what an extension noted is kept as data. */
function ownDetails({ details }: ForeignObject): string[] {
  if (!isForeignObject(details)) return []
  const isList = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string')
  return isList(details['readFiles']) && isList(details['modifiedFiles']) ? ['details'] : []
}

/** pi keeps nothing where the compaction names itself, and may name an entry that is no node of ours: the next one is. */
function findFirstEntry(
  foreignId: unknown,
  ownId: unknown,
  { tree, parentId, tell: addNote }: PiContext,
): string | null {
  if (foreignId === ownId && foreignId !== undefined) return null
  const position = typeof foreignId === 'string' ? tree.find(foreignId) : undefined
  const firstId = position?.isNode === false ? tree.after(position.entryId, parentId) : position?.entryId
  if (firstId === undefined || firstId === null)
    addNote('the first message that it keeps is not in the file before it; it keeps none')
  return firstId ?? null
}
