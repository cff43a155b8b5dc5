// Builds a session's tree for clients: one flat list of nodes, each text cut to one line.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { previewStart } from '../values/display-text.ts'
import { receivedOf, summarisedIds } from './received-messages.ts'
import { path } from './fold-session.ts'
import type { Entry, SessionState, SummaryNode } from './fold-session.ts'
import { Count, ShortId, Timestamp } from '../values/identifiers.ts'
import { innerCalls } from '../messages/inner-call.ts'
import type { Message } from '../messages/message.ts'
import { foldMentions } from '../messages/mentions.ts'
import { displayText } from '../messages/message-text.ts'
import { nullable } from '../schema/schema-helpers.ts'

export const TreeNode = Type.Object(
  {
    entryId: ShortId,
    /** Null for a root. A node whose parent is missing is a root too. */
    parentId: nullable(ShortId),
    /** The message's role, or `compaction` or `branch_summary`. */
    role: Type.String(),
    /** Start of its text, or in brackets why it failed; '' if it has neither. */
    firstWords: Type.String(),
    /** The tools that an answer called; for a result, its tool. */
    tools: Type.Optional(Type.Array(Type.String())),
    at: Timestamp,
    /** Its `seq`. */
    seq: Count,
    label: Type.Optional(Type.String()),
    /** Kept through compactions. */
    pinned: Type.Optional(Type.Boolean()),
    /** Set if the model does not receive the message: `summarised`, `hidden` or `replaced`. */
    received: Type.Optional(Type.String()),
    isHead: Type.Boolean(),
    /** True on the path from the root to the head. */
    isOnBranch: Type.Boolean(),
  },
  { $id: 'TreeNode' },
)
export type TreeNode = Static<typeof TreeNode>

/** All nodes in log order. */
export function sessionTree(state: SessionState): TreeNode[] {
  const onBranch = new Set(path(state, state.headEntryId))
  const summarised = summarisedIds(state)
  const positionOf = (entryId: string) => {
    const label = state.labels.get(entryId)
    const received = receivedOf(state, entryId, summarised)
    return {
      ...(state.pins.has(entryId) ? { pinned: true } : {}),
      ...(received === undefined ? {} : { received }),
      isHead: entryId === state.headEntryId,
      isOnBranch: onBranch.has(entryId),
      ...(label === undefined ? {} : { label }),
    }
  }
  const nodes = [
    ...[...state.entries.values()].map((entry) => ({ ...entryNode(entry), ...positionOf(entry.entryId) })),
    ...[...state.summaries.values()].map((node) => ({ ...summaryNode(node), ...positionOf(node.event.entryId) })),
  ]
  return nodes.sort((one, other) => one.seq - other.seq)
}

type WithoutPosition = Omit<TreeNode, 'isHead' | 'isOnBranch' | 'label' | 'pinned' | 'received'>

function entryNode({ entryId, parentId, message, seq }: Entry): WithoutPosition {
  const tools = toolsOf(message)
  return {
    entryId,
    parentId,
    role: message.role,
    firstWords: previewStart(wordsOf(message) || endOf(message)),
    ...(tools.length === 0 ? {} : { tools }),
    at: message.timestamp,
    seq,
  }
}

function wordsOf(message: Message): string {
  const text = displayText(message)
  return message.role === 'user' ? foldMentions(text) : text
}

/** Of an answer without text. */
function endOf(message: Message): string {
  if (message.role !== 'assistant') return ''
  const { errorMessage, stopReason } = message
  if (errorMessage !== undefined) return `[${errorMessage}]`
  return stopReason === 'aborted' ? '[aborted]' : ''
}

function toolsOf(message: Message): string[] {
  if (message.role === 'toolResult') return [message.toolName]
  if (message.role !== 'assistant') return []
  return innerCalls(message.content).map(({ name }) => name)
}

function summaryNode({ parentId, event, seq, at }: SummaryNode): WithoutPosition {
  return { entryId: event.entryId, parentId, role: event.type, firstWords: previewStart(event.summary), at, seq }
}
