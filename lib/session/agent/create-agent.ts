// Wraps a session in promises, for programs without RxJS.
/* eslint-disable rxjs-x/no-ignored-default-value -- a command emits its result or fails */
import { firstValueFrom } from 'rxjs'
import type { Observable } from 'rxjs'
import type { QueueMode, QueueName } from '../../operators/ports/run-ports.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { ImageContent } from '../../streams/messages/message.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { RunLimits } from '../../streams/config/settings.ts'
import type { ThinkingLevel } from '../../streams/models/model.ts'
import { agentState } from './agent-state.ts'
import type { AgentState } from './agent-state.ts'
import { createSession } from '../create/create-session.ts'
import type { OutputSchema } from '../../streams/messages/output-schema.ts'
import type { CreateSessionOptions } from '../create/create-session.ts'
import type { RunResult } from './run-results.ts'
import { runWaiter } from './run-waiter.ts'
import type { Session } from '../contract/session.ts'

export interface PromptOptions {
  readonly images?: readonly ImageContent[]
  /** Of this run alone. */
  readonly limits?: RunLimits
  /** JSON Schema: the run's last answer is asked to be such a document. It is not checked here: see `outputCheck`. */
  readonly outputSchema?: OutputSchema
  /** Queues the prompt if a run is on, instead of refusing it with `busy`. */
  readonly whileRunning?: 'steer' | 'follow_up'
}

/**
 * Every promise settles when what was asked for is durable, and rejects with a Failure where it was refused or could not be
 * written. A run that fails does not reject: its result says so, as `terminationReason` and `error`.
 */
export interface Agent {
  /** The session behind it, with its streams. */
  readonly session: Session
  /** What the agent is now; asked anew each time. */
  readonly state: AgentState
  /** Starts a run and resolves when it has settled. A prompt that was queued resolves with the run that is on. */
  prompt(text: string, options?: PromptOptions): Promise<RunResult>
  /** A run without a new message: on an input or a result at the end, or on what is queued. */
  continue(options?: Pick<PromptOptions, 'limits'>): Promise<RunResult>
  /** Queues an input for the next turn of the run that is on, or of the next one; resolves with its id. */
  steer(text: string, images?: readonly ImageContent[]): Promise<string>
  /** Queues an input for when the run would end; resolves with its id. */
  followUp(text: string, images?: readonly ImageContent[]): Promise<string>
  /** Ends the run that is on; resolves when it has settled, at once if none is on. */
  abort(): Promise<void>
  /** Resolves when no run is on. */
  waitForIdle(): Promise<void>
  /** Ends the run that is on, clears the queues and begins a new conversation; the log keeps the old one. */
  reset(): Promise<void>
  /** Calls the listener with each event, in order; returns what ends that. See `Session.listen`. */
  subscribe(listener: (event: AgentEvent) => void): () => void
  clearSteeringQueue(): Promise<number>
  clearFollowUpQueue(): Promise<number>
  /** Resolves with how many inputs were taken out. */
  clearAllQueues(): Promise<number>
  editQueued(queueId: string, text: string, images?: readonly ImageContent[]): Promise<void>
  removeQueued(queueId: string): Promise<void>
  /** From the next request on. */
  setModel(model: string | ProviderModel): Promise<void>
  setThinkingLevel(level: ThinkingLevel): Promise<void>
  /** The active tools, by name, out of those that are registered. */
  setTools(names: readonly string[]): Promise<void>
  setSteeringMode(mode: QueueMode): Promise<void>
  setFollowUpMode(mode: QueueMode): Promise<void>
  /** Ends the run that is on and closes the session; resolves when nothing is left behind. */
  close(): Promise<void>
}

/**
 * An agent on a session of its own: the same options as `createSession`.
 * @throws Failure as `createSession` does
 */
export function createAgent(options: CreateSessionOptions = {}): Agent {
  const session = createSession(options)
  const { send, listen } = session
  const stateNow = agentState(session)
  const runs = runWaiter(session)
  const clear = (queue?: QueueName): Promise<number> =>
    firstValueFrom(send({ type: 'clear_queue', ...(queue === undefined ? {} : { queue }) })).then(
      ({ cleared }) => cleared,
    )
  const abort = (): Promise<void> => done(send({ type: 'abort' }))
  return {
    session,
    get state() {
      return stateNow()
    },
    prompt: (text, more = {}) => runs.resultOf(() => send({ type: 'prompt', text, ...more })),
    continue: (more = {}) => runs.resultOf(() => send({ type: 'continue', ...more })),
    steer: (text, images) => queued(send({ type: 'steer', ...input(text, images) })),
    followUp: (text, images) => queued(send({ type: 'follow_up', ...input(text, images) })),
    abort,
    waitForIdle: runs.idle,
    reset: async () => {
      const aborted = abort()
      // in the call itself where nothing has to end first: a prompt that comes next begins the new conversation
      if (stateNow().isStreaming) await aborted
      await Promise.all([aborted, clear(), firstValueFrom(send({ type: 'branch_session', entryId: null }))])
    },
    subscribe: listen,
    clearSteeringQueue: () => clear('steering'),
    clearFollowUpQueue: () => clear('followUp'),
    clearAllQueues: () => clear(),
    editQueued: (queueId, text, images) => done(send({ type: 'edit_queued', queueId, ...input(text, images) })),
    removeQueued: (queueId) => done(send({ type: 'remove_queued', queueId })),
    setModel: (model) => done(send({ type: 'set_model', model })),
    setThinkingLevel: (thinkingLevel) => done(send({ type: 'set_thinking_level', thinkingLevel })),
    setTools: (names) => done(send({ type: 'set_active_tools', tools: [...names] })),
    setSteeringMode: (mode) => done(send({ type: 'set_queue_mode', queue: 'steering', mode })),
    setFollowUpMode: (mode) => done(send({ type: 'set_queue_mode', queue: 'followUp', mode })),
    close: () => done(session.close()),
  }
}

function input(text: string, images: readonly ImageContent[] = []) {
  return images.length === 0 ? { text } : { text, images }
}

function queued(answer$: Observable<{ readonly queueId: string }>): Promise<string> {
  return firstValueFrom(answer$).then(({ queueId }) => queueId)
}

/** Resolves at the end of a stream whose values say nothing. */
function done(answer$: Observable<unknown>): Promise<void> {
  return answer$.forEach(() => undefined)
}
