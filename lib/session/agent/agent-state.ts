// Reads an agent's state from its session's folded state.
import { transcript } from '../../streams/state/fold-session.ts'
import type { QueuedInput } from '../../streams/state/fold-session.ts'
import type { AssistantMessage, Message, Usage } from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'
import type { ThinkingLevel } from '../../streams/models/model.ts'
import type { Session } from '../contract/session.ts'

export interface AgentState {
  /** What the next request goes to. */
  readonly model: Model
  readonly thinkingLevel: ThinkingLevel
  /** Names of the active tools. */
  readonly tools: readonly string[]
  /** From the conversation's beginning to its head, oldest first; made when it is read, the same list while nothing is added. */
  readonly messages: readonly Message[]
  /** True from `agent_start` to `agent_settled`. */
  readonly isStreaming: boolean
  /** The answer that is open, with what has arrived of it. */
  readonly streamingMessage?: AssistantMessage
  /** Ids of the tool calls that run. */
  readonly pendingToolCalls: ReadonlySet<string>
  /** What waits, steering and follow-ups, oldest first. */
  readonly queue: readonly QueuedInput[]
  /** Of all runs of the session. */
  readonly usage: Usage
  /** Why the last run ended in an error; absent if it did not, and while one is on. */
  readonly errorMessage?: string
}

/** Reads a session's state each time it is asked. */
export function agentState(session: Session): () => AgentState {
  let known: { readonly head: string | null; readonly messages: readonly Message[] } | undefined
  return () => {
    const state = session.state$.value
    const { open, running, lastEnd } = state
    const errorMessage = running === undefined ? lastEnd?.error?.message : undefined
    return {
      model: session.model,
      thinkingLevel: session.thinkingLevel,
      tools: session.activeTools.map(({ name }) => name),
      get messages() {
        known = known?.head === state.headEntryId ? known : { head: state.headEntryId, messages: transcript(state) }
        return known.messages
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
