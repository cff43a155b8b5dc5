// Reads an agent's state from its session's folded state.
import { transcript } from '../../streams/state/fold-session.ts'
import type { QueuedInput } from '../../streams/state/fold-session.ts'
import type { AssistantMessage, Message, Usage } from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'
import type { ThinkingLevel } from '../../streams/models/model.ts'
import type { Session } from '../contract/session.ts'

export interface AgentState {
  /** The model of the next request. */
  readonly model: Model
  readonly thinkingLevel: ThinkingLevel
  /** Names of the active tools. */
  readonly tools: readonly string[]
  /** From the conversation's beginning to its head, oldest first. Built on access; the same list until a message is added. */
  readonly messages: readonly Message[]
  /** True from `agent_start` to `agent_settled`. */
  readonly isStreaming: boolean
  /** The open answer, as far as it has arrived. */
  readonly streamingMessage?: AssistantMessage
  /** Ids of the tool calls that run. */
  readonly pendingToolCalls: ReadonlySet<string>
  /** Queued steering and follow-ups, oldest first. */
  readonly queue: readonly QueuedInput[]
  /** Of all runs of the session. */
  readonly usage: Usage
  /** The error of the last run; absent if it had none, and during a run. */
  readonly errorMessage?: string
}

/** Returns a function that reads the session's state. */
export function agentState(session: Session): () => AgentState {
  let cached: { readonly head: string | null; readonly messages: readonly Message[] } | undefined
  return () => {
    const state = session.state$.value
    const { open, running, lastEnd } = state
    const errorMessage = running === undefined ? lastEnd?.error?.message : undefined
    return {
      model: session.model,
      thinkingLevel: session.thinkingLevel,
      tools: session.activeTools.map(({ name }) => name),
      get messages() {
        cached = cached?.head === state.headEntryId ? cached : { head: state.headEntryId, messages: transcript(state) }
        return cached.messages
      },
      isStreaming: running !== undefined,
      ...(open?.message.role === 'assistant' ? { streamingMessage: open.message } : {}),
      pendingToolCalls: new Set([...state.tools.values()].filter(isRunning).map(({ toolCallId }) => toolCallId)),
      queue: state.queue,
      usage: state.usage,
      ...(errorMessage === undefined ? {} : { errorMessage }),
    }
  }
}

function isRunning({ end }: { readonly end?: unknown }): boolean {
  return end === undefined
}
