// Wraps a session in promises, for programs without RxJS.
/* eslint-disable rxjs-x/no-ignored-default-value -- a command emits its result or fails */
import { firstValueFrom } from 'rxjs'
import type { Observable } from 'rxjs'
import type { QueueMode, QueueName } from '../../operators/ports/run-ports.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { ImageContent, AssistantMessage, Message, Usage } from '../../streams/messages/message.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { RunLimits } from '../../streams/config/settings.ts'
import type { ThinkingLevel, Model } from '../../streams/models/model.ts'
import { createSession } from '../create/create-session.ts'
import type { OutputSchema } from '../../streams/messages/output-schema.ts'
import type { CreateSessionOptions } from '../create/create-session-options.ts'
import type { RunResult } from '../../operators/events/run-results.ts'
import { runWaiter } from './run-waiter.ts'
import type { Session } from '../contract/session.ts'
import { transcript } from '../../streams/state/fold-session.ts'
import type { QueuedInput } from '../../streams/state/fold-session.ts'

/** Options of one prompt. */
export interface PromptOptions {
  readonly images?: readonly ImageContent[]
  /** Of this run alone. */
  readonly limits?: RunLimits
  /** JSON Schema of the run's last answer. The agent does not check the answer: see `outputCheck`. */
  readonly outputSchema?: OutputSchema
  /**
   * If a run is on: `steer` and `follow_up` queue the prompt there; `wait` starts a run of its own when that one has
   * settled; `replace` aborts that one first, and an older `replace` that still waits rejects with `cancelled`.
   * Default: `busy`.
   */
  readonly whileRunning?: 'steer' | 'follow_up' | 'replace' | 'wait'
}

/**
 * Every promise settles when its events are durable. It rejects with a Failure if the command is refused or cannot be
 * written. A failed run does not reject: `terminationReason` and `error` of its result say so.
 */
export interface Agent {
  /** The session of the agent, with its streams. */
  readonly session: Session
  /** The current state, read on each access. */
  readonly state: AgentState
  /** Starts a run and resolves when it has settled. A queued prompt resolves with the run that is on. */
  prompt(text: string, options?: PromptOptions): Promise<RunResult>
  /** Starts a run without a new message: on an input or a result at the end, or on a queued input. */
  continue(options?: Pick<PromptOptions, 'limits'>): Promise<RunResult>
  /** Queues an input for the next turn of the run that is on, or of the next one; resolves with its id. */
  steer(text: string, images?: readonly ImageContent[]): Promise<string>
  /** Queues an input for the end of the run; resolves with its id. */
  followUp(text: string, images?: readonly ImageContent[]): Promise<string>
  /** Ends the run that is on; resolves when it has settled, at once if none is on. */
  abort(): Promise<void>
  /** Resolves when no run is on. */
  waitForIdle(): Promise<void>
  /** Ends the run that is on, clears the queues and begins a new conversation; the old one stays in the log. */
  reset(): Promise<void>
  /** Calls the listener with each event, in order; returns the function that removes it. See `Session.listen`. */
  subscribe(listener: (event: AgentEvent) => void): () => void
  clearSteeringQueue(): Promise<number>
  clearFollowUpQueue(): Promise<number>
  /** Resolves with the number of removed inputs. */
  clearAllQueues(): Promise<number>
  editQueued(queueId: string, text: string, images?: readonly ImageContent[]): Promise<void>
  removeQueued(queueId: string): Promise<void>
  /** From the next request on. */
  setModel(model: string | ProviderModel): Promise<void>
  setThinkingLevel(level: ThinkingLevel): Promise<void>
  /** Sets the active tools by name, out of the registered ones. */
  setTools(names: readonly string[]): Promise<void>
  setSteeringMode(mode: QueueMode): Promise<void>
  setFollowUpMode(mode: QueueMode): Promise<void>
  /** Ends the run that is on and closes the session; resolves when nothing is left behind. */
  close(): Promise<void>
}

/**
 * Creates an agent on a session of its own, with the options of `createSession`.
 * @throws Failure as `createSession` does
 */
export function createAgent(options: CreateSessionOptions = {}): Agent {
  const session = createSession(options)
  const { send, listen } = session
  const readState = agentState(session)
  const runs = runWaiter(session)
  const clear = (queue?: QueueName): Promise<number> =>
    firstValueFrom(send({ type: 'clear_queue', ...(queue === undefined ? {} : { queue }) })).then(
      ({ cleared }) => cleared,
    )
  const abort = (): Promise<void> => completion(send({ type: 'abort' }))
  return {
    session,
    get state() {
      return readState()
    },
    prompt: (text, { whileRunning, ...more } = {}) =>
      whileRunning === 'wait' || whileRunning === 'replace'
        ? runs.resultOfRun(session.run(text, { whileRunning, ...more }))
        : runs.resultOf(() => send({ type: 'prompt', text, ...(whileRunning && { whileRunning }), ...more })),
    continue: (more = {}) => runs.resultOf(() => send({ type: 'continue', ...more })),
    steer: (text, images) => queueIdOf(send({ type: 'steer', ...input(text, images) })),
    followUp: (text, images) => queueIdOf(send({ type: 'follow_up', ...input(text, images) })),
    abort,
    waitForIdle: runs.idle,
    reset: async () => {
      const aborted = abort()
      // in the call itself if no run has to end first: the next prompt then begins the new conversation
      if (readState().isStreaming) await aborted
      await Promise.all([aborted, clear(), firstValueFrom(send({ type: 'branch_session', entryId: null }))])
    },
    subscribe: listen,
    clearSteeringQueue: () => clear('steering'),
    clearFollowUpQueue: () => clear('followUp'),
    clearAllQueues: () => clear(),
    editQueued: (queueId, text, images) => completion(send({ type: 'edit_queued', queueId, ...input(text, images) })),
    removeQueued: (queueId) => completion(send({ type: 'remove_queued', queueId })),
    setModel: (model) => completion(send({ type: 'set_model', model })),
    setThinkingLevel: (thinkingLevel) => completion(send({ type: 'set_thinking_level', thinkingLevel })),
    setTools: (names) => completion(send({ type: 'set_active_tools', tools: [...names] })),
    setSteeringMode: (mode) => completion(send({ type: 'set_queue_mode', queue: 'steering', mode })),
    setFollowUpMode: (mode) => completion(send({ type: 'set_queue_mode', queue: 'followUp', mode })),
    close: () => completion(session.close()),
  }
}

function input(text: string, images: readonly ImageContent[] = []) {
  return images.length === 0 ? { text } : { text, images }
}

function queueIdOf(answer$: Observable<{ readonly queueId: string }>): Promise<string> {
  return firstValueFrom(answer$).then(({ queueId }) => queueId)
}

/** Resolves when the stream completes; ignores its values. */
function completion(answer$: Observable<unknown>): Promise<void> {
  return answer$.forEach(() => undefined)
}

/** The state of an agent, read from its session on access. */
export interface AgentState {
  /** The model of the next request. */
  readonly model: Model
  readonly thinkingLevel: ThinkingLevel
  /** Names of the active tools. */
  readonly tools: readonly string[]
  /**
   * From the conversation's beginning to its head, oldest first. Built on access; the same list until a message is
   * added.
   */
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
function agentState(session: Session): () => AgentState {
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
