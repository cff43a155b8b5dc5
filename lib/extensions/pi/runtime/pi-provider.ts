// Makes a provider of a module of pi, which streams by itself, a provider of rxpi.
import { Observable } from 'rxjs'
import type { AssistantDelta } from '../../../streams/messages/delta.ts'
import type { Model } from '../../../streams/models/model.ts'
import type { ProviderRequest } from '../../../streams/ports/provider.ts'
import { Failure } from '../../../streams/values/failure.ts'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import { unsupported } from '../contract/unsupported.ts'
import type { PiRecord } from '../contract/pi-shapes.ts'

type StreamSimple = (model: PiRecord, context: PiRecord, options: PiRecord) => AsyncIterable<PiRecord>

/** @throws Failure `bad_request` for a provider that does not stream by itself */
export function registerPiProvider(runtime: PiRuntime, provider: unknown, config: PiRecord | undefined): void {
  if (typeof provider !== 'string' || config === undefined)
    throw unsupported('pi.registerProvider(provider)', 'give its name and a configuration with streamSimple')
  const { streamSimple, models = [], api = 'custom', apiKey, oauth } = config
  if (typeof streamSimple !== 'function')
    throw unsupported('pi.registerProvider without streamSimple', 'name the endpoint in models.json')
  if (oauth !== undefined) runtime.limits.report('oauth of pi.registerProvider', `there is no /login for ${provider}`)
  const stream = streamSimple as StreamSimple // pi's own signature
  for (const model of models as readonly PiRecord[]) {
    const own = { ...model, provider, api: model['api'] ?? api, baseUrl: model['baseUrl'] ?? config['baseUrl'] }
    const key = typeof apiKey === 'string' ? keyOf(apiKey) : undefined
    runtime.api.models.register({ model: asModel(own), provider: (request) => answer(stream, own, request, key) })
  }
}

/** `$NAME` and `${NAME}` stand for variables of the environment. */
function keyOf(text: string): string | undefined {
  const name = /^\$\{?(\w+)\}?$/.exec(text)?.[1]
  return name === undefined ? text : process.env[name]
}

function asModel(model: PiRecord): Model {
  const { id, provider, api, name, reasoning, input, contextWindow, maxTokens } = model
  return {
    id: String(id),
    provider: String(provider),
    api: String(api),
    ...(typeof name === 'string' && { name }),
    inputs: Array.isArray(input) && input.includes('image') ? ['text', 'image'] : ['text'],
    reasoning: reasoning === true,
    ...(typeof contextWindow === 'number' && { contextWindow }),
    ...(typeof maxTokens === 'number' && { maxOutput: maxTokens }),
  }
}

function answer(
  stream: StreamSimple,
  model: PiRecord,
  request: ProviderRequest,
  apiKey: string | undefined,
): Observable<AssistantDelta> {
  // prettier-ignore
  return new Observable((subscriber) => {
    const controller = new AbortController()
    const { system, messages, tools, thinkingLevel, maxTokens } = request
    const head = { role: 'system', content: system, tools, timestamp: 0 }
    const context = { systemPrompt: system, messages: [head, ...messages], tools }
    const options = { signal: controller.signal, apiKey, maxTokens, ...(thinkingLevel !== 'off' && { reasoning: thinkingLevel }) } // prettier-ignore
    const read = async (): Promise<void> => {
      for await (const event of stream(model, context, options)) {
        if (event['type'] === 'error') throw providerFailure(event)
        for (const delta of deltas(event)) subscriber.next(delta)
      }
      subscriber.complete()
    }
    read().catch((error: unknown) => {
      subscriber.error(error)
    })
    return () => {
      controller.abort()
    }
  })
}

function providerFailure(event: PiRecord): Failure {
  const { errorMessage } = (event['error'] ?? {}) as { errorMessage?: string }
  return new Failure('provider_error', errorMessage ?? 'The provider of a module of pi failed', { data: { kind: 'bad_request' } }) // prettier-ignore
}

/** The deltas of an event of pi's stream. */
function deltas(event: PiRecord): AssistantDelta[] {
  const {
    type,
    contentIndex = 0,
    delta = '',
    toolCall,
    message,
  } = event as {
    type: string
    contentIndex?: number
    delta?: string
    toolCall?: { id: string; name: string; arguments: Record<string, unknown> }
    message?: { stopReason: 'stop' | 'length' | 'toolUse'; usage: never }
  }
  switch (type) {
    case 'start':
      return [{ type: 'start' }]
    case 'text_start':
    case 'thinking_start':
    case 'text_end':
    case 'thinking_end':
      return [{ type, contentIndex }]
    case 'text_delta':
    case 'thinking_delta':
      return [{ type, contentIndex, text: delta }]
    case 'toolcall_end':
      return toolCall === undefined
        ? []
        : [
            { type: 'toolcall_start', contentIndex, id: toolCall.id, name: toolCall.name },
            { type: 'toolcall_end', contentIndex, arguments: toolCall.arguments },
          ]
    case 'done':
      return message === undefined ? [] : [{ type: 'done', stopReason: message.stopReason, usage: message.usage }] // prettier-ignore
    default:
      return []
  }
}
