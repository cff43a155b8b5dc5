// The used part of pi's `Agent`, as own types: rxpi depends neither on pi nor on its types.
import type { Type } from '@sinclair/typebox'
import type { ShownMessage } from './message-line.ts'

export interface PiMessage extends ShownMessage {
  readonly toolName?: string
}

export type PiAssistantEvent =
  | {
      readonly type: 'done' | 'error'
      readonly reason: string
      readonly message?: PiMessage
      readonly error?: PiMessage
    }
  | { readonly type: string; readonly contentIndex?: number; readonly delta?: string; readonly partial: PiMessage }

export type PiEvent =
  | { readonly type: 'agent_start' | 'agent_end' | 'turn_start' }
  | { readonly type: 'turn_end'; readonly message: PiMessage; readonly toolResults: readonly PiMessage[] }
  | { readonly type: 'message_start' | 'message_end'; readonly message: PiMessage }
  | {
      readonly type: 'message_update'
      readonly assistantMessageEvent: { type: string; contentIndex?: number; delta?: string }
    }
  | {
      readonly type: 'tool_execution_start'
      readonly toolCallId: string
      readonly toolName: string
      readonly args: unknown
    }
  | { readonly type: 'tool_execution_update'; readonly toolCallId: string; readonly partialResult: PiToolResult }
  | {
      readonly type: 'tool_execution_end'
      readonly toolCallId: string
      readonly result: PiToolResult
      readonly isError: boolean
    }

export interface PiToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[] | undefined
  readonly details: unknown
  readonly terminate?: boolean
}

export interface PiTool {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly parameters: unknown
  readonly executionMode?: 'sequential'
  prepareArguments?(args: unknown): Record<string, unknown>
  execute(
    id: string,
    args: Record<string, unknown>,
    signal: AbortSignal | undefined,
    update: (partial: PiToolResult) => void,
  ): Promise<PiToolResult>
}

export interface PiStream extends AsyncIterable<PiAssistantEvent> {
  result(): Promise<PiMessage>
}

export interface PiHookContext {
  readonly toolCall: { readonly id: string; readonly name: string }
  readonly args: Record<string, unknown>
}

export interface PiAgentOptions {
  readonly initialState: { readonly tools: readonly PiTool[] }
  readonly toolExecution: 'sequential' | 'parallel'
  readonly steeringMode: 'one-at-a-time' | 'all'
  readonly followUpMode: 'one-at-a-time' | 'all'
  streamFn(model: unknown, context: { messages: readonly PiMessage[] }, options: { signal: AbortSignal }): PiStream
  transformContext?(messages: readonly PiMessage[]): Promise<readonly PiMessage[]>
  beforeToolCall?(context: PiHookContext): Promise<{ block: true; reason: string } | undefined>
  afterToolCall?(context: PiHookContext): Promise<Partial<PiToolResult & { isError: boolean }> | undefined>
}

export interface PiAgent {
  readonly state: { messages: readonly PiMessage[]; readonly errorMessage?: string }
  steeringMode: 'one-at-a-time' | 'all'
  followUpMode: 'one-at-a-time' | 'all'
  clearAllQueues(): void
  subscribe(listener: (event: PiEvent) => void): () => void
  prompt(text: string): Promise<void>
  continue(): Promise<void>
  steer(message: PiMessage & { timestamp: number }): void
  followUp(message: PiMessage & { timestamp: number }): void
  abort(): void
  reset(): void
  waitForIdle(): Promise<void>
}

/** The used part of the module `@earendil-works/pi-agent-core`, and the TypeBox of pi's tools. */
export interface PiModule {
  readonly Type: typeof Type
  readonly Agent: new (options: PiAgentOptions) => PiAgent
}
