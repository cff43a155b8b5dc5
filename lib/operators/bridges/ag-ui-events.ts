// Declares the events of AG-UI that a session becomes, in the protocol's names and shapes (AG-UI 1.0).
import type { QueuedInput } from '../../streams/state/fold-inputs.ts'

/** The tokens of a run, as AG-UI counts them: input includes what a cache served. */
export interface AgUiUsage {
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
  readonly totalTokens: number
  readonly reasoningTokens?: number
  readonly cachedInputTokens: number
  readonly cacheWriteInputTokens: number
}

/** A question that is open when the run pauses. */
export interface AgUiInterrupt {
  /** The `requestId` that answers it. */
  readonly id: string
  /** The kind of the question: `approval`, `confirm`, `select`, `form` … */
  readonly reason: string
  readonly message?: string
  readonly toolCallId?: string
  /** JSON Schema of a form's values. */
  readonly responseSchema?: Readonly<Record<string, unknown>>
  /** The question's other fields: `options`, `choices`, `pattern`, `diff`, `url` … */
  readonly metadata?: Readonly<Record<string, unknown>>
}

export type AgUiOutcome =
  | { readonly type: 'success'; readonly pendingToolCallIds?: readonly string[] }
  | { readonly type: 'interrupt'; readonly interrupts: readonly AgUiInterrupt[] }
  | { readonly type: 'cancelled' }

/** One operation of JSON Patch (RFC 6902); `add` replaces a member that is there. */
export type JsonPatchOperation =
  | { readonly op: 'add'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

export type AgUiPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image'
      readonly source: { readonly type: 'data'; readonly value: string; readonly mimeType: string }
    }

type Metadata = { readonly metadata?: Readonly<Record<string, unknown>> }

/** An event of AG-UI; `event.type` narrows it. */
export type AgUiEvent =
  | { readonly type: 'RUN_STARTED'; readonly threadId: string; readonly runId: string; readonly parentRunId?: string }
  | {
      readonly type: 'RUN_FINISHED'
      readonly threadId: string
      readonly runId: string
      readonly outcome: AgUiOutcome
      readonly usage?: readonly AgUiUsage[]
    }
  | {
      readonly type: 'RUN_ERROR'
      readonly message: string
      readonly code: string
      readonly usage?: readonly AgUiUsage[]
    }
  | { readonly type: 'STEP_STARTED' | 'STEP_FINISHED'; readonly stepName: string }
  | ({
      readonly type: 'TEXT_MESSAGE_START'
      readonly messageId: string
      readonly role: 'user' | 'assistant'
    } & Metadata)
  | { readonly type: 'TEXT_MESSAGE_CONTENT'; readonly messageId: string; readonly delta: string }
  | { readonly type: 'TEXT_MESSAGE_END'; readonly messageId: string }
  | { readonly type: 'REASONING_START' | 'REASONING_END' | 'REASONING_MESSAGE_END'; readonly messageId: string }
  | { readonly type: 'REASONING_MESSAGE_START'; readonly messageId: string; readonly role: 'reasoning' }
  | { readonly type: 'REASONING_MESSAGE_CONTENT'; readonly messageId: string; readonly delta: string }
  | {
      readonly type: 'TOOL_CALL_START'
      readonly toolCallId: string
      readonly toolCallName: string
      readonly parentMessageId: string
    }
  | { readonly type: 'TOOL_CALL_ARGS'; readonly toolCallId: string; readonly delta: string }
  | { readonly type: 'TOOL_CALL_END'; readonly toolCallId: string }
  | ({
      readonly type: 'TOOL_CALL_RESULT'
      readonly messageId: string
      readonly toolCallId: string
      readonly content: string | readonly AgUiPart[]
      readonly role: 'tool'
    } & Metadata)
  | { readonly type: 'STATE_SNAPSHOT'; readonly snapshot: AgUiState }
  | { readonly type: 'STATE_DELTA'; readonly delta: readonly JsonPatchOperation[] }
  | { readonly type: 'CUSTOM'; readonly name: string; readonly value: unknown }

/** State of a front end beside the conversation. A member is absent until an event sets it. */
export interface AgUiState {
  /** `provider/id`. */
  readonly model?: string
  readonly thinkingLevel?: string
  readonly tools?: readonly string[]
  readonly approvalMode?: string
  readonly scenario?: string
  /** The session's title and other values of `set_session_info`. */
  readonly info?: Readonly<Record<string, unknown>>
  readonly plan?: readonly { readonly id: string; readonly text: string; readonly state: string }[]
  /** Texts that wait for their turn, in order. */
  readonly queue: readonly QueuedInput[]
  /** Open questions, in order. */
  readonly questions: readonly AgUiInterrupt[]
}
