// One request: context, transforms, provider with retries and the idle limit, cut by the stop, assembled into one message.
import { defer, mergeMap, of, takeLast, takeUntil, throwIfEmpty } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentContext } from '../streams/agent-context.ts'
import type { AssistantDelta } from '../streams/delta.ts'
import type { AgentEvent } from '../streams/event.ts'
import { Failure } from '../streams/failure.ts'
import type { Message, Usage } from '../streams/message.ts'
import type { ProviderRequest } from '../streams/provider.ts'
import type { StopSwitch } from '../streams/stop-switch.ts'
import { assembleMessage } from './assemble-message.ts'
import type { Answer } from './assemble-message.ts'
import { idleLimit } from './idle-limit.ts'
import { retryRequest } from './retry-request.ts'
import type { RequestSettings, RunPorts } from './run-ports.ts'
import { untilDone } from './until-done.ts'

export interface RequestAnswerOptions {
  readonly ports: RunPorts
  readonly stop: StopSwitch
  /** Of the answer before this one. */
  readonly usage: Usage | undefined
  /** Told before `message_end`; not at all where the run was stopped before anything was visible. */
  answered(answer: Answer): void
}

/**
 * Asks the model once and emits the events of its answer. Completes when the message has ended — or, stopped before
 * anything was visible, without one — and never fails: what throws on the way ends the message as an error.
 */
export function requestAnswer({ ports, stop, usage, answered }: RequestAnswerOptions): Observable<AgentEvent> {
  return defer(() => {
    const { conversation } = ports
    const settings = ports.settings()
    const entryId = conversation.nextEntryId()
    const parentId = conversation.headEntryId
    // deferred once more: what throws on the way to the request must end the message, not the run
    return defer(() => transformed(ports, settings, usage)).pipe(
      mergeMap((context) => attempts(ports, settings, context)),
      takeUntil(stop.stop$),
      assembleMessage({
        entryId,
        parentId,
        model: settings.model,
        stopped: () => stop.reason !== undefined,
        answered: (answer) => {
          conversation.append(entryId, answer.message)
          answered(answer)
        },
      }),
    )
  })
}

function transformed(ports: RunPorts, settings: RequestSettings, usage: Usage | undefined): Observable<AgentContext> {
  const context$ = of(contextOf(ports, settings, usage))
  const { transformContext } = ports
  return transformContext === undefined
    ? context$
    : context$.pipe(transformContext, takeLast(1), throwIfEmpty(noContext))
}

function contextOf(ports: RunPorts, { system, tools, model }: RequestSettings, usage: Usage | undefined): AgentContext {
  return { system, messages: messagesFor(ports), tools, model, ...(usage === undefined ? {} : { usage }) }
}

function noContext(): Failure {
  return new Failure(
    'internal',
    'transformContext completed without a context; its last value is what the model is told',
  )
}

function messagesFor({ conversation, convertToLlm }: RunPorts): readonly Message[] {
  return convertToLlm === undefined ? conversation.modelMessages : convertToLlm(conversation.messages)
}

function attempts(
  ports: RunPorts,
  { provider, thinkingLevel }: RequestSettings,
  context: AgentContext,
): Observable<AssistantDelta | AgentEvent> {
  const { model, system, messages, tools } = context
  const request: ProviderRequest = {
    model,
    system,
    messages,
    tools,
    thinkingLevel,
    sessionId: ports.tools.sessionId,
  }
  const idle = { counts: isToken, ...ports.idle }
  return retryRequest(() => defer(() => provider(request)).pipe(untilDone(), idleLimit(idle)), ports.retry)
}

/** `start` and `usage` say that somebody is there, not that the model says anything (LOOP 26). */
function isToken(delta: AssistantDelta): boolean {
  return 'contentIndex' in delta
}
