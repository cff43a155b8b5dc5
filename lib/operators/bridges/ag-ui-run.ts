// Emits the AG-UI events of one run after another, and closes what is open when a run ends.
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { Message, ToolResultMessage, UserMessage } from '../../streams/messages/message.ts'
import { restoreResult } from '../../streams/log/line-event.ts'
import { messageText } from '../../streams/messages/message-text.ts'
import { AnswerStream } from './ag-ui-message.ts'
import type { AgUiEvent, AgUiOutcome, AgUiPart, AgUiUsage } from './ag-ui-events.ts'

type Emit = (event: AgUiEvent) => void

export interface RunsOptions {
  readonly threadId: string
  /** The id of the run with this number, counted from 1. */
  readonly runIdOf: (number: number) => string
  /** Names of the tools whose calls the front end runs. */
  readonly frontEndTools: ReadonlySet<string>
}

/** At most one run is open. Nothing is emitted outside of one. */
export class AgUiRuns {
  readonly #emit: Emit
  readonly #options: RunsOptions
  readonly #answer: AnswerStream
  #number = 0
  #runId: string | undefined
  #model = ''
  #step: string | undefined
  /** The run before, if it has paused and the next one goes on with it. */
  #paused: string | undefined
  /** A result message of a log has no content: the end of its call has it. */
  #results = new Map<string, EventNamed<'tool_execution_end'>>()

  constructor(emit: Emit, options: RunsOptions) {
    this.#emit = emit
    this.#options = options
    this.#answer = new AnswerStream(emit)
  }

  get isOpen(): boolean {
    return this.#runId !== undefined
  }

  get hasPaused(): boolean {
    return this.#paused !== undefined
  }

  start(model = this.#model): void {
    if (this.isOpen) this.finish({ type: 'cancelled' })
    this.#number += 1
    this.#model = model
    const runId = this.#options.runIdOf(this.#number)
    const parent = this.#paused === undefined ? {} : { parentRunId: this.#paused }
    this.#runId = runId
    this.#paused = undefined
    this.#emit({ type: 'RUN_STARTED', threadId: this.#options.threadId, runId, ...parent })
  }

  /** Ends the AG-UI run while the session's run waits; `start` goes on with it. */
  pause(outcome: AgUiOutcome): void {
    const paused = this.#runId
    this.finish(outcome)
    this.#paused = paused
  }

  finish(outcome: AgUiOutcome, usage?: readonly AgUiUsage[]): void {
    const runId = this.#close()
    if (runId === undefined) return
    this.#emit({ type: 'RUN_FINISHED', threadId: this.#options.threadId, runId, outcome, ...(usage && { usage }) })
  }

  fail(code: string, message: string, usage?: readonly AgUiUsage[]): void {
    if (this.#close() !== undefined) this.#emit({ type: 'RUN_ERROR', code, message, ...(usage && { usage }) })
  }

  /** `agent_end`. A paused run that has ended is over: nothing more belongs to it. */
  end({ terminationReason, error, usage }: EventNamed<'agent_end'>): void {
    const tokens = [usageOf(this.#model, usage)]
    if (successes.has(terminationReason)) this.finish({ type: 'success' }, tokens)
    else if (cancellations.has(terminationReason)) this.finish({ type: 'cancelled' }, tokens)
    else this.fail(error?.code ?? terminationReason, error?.message ?? `The run ended: ${terminationReason}`, tokens)
    this.#paused = undefined
    this.#results = new Map()
  }

  event(event: AgentEvent): void {
    switch (event.type) {
      case 'turn_start':
        this.#finishStep()
        this.#step = `turn ${event.turnIndex + 1}`
        this.#emit({ type: 'STEP_STARTED', stepName: this.#step })
        break
      case 'turn_end':
        this.#finishStep()
        break
      case 'message_start':
        break
      case 'message_update':
        this.#answer.update(event)
        break
      case 'message_end':
        this.#message(event.entryId, event.message)
        break
      case 'tool_execution_start':
        if (this.#options.frontEndTools.has(event.toolName))
          this.pause({ type: 'success', pendingToolCallIds: [event.toolCallId] })
        else this.#custom(event)
        break
      case 'tool_execution_end':
        this.#results.set(event.toolCallId, event)
        this.#custom(event)
        break
      default:
        this.#custom(event)
    }
  }

  #custom({ type, ...value }: AgentEvent): void {
    this.#emit({ type: 'CUSTOM', name: `rxpi.${type}`, value })
  }

  #message(entryId: string, message: Message): void {
    switch (message.role) {
      case 'assistant':
        this.#answer.end(entryId, message)
        break
      case 'user':
        this.#prompt(entryId, message)
        break
      case 'toolResult':
        // the front end has the result of its own call
        if (!this.#options.frontEndTools.has(message.toolName))
          this.#emit(resultOf(entryId, restoreResult(message, this.#results.get(message.toolCallId))))
        this.#results.delete(message.toolCallId)
        break
      default:
        this.#emit({ type: 'CUSTOM', name: 'rxpi.message_end', value: { entryId, message } })
    }
  }

  #prompt(messageId: string, message: UserMessage): void {
    const delta = messageText(message)
    this.#emit({ type: 'TEXT_MESSAGE_START', messageId, role: 'user', ...imagesOf(message) })
    if (delta !== '') this.#emit({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })
    this.#emit({ type: 'TEXT_MESSAGE_END', messageId })
  }

  #finishStep(): void {
    if (this.#step !== undefined) this.#emit({ type: 'STEP_FINISHED', stepName: this.#step })
    this.#step = undefined
  }

  #close(): string | undefined {
    const runId = this.#runId
    if (runId === undefined) return undefined
    this.#answer.close()
    this.#finishStep()
    this.#runId = undefined
    return runId
  }
}

const successes: ReadonlySet<string> = new Set(['completed', 'stopped', 'terminated'])
const cancellations: ReadonlySet<string> = new Set(['aborted', 'client_disconnected'])

function usageOf(model: string, usage: EventNamed<'agent_end'>['usage']): AgUiUsage {
  return {
    model,
    inputTokens: usage.input + usage.cacheRead + usage.cacheWrite,
    outputTokens: usage.output,
    totalTokens: usage.totalTokens,
    ...(usage.reasoning === undefined ? {} : { reasoningTokens: usage.reasoning }),
    cachedInputTokens: usage.cacheRead,
    cacheWriteInputTokens: usage.cacheWrite,
  }
}

function resultOf(messageId: string, { toolCallId, content, isError }: ToolResultMessage): AgUiEvent {
  const parts = content.flatMap(partOf)
  const isText = parts.every(({ type }) => type === 'text')
  return {
    type: 'TOOL_CALL_RESULT',
    messageId,
    toolCallId,
    role: 'tool',
    content: isText ? parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n') : parts,
    ...(isError ? { metadata: { isError } } : {}),
  }
}

/** An image in the blob store has no data here: its place says so. */
function partOf(part: ToolResultMessage['content'][number]): AgUiPart[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  const { data, mimeType, blob = '' } = part
  if (data === undefined) return [{ type: 'text', text: `[image ${mimeType} ${blob}]` }]
  return [{ type: 'image', source: { type: 'data', value: data, mimeType } }]
}

function imagesOf({ content }: UserMessage): {
  readonly metadata?: { readonly images: number }
} {
  const images = typeof content === 'string' ? 0 : content.filter(({ type }) => type === 'image').length
  return images === 0 ? {} : { metadata: { images } }
}
