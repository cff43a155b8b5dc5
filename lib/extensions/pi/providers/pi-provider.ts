// Makes a provider of a module of pi a provider of rxpi: one that streams by itself, or an endpoint.
import { Observable } from 'rxjs'
import type { AssistantDelta } from '../../../streams/messages/delta.ts'
import type { Model } from '../../../streams/models/model.ts'
import type { ProviderRequest } from '../../../streams/ports/provider.ts'
import { Failure } from '../../../streams/values/failure.ts'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import { unsupported } from '../contract/unsupported.ts'
import type { PiRecord } from '../contract/pi-shapes.ts'
import type { Registration } from '../../api/registration.ts'
import { registerEndpoint } from './pi-endpoint.ts'

type StreamSimple = (model: PiRecord, context: PiRecord, options: PiRecord) => AsyncIterable<PiRecord>

/** Registers a provider, or reports why the session refuses it; the module goes on. */
export function registerPiProvider(runtime: PiRuntime, provider: unknown, config: PiRecord | undefined): void {
  const name = typeof provider === 'string' ? provider : String((provider as PiRecord | undefined)?.['id'])
  const own = typeof provider === 'string' ? config : nativeConfig(provider)
  if (own === undefined) throw unsupported('pi.registerProvider(provider)', 'it has neither a configuration nor models')
  unregisterPiProvider(runtime, name)
  const registered: Registration[] = []
  runtime.providers.set(name, registered)
  reportParts(runtime, name, own)
  try {
    if (typeof own['streamSimple'] === 'function') registered.push(...registerStream(runtime, name, own))
    else registered.push(...registerEndpoint(runtime, name, own))
    const models = (own['models'] ?? []) as readonly PiRecord[]
    if (registered.length > 0)
      runtime.offered.set(
        name,
        models.map((model) => asModel({ api: own['api'], ...model, provider: name })),
      )
  } catch (error) {
    runtime.limits.report(`pi.registerProvider('${name}')`, Failure.from(error).message)
  }
}

/** Its models end; without an effect for a name that is not registered. */
export function unregisterPiProvider({ providers, offered }: PiRuntime, name: string): void {
  offered.delete(name)
  for (const registration of providers.get(name) ?? []) registration.unregister()
  providers.delete(name)
}

/** A provider of pi-ai as the configuration of one: its models, and the function that streams. */
function nativeConfig(provider: unknown): PiRecord | undefined {
  const { getModels, streamSimple } = (provider ?? {}) as Record<string, unknown>
  if (typeof getModels !== 'function' || typeof streamSimple !== 'function') return undefined
  return {
    models: getModels.call(provider) as unknown,
    streamSimple: (...parts: unknown[]): unknown => streamSimple.apply(provider, parts) as unknown,
  }
}

function reportParts({ limits }: PiRuntime, name: string, { oauth, refreshModels }: PiRecord): void {
  if (oauth !== undefined) limits.report('oauth of pi.registerProvider', `there is no /login for ${name}`)
  if (refreshModels !== undefined)
    limits.report('refreshModels of pi.registerProvider', `the models of ${name} are those of its registration`)
}

function registerStream(runtime: PiRuntime, provider: string, config: PiRecord): Registration[] {
  const { models = [], api = 'custom', apiKey } = config
  const stream = config['streamSimple'] as StreamSimple // pi's own signature
  const key = typeof apiKey === 'string' ? keyOf(apiKey, runtime.variables) : undefined
  return (models as readonly PiRecord[]).map((model) => {
    const own = { ...model, provider, api: model['api'] ?? api, baseUrl: model['baseUrl'] ?? config['baseUrl'] }
    return runtime.api.models.register({
      model: asModel(own),
      provider: (request) => answer(stream, own, request, key),
    })
  })
}

/** `$NAME` and `${NAME}` stand for variables of the session: the server's own are those of its start. */
function keyOf(text: string, variables: PiRuntime['variables']): string | undefined {
  const name = /^\$\{?(\w+)\}?$/.exec(text)?.[1]
  return name === undefined ? text : variables[name]
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
  return new Observable((subscriber) => {
    const controller = new AbortController()
    const { system, messages, tools, thinkingLevel, maxTokens } = request
    const head = { role: 'system', content: system, tools, timestamp: 0 }
    const context = { systemPrompt: system, messages: [head, ...messages], tools }
    const options = {
      signal: controller.signal,
      apiKey,
      maxTokens,
      ...(thinkingLevel !== 'off' && { reasoning: thinkingLevel }),
    }
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
  return new Failure('provider_error', errorMessage ?? 'The provider of a module of pi failed', {
    data: { kind: 'bad_request' },
  })
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
      return message === undefined ? [] : [{ type: 'done', stopReason: message.stopReason, usage: message.usage }]
    default:
      return []
  }
}
