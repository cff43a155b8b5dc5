// What later entries ask of nodes that were imported before: how long the way to them is, and what a message was but for its content.
import type { AgentEvent } from '../../streams/events/event.ts'
import type { Message } from '../../streams/messages/message.ts'
import { tokenEstimate } from '../../streams/ports/token-estimate.ts'

export interface PiNodes {
  add(entryId: string, parentId: string | null, event: AgentEvent): void
  /** Tokens from the first message to this node, guessed. */
  tokensTo(entryId: string | null): number
  /** Without content and details; undefined where that node is no message. */
  shellOf(entryId: string): object | undefined
}

export function piNodes(): PiNodes {
  const tokens = new Map<string, number>()
  const shells = new Map<string, object>()
  const tokensTo = (entryId: string | null): number => (entryId === null ? 0 : (tokens.get(entryId) ?? 0))
  return {
    add: (entryId, parentId, event) => {
      const message = event.type === 'message_end' ? event.message : undefined
      tokens.set(entryId, tokensTo(parentId) + (message === undefined ? 0 : guessed(message)))
      if (message !== undefined) shells.set(entryId, shell(message))
    },
    tokensTo,
    shellOf: (entryId) => shells.get(entryId),
  }
}

const noModel = { id: 'none', provider: 'none', api: 'none', inputs: [], reasoning: false }
const estimate = tokenEstimate({ system: '', tools: [], messages: [], model: noModel })
const toldToModels = new Set<string>(['user', 'assistant', 'toolResult'])

function guessed(message: Message): number {
  return toldToModels.has(message.role) ? estimate(message) : 0
}

function shell(message: Message): object {
  const { content, details, ...rest } = message as Message & { readonly details?: unknown }
  return rest
}
