// Creates the ports of a run for a test: scripted answers, fake tools, counted ids, no I/O.
import { defer } from 'rxjs'
import type { RunInput, RunPorts } from '../operators/ports/run-ports.ts'
import { queues } from '../operators/run/queues.ts'
import { scripted, scriptedModel } from '../providers/offline/scripted.ts'
import type { ScriptedProvider } from '../providers/offline/scripted.ts'
import type { AgentEvent, TerminationReason } from '../streams/events/event.ts'
import type { Message } from '../streams/messages/message.ts'
import type { Model } from '../streams/models/model.ts'
import type { Provider, ProviderModel, ProviderRequest } from '../streams/ports/provider.ts'
import type { AnyTool } from '../streams/ports/tool.ts'
import { countedIds } from './counted-ids.ts'
import { memoryConversation } from './memory-conversation.ts'

/** The controls of a test over a run, from outside or from within its events. */
export interface RunControl {
  /** Puts an input into the steering queue. */
  steer(text: string): void
  /** Puts an input into the follow-up queue. */
  followUp(text: string): void
  /** Stops the run; default reason `aborted`. */
  stop(reason?: TerminationReason): void
  /** Unsubscribes from the run: requests and tools end, and no further event is emitted. */
  unsubscribe(): void
}

type Script = Parameters<typeof scripted>[0]

/** A model for the requests that the models before it fail. */
export interface SceneFallback {
  /** The answer to each request. */
  readonly script: Script
  /** Properties that differ from those of `scriptedModel`. Default: the id `fallback_1`, `fallback_2` … */
  readonly model?: Partial<Model>
}

export interface RunScene {
  /** The answer to each request: see `scripted`. */
  readonly script: Script
  /** The model's fallbacks, in order. Default none. */
  readonly fallbacks?: readonly SceneFallback[]
  /** Default `'Go'`. */
  readonly prompt?: RunInput['content']
  /** The active tools. Default none. */
  readonly tools?: readonly AnyTool[]
  /** Earlier messages. Default none. */
  readonly history?: readonly Message[]
  /** Ports that replace those of the scene. */
  readonly ports?: Partial<RunPorts>
  /** Actions by virtual millisecond. */
  readonly at?: Readonly<Record<number, (control: RunControl) => void>>
  /** Called with each event as it is emitted; its actions happen inside the run. */
  onEvent?(event: AgentEvent, control: RunControl): void
}

export interface ScenePorts {
  readonly ports: RunPorts
  /** The provider that answers from `script`. */
  readonly provider: ScriptedProvider
  /** The requests to all models, in order. */
  readonly requests: readonly ProviderRequest[]
}

/** The scene's ports: no retry spread, no limits but the tools' own, 5 s of grace. */
export function scenePorts({ script, fallbacks = [], tools = [], history = [], ports = {} }: RunScene): ScenePorts {
  const ids = countedIds()
  const requests: ProviderRequest[] = []
  const provider = scripted(script)
  const models = { provider: recordRequests(provider, requests), fallbacks: fallbacks.map(fallbackModel(requests)) }
  return {
    provider,
    requests,
    ports: {
      ids,
      conversation: memoryConversation(ids, history),
      queues: queues(),
      settings: () => ({ model: scriptedModel, ...models, system: 'Be brief.', thinkingLevel: 'off', tools }),
      activeTools: () => tools,
      tools: { cwd: '/somewhere', env: {}, sessionId: ids.session() },
      validatorOf: (tool) => tool.validate ?? (() => []),
      hooks: {},
      stopWhen: [],
      wallClockMs: 0,
      idle: { first: 0, each: 0 },
      retry: { jitter: () => 0 },
      toolExecution: 'parallel',
      graceMs: 5_000,
      ...ports,
    },
  }
}

function fallbackModel(requests: ProviderRequest[]): (fallback: SceneFallback, index: number) => ProviderModel {
  return ({ script, model }, index) => ({
    model: { ...scriptedModel, id: `fallback_${index + 1}`, ...model },
    provider: recordRequests(scripted(script), requests),
  })
}

function recordRequests(provider: Provider, requests: ProviderRequest[]): Provider {
  return (request) =>
    defer(() => {
      requests.push({ ...request, messages: request.messages.slice() })
      return provider(request)
    })
}
