// The ports of a run that a test plays: scripted answers, fake tools, counted ids, and nothing of the real world.
import { defer } from 'rxjs'
import type { RunInput, RunPorts } from '../operators/ports/run-ports.ts'
import { queues } from '../operators/run/queues.ts'
import { scripted } from '../providers/offline/scripted.ts'
import type { ScriptedProvider } from '../providers/offline/scripted.ts'
import { scriptedModel } from '../providers/offline/scripted.ts'
import type { AgentEvent, TerminationReason } from '../streams/events/event.ts'
import type { Message } from '../streams/messages/message.ts'
import type { Model } from '../streams/models/model.ts'
import type { Provider, ProviderModel, ProviderRequest } from '../streams/ports/provider.ts'
import type { AnyTool } from '../streams/ports/tool.ts'
import { countedIds } from './counted-ids.ts'
import { memoryConversation } from './memory-conversation.ts'

/** What a test may do to a run, from outside or from within its events. */
export interface RunControl {
  /** Puts an input into the steering queue. */
  steer(text: string): void
  /** Puts an input into the follow-up queue. */
  followUp(text: string): void
  /** Stops the run; default reason `aborted`. */
  stop(reason?: TerminationReason): void
  /** Lets go of the run's events: everything under way ends, nothing more is told. */
  unsubscribe(): void
}

type Script = Parameters<typeof scripted>[0]

/** A model that is asked where those before it fail. */
export interface SceneFallback {
  /** What each request to it is answered with. */
  readonly script: Script
  /** What its descriptor has beside, or in place of, that of `scriptedModel`. Default: the id `fallback_1`, `fallback_2` … */
  readonly model?: Partial<Model>
}

export interface RunScene {
  /** What each request is answered with: see `scripted`. */
  readonly script: Script
  /** The model's fallbacks, in order. Default none. */
  readonly fallbacks?: readonly SceneFallback[]
  /** Default `'Go'`. */
  readonly prompt?: RunInput['content']
  /** The active tools. Default none. */
  readonly tools?: readonly AnyTool[]
  /** What was said before. Default nothing. */
  readonly history?: readonly Message[]
  /** Any port of the run in place of the scene's own. */
  readonly ports?: Partial<RunPorts>
  /** What is done at which virtual millisecond. */
  readonly at?: Readonly<Record<number, (control: RunControl) => void>>
  /** Told of each event as it is emitted; what it does happens inside the run. */
  onEvent?(event: AgentEvent, control: RunControl): void
}

export interface ScenePorts {
  readonly ports: RunPorts
  /** What answers from `script`. */
  readonly provider: ScriptedProvider
  /** What all models were asked, in order. */
  readonly requests: readonly ProviderRequest[]
}

/** The scene's ports: no retry spread, no limits but the tools' own, 5 s of grace. */
export function scenePorts({ script, fallbacks = [], tools = [], history = [], ports = {} }: RunScene): ScenePorts {
  const ids = countedIds()
  const requests: ProviderRequest[] = []
  const provider = scripted(script)
  const models = { provider: noting(provider, requests), fallbacks: fallbacks.map(fallbackModel(requests)) }
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
    provider: noting(scripted(script), requests),
  })
}

function noting(provider: Provider, requests: ProviderRequest[]): Provider {
  return (request) =>
    defer(() => {
      requests.push({ ...request, messages: request.messages.slice() })
      return provider(request)
    })
}
