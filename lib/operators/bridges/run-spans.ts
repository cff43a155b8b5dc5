// Opens and ends the spans of one run after another: run, turn, request, tools.
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { Message } from '../../streams/messages/message.ts'
import {
  answerAttributes,
  callAttributes,
  modelAttributes,
  modelId,
  resultAttributes,
  spanMessage,
  usageAttributes,
} from './span-attributes.ts'
import { contextOf, errorStatus, spanKinds } from './span-port.ts'
import type { SpanAttributes, SpanPort, TracerPort } from './span-port.ts'

export interface RunSpansOptions {
  readonly tracer: TracerPort
  readonly session: string | undefined
  readonly agentName: string
  readonly content: boolean
}

/** Times are Unix ms; undefined is the tracer's clock. */
type Time = number | undefined

export class RunSpans {
  readonly #options: RunSpansOptions
  #model = ''
  #run: SpanPort | undefined
  #turn: SpanPort | undefined
  /** From the start of the turn, or from the message of a repeated request, to the message's end. */
  #request: SpanPort | undefined
  #calls = new Map<string, SpanPort>()
  #prompts: object[] = []

  constructor(options: RunSpansOptions) {
    this.#options = options
  }

  event(event: AgentEvent, at: Time): void {
    switch (event.type) {
      case 'agent_start':
        this.#startRun(event, at)
        break
      case 'turn_start':
        this.#turn = this.#start(`turn ${event.turnIndex + 1}`, this.#run, { 'rxpi.turn.index': event.turnIndex }, at)
        this.#startRequest(at)
        break
      case 'message_start':
        if (event.message.role === 'assistant') this.#startRequest(at)
        break
      case 'message_end':
        this.#endMessage(event.message, at)
        break
      case 'tool_execution_start':
        this.#startCall(event, at)
        break
      case 'tool_execution_end':
        this.#endCall(event, at)
        break
      case 'turn_end':
        this.#endTurn(at)
        break
      case 'model_change':
        this.#model = event.to
        break
      case 'auto_retry':
      case 'model_fallback':
        this.#run?.addEvent(`rxpi.${event.type}`, { kind: event.kind, attempt: event.attempt }, at)
        break
      case 'compaction':
        this.#run?.addEvent(
          'rxpi.compaction',
          { tokens_before: event.tokensBefore, tokens_after: event.tokensAfter },
          at,
        )
        break
      case 'agent_end':
        this.#endRun(event, at)
        break
      default: // says nothing about time or tokens
    }
  }

  /** Ends what is open, innermost first. */
  close(at?: Time): void {
    this.#endTurn(at, 'incomplete')
    end(this.#run, at, 'incomplete')
    this.#run = undefined
  }

  #startRun({ model }: EventNamed<'agent_start'>, at: Time): void {
    this.close(at)
    const { agentName, session } = this.#options
    this.#model = model
    this.#run = this.#start(
      `invoke_agent ${agentName}`,
      undefined,
      {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': agentName,
        ...(session === undefined ? {} : { 'gen_ai.conversation.id': session }),
        ...modelAttributes(model),
      },
      at,
    )
    this.#prompts = []
  }

  #startRequest(at: Time): void {
    if (this.#turn === undefined || this.#request !== undefined) return
    const attributes = { 'gen_ai.operation.name': 'chat', ...modelAttributes(this.#model) }
    this.#request = this.#start(`chat ${modelId(this.#model)}`, this.#turn, attributes, at, spanKinds.client)
  }

  #endMessage(message: Message, at: Time): void {
    const { content } = this.#options
    if (message.role === 'user' && content && this.#run !== undefined) {
      this.#prompts.push(spanMessage(message))
      this.#run.setAttributes({ 'gen_ai.input.messages': JSON.stringify(this.#prompts) })
    }
    if (message.role !== 'assistant') return
    this.#request?.setAttributes(answerAttributes(message, content))
    const { stopReason } = message
    end(this.#request, at, stopReason === 'error' || stopReason === 'aborted' ? stopReason : undefined)
    this.#request = undefined
  }

  #startCall(event: EventNamed<'tool_execution_start'>, at: Time): void {
    const attributes = callAttributes(event, this.#options.content)
    this.#calls.set(event.toolCallId, this.#start(`execute_tool ${event.toolName}`, this.#turn ?? this.#run, attributes, at)) // prettier-ignore
  }

  #endCall(event: EventNamed<'tool_execution_end'>, at: Time): void {
    const call = this.#calls.get(event.toolCallId)
    this.#calls.delete(event.toolCallId)
    call?.setAttributes(resultAttributes(event, this.#options.content))
    end(call, at, event.isError ? 'tool_error' : undefined)
  }

  #endTurn(at: Time, fault?: string): void {
    for (const call of this.#calls.values()) end(call, at, 'incomplete')
    this.#calls = new Map()
    end(this.#request, at, 'incomplete')
    end(this.#turn, at, fault)
    this.#request = undefined
    this.#turn = undefined
  }

  #endRun({ usage, terminationReason, error, totalTurns }: EventNamed<'agent_end'>, at: Time): void {
    this.#endTurn(at, 'incomplete')
    this.#run?.setAttributes({
      ...usageAttributes(usage),
      'rxpi.run.termination_reason': terminationReason,
      'rxpi.run.turns': totalTurns,
    })
    end(this.#run, at, successes.has(terminationReason) ? undefined : (error?.code ?? terminationReason))
    this.#run = undefined
  }

  #start(
    name: string,
    parent: SpanPort | undefined,
    attributes: SpanAttributes,
    at: Time,
    kind: number = spanKinds.internal,
  ): SpanPort {
    // prettier-ignore
    const startTime = at === undefined ? {} : { startTime: at }
    return this.#options.tracer.startSpan(
      name,
      { kind, attributes: { ...attributes }, ...startTime },
      contextOf(parent),
    )
  }
}

const successes: ReadonlySet<string> = new Set(['completed', 'stopped', 'terminated'])

/** @param fault the `error.type`; absent: the work succeeded */
function end(span: SpanPort | undefined, at: Time, fault?: string): void {
  if (span === undefined) return
  if (fault !== undefined) {
    span.setAttributes({ 'error.type': fault })
    span.setStatus({ code: errorStatus, message: fault })
  }
  span.end(at)
}
