// One entry of a pi session as an event of ours: a node of the tree, or something that happened at one.
import { thinkingLevels } from '../../streams/models/thinking-level.ts'
import { customTypes } from './custom-types.ts'
import type { ForeignObject } from './foreign-object.ts'
import { isForeignObject } from './foreign-object.ts'
import type { PiContext, PiConverted } from './pi-context.ts'
import { isPiMessage, piMessage } from './pi-message.ts'
import { piCompaction } from './pi-summary.ts'
import { shownValue } from './shown-value.ts'

type Convert = (entry: ForeignObject, context: PiContext) => PiConverted | undefined

/** By the entry's `type`; one that is not here is kept as data. */
export function piEntry(entry: ForeignObject, context: PiContext): PiConverted | undefined {
  const type = String(entry['type'])
  return Object.hasOwn(conversions, type) ? conversions[type]?.(entry, context) : kept(entry, context)
}

const conversions: Readonly<Record<string, Convert | undefined>> = {
  message: (entry, context) => {
    const { message } = entry
    if (!isPiMessage(message)) return untaken(context, 'it holds no message')
    return { event: messageEnd(piMessage(message, context.at, context.tell), context), fields: ['message'] }
  },
  custom_message: ({ customType, content, display, details }, context) => ({
    event: messageEnd({ role: 'custom', customType, content, display, details, timestamp: context.at }, context),
    fields: ['customType', 'content', 'display', 'details'],
  }),
  compaction: piCompaction,
  branch_summary: piCompaction,
  model_change: ({ provider, modelId }, context) => {
    if (typeof provider !== 'string' || typeof modelId !== 'string') return untaken(context, 'it names no model')
    return { event: { type: 'model_change', to: `${provider}/${modelId}` }, fields: ['provider', 'modelId'] }
  },
  thinking_level_change: ({ thinkingLevel }, context) => {
    const level = thinkingLevels.find((known) => known === thinkingLevel) ?? higher(thinkingLevel, context)
    const fields = ['thinkingLevel']
    return level === undefined ? undefined : { event: { type: 'thinking_level_change', to: level }, fields }
  },
  label: ({ targetId, label }, context) => {
    const targetEntryId = target(targetId, context)
    if (targetEntryId === undefined)
      return untaken(context, 'its label is for an entry that is not in the file before it')
    return { event: { type: 'label', targetEntryId, label: label ?? null }, fields: ['targetId', 'label'] }
  },
  session_info: ({ name }) => ({ event: { type: 'session_info_change', to: { title: name ?? '' } }, fields: ['name'] }),
  context_edit: ({ targetId, replacement }, context) => {
    const targetEntryId = target(targetId, context)
    const shell = targetEntryId === undefined ? undefined : context.shellOf(targetEntryId)
    if (shell === undefined) return untaken(context, 'it edits a message that is not in the file before it')
    const edited = isForeignObject(replacement) ? edit(shell, replacement, context) : null
    return { event: { type: 'context_edit', targetEntryId, replacement: edited }, fields: ['targetId', 'replacement'] }
  },
  custom: ({ customType, data }, context) => {
    const own = customType === customTypes.message && isPiMessage(data) && !modelRoles.has(data['role'])
    const event = own ? messageEnd(data, context) : { type: 'custom', customType, data: data ?? null }
    return { event, fields: ['customType', 'data'] }
  },
  usage: (entry) => keptAs(customTypes.piUsage, entry),
}

/** A message of another role was exported as data, and is one again. */
const modelRoles = new Set<unknown>(['user', 'assistant', 'toolResult'])

function messageEnd(message: object, { entryId, parentId }: PiContext): PiConverted['event'] {
  return { type: 'message_end', entryId, parentId, message }
}

/** pi knows one level more than we do. */
function higher(level: unknown, { tell }: PiContext): 'xhigh' | undefined {
  const instead = level === 'max' ? 'xhigh' : undefined
  tell(
    `the thinking level ${shownValue(level)} is not one of ours; ${instead === undefined ? 'the change was left out' : `it became "${instead}"`}`,
  )
  return instead
}

/** The node that an entry is or stands behind. */
function target(foreignId: unknown, { tree, tell }: PiContext): string | undefined {
  const place = typeof foreignId === 'string' ? tree.find(foreignId) : undefined
  if (place === undefined || place.entryId === null) return undefined
  if (!place.isNode) tell('what it names is no entry of our tree; the message before that stands for it')
  return place.entryId
}

function edit(shell: object, { content }: ForeignObject, { at, tell }: PiContext): object {
  return piMessage({ ...shell, content }, at, tell)
}

function kept(entry: ForeignObject, { tell }: PiContext): PiConverted {
  tell(`entries of type ${shownValue(entry['type'])} have no place in a session of ours; it was kept as data`)
  return keptAs(customTypes.piUnknown, entry)
}

function keptAs(customType: string, { id, parentId, timestamp, ...data }: ForeignObject): PiConverted {
  return { event: { type: 'custom', customType, data }, fields: Object.keys(data) }
}

function untaken({ tell }: PiContext, problem: string): PiConverted | undefined {
  tell(`${problem}; it was left out`)
  return undefined
}
