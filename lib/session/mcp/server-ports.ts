// Answers what MCP servers ask of a session: forms and pages for a person, answers of its model.
// Guarantees: without a person who can answer, a server is declined; the usage of its requests is counted.
import { asyncScheduler, concatMap, defer, map, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ElicitAnswer, ElicitRequest, SampleAnswer, SampleRequest } from '../../mcp/contract/mcp-requests.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { QuestionOutcome } from '../../streams/events/feature-event-fields.ts'
import { noUsage } from '../../streams/messages/message.ts'
import type { AssistantMessage, Message } from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'
import { modelName } from '../../streams/models/model.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ServerPorts } from './opened-servers.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import { completeWithModel } from '../extensions/complete-with-model.ts'
import type { UiRequests } from '../questions/ui-requests.ts'

/** The part of a core that answers. */
export interface AskingCore {
  readonly parts: Pick<SessionParts, 'options' | 'resolveModel'>
  readonly requests: Pick<UiRequests, 'ask' | 'askQuestion' | 'form'>
  readonly settings: { current(): ProviderModel }
}

interface PortOptions {
  readonly core: AskingCore
  readonly sessionId: string
  publish(event: AgentEvent): void
}

export function serverPorts(options: PortOptions): ServerPorts {
  return {
    elicit: (request) => elicit(request, options),
    sample: (request) => sample(request, options),
    onNotice: ({ server, message }) => {
      options.publish({ type: 'warning', code: 'mcp', message: `MCP server ${server}: ${message}`, recoverable: true })
    },
  }
}

/** The `source` of a question of a server. */
export function serverSource(server: string): string {
  return `mcp:${server}`
}

const declined: ElicitAnswer = { action: 'decline' }

function elicit(request: ElicitRequest, { core: { requests } }: PortOptions): Observable<ElicitAnswer> {
  const { kind, server, message, toolCallId } = request
  return defer(() => {
    if (requests.form() !== 'question') return of(declined)
    return requests
      .askQuestion({
        kind,
        source: serverSource(server),
        text: message,
        choices: ['accept', 'decline', 'cancel'],
        default: { choice: 'cancel' },
        ...(request.kind === 'form' ? { schema: { ...request.schema } } : { url: request.url }),
        ...(toolCallId === undefined ? {} : { toolCallId }),
      })
      .pipe(map(({ outcome }) => answerOf(outcome)))
  })
}

function answerOf({ choice, values }: QuestionOutcome): ElicitAnswer {
  if (choice === 'accept') return { action: 'accept', ...(values === undefined ? {} : { values }) }
  return choice === 'decline' ? declined : { action: 'cancel' }
}

/** UTF-16 units of a request that the question shows. */
const shownLength = 4_000

/** A person sees what the model would get, and decides each time. */
function sample(request: SampleRequest, { core, sessionId, publish }: PortOptions): Observable<SampleAnswer> {
  const { server, messages, system, maxTokens } = request
  const { requests, settings } = core
  return defer(() => {
    const { model } = settings.current()
    const shown = [...(system === undefined ? [] : [`system: ${system}`]), ...messages.map(({ role, text }) => `${role}: ${text}`)].join('\n\n') // prettier-ignore
    const text = `May the MCP server ${server} ask ${modelName(model)}? It sends:\n\n${cut(shown)}`
    return requests.ask({ kind: 'confirm', source: serverSource(server), text }).pipe(
      concatMap(({ outcome }) => {
        if (outcome !== true) return throwError(() => new Failure('not_allowed', 'A person did not allow the request'))
        const sent = messages.map((message) => toMessage(message, model))
        return completeWithModel(
          { core, sessionId, publish, reason: 'mcp' },
          { messages: sent, maxTokens, ...(system === undefined ? {} : { system }) },
        )
      }),
      map(toAnswer),
    )
  })
}

function cut(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength)}… (${text.length} characters)` : text
}

function toMessage({ role, text }: SampleRequest['messages'][number], { api, provider, id }: Model): Message {
  const timestamp = asyncScheduler.now()
  if (role === 'user') return { role, content: text, timestamp }
  const content = [{ type: 'text' as const, text }]
  return { role, content, api, provider, model: id, usage: noUsage, stopReason: 'stop', timestamp }
}

function toAnswer({ content, model, stopReason, errorMessage }: AssistantMessage): SampleAnswer {
  if (stopReason === 'error' || stopReason === 'aborted')
    throw new Failure('provider_error', errorMessage ?? 'The model did not answer')
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return { text, model, stopReason: stopReason === 'length' ? 'maxTokens' : 'endTurn' }
}
