// Gives modules of pi the models that they may ask, and asks one apart from the conversation.
import { EMPTY, firstValueFrom, takeUntil } from 'rxjs'
import { Failure } from '../../../streams/values/failure.ts'
import type { Model } from '../../../streams/models/model.ts'
import { fromSignal } from '../../../streams/rx/from-signal.ts'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import type { PiMessage, PiRecord } from '../contract/pi-shapes.ts'
import { streamOf } from '../modules/ai-requests.ts'
import { piMessage } from './own-entries.ts'
import { registerPiProvider, unregisterPiProvider } from '../providers/pi-provider.ts'
import { asModelMessages } from './send-messages.ts'

/** The model of the session and those that the module offers: the session alone resolves models. */
function knownModels(runtime: PiRuntime): PiRecord[] {
  const current = modelOf(runtime)
  const own = [...runtime.offered.values()].flat().map((model) => piModel(model))
  return [...(current === undefined ? [] : [current]), ...own]
}

/** Stands for a key that rxpi keeps: `complete` and `stream` of pi-ai need none. */
const keyPlaceholder = 'kept-by-rxpi'

/** `ctx.modelRegistry`; another model has its name here, and nothing else. */
export function modelRegistry(runtime: PiRuntime): PiRecord {
  const { limits } = runtime
  const known = () => knownModels(runtime)
  const isKnown = (provider: unknown) => known().some((model) => model['provider'] === provider)
  const keep = (name: string): void => {
    limits.report(`modelRegistry.${name}`, 'keys stay with rxpi; complete and stream of pi-ai use them')
  }
  return {
    getAll: known,
    getAvailable: known,
    find: (provider: string, id: string) =>
      known().find((model) => model['provider'] === provider && model['id'] === id) ??
      piModel({ provider, id, api: '', inputs: ['text'], reasoning: false }),
    refresh: () => Promise.resolve({ models: known(), errors: [] }),
    getError: () => undefined,
    hasConfiguredAuth: ({ provider }: { provider: string }) => isKnown(provider),
    getProviderAuthStatus: (provider: string) => ({ configured: isKnown(provider) }),
    getProviderDisplayName: (provider: string) => provider,
    getProvider: () => undefined,
    getProviderAuth: () => Promise.resolve(undefined),
    isUsingOAuth: () => false,
    getApiKeyForProvider: () => {
      keep('getApiKeyForProvider')
      return Promise.resolve(keyPlaceholder)
    },
    getApiKeyAndHeaders: () => {
      keep('getApiKeyAndHeaders')
      return Promise.resolve({ ok: true, apiKey: keyPlaceholder })
    },
    getApiKey: () => {
      keep('getApiKey')
      return Promise.resolve(keyPlaceholder)
    },
    registerProvider: (provider: unknown, config?: PiRecord) => {
      registerPiProvider(runtime, provider, config)
    },
    unregisterProvider: (name: string) => {
      unregisterPiProvider(runtime, name)
    },
    getRegisteredProviderIds: () => [...runtime.providers.keys()],
    complete: (model: PiRecord, context: PiTranscript, options: CompleteOptions = {}) =>
      complete(runtime, model, context, options),
    streamSimple: streamOf((model, context, options) => complete(runtime, model, context, options)),
  }
}

/** That of the last request, before the first one that of the next. */
export function modelOf({ model, api }: PiRuntime): PiRecord | undefined {
  const known = model ?? api.session.model()
  return known && piModel(known)
}

function piModel({
  id,
  provider,
  api,
  name = id,
  baseUrl = '',
  reasoning,
  inputs,
  contextWindow = 0,
  maxOutput = 0,
  prices,
}: Model): PiRecord {
  const cost = {
    input: prices?.input ?? 0,
    output: prices?.output ?? 0,
    cacheRead: prices?.cacheRead ?? 0,
    cacheWrite: prices?.cacheWrite ?? 0,
  }
  return { id, name, provider, api, baseUrl, reasoning, input: inputs, cost, contextWindow, maxTokens: maxOutput }
}

interface PiTranscript {
  readonly systemPrompt?: string
  readonly messages?: readonly PiMessage[]
}

interface CompleteOptions {
  readonly maxTokens?: number
  readonly signal?: AbortSignal
}

/** As in pi a failure of the model is an answer with the stop reason `error`; an abort ends the request. */
export async function complete(
  runtime: PiRuntime,
  { provider, id }: PiRecord,
  { systemPrompt: system = '', messages = [] }: PiTranscript,
  { maxTokens, signal }: CompleteOptions = {},
): Promise<PiRecord> {
  const { api } = runtime
  const current = modelOf(runtime)
  const isCurrent = current?.['provider'] === provider && current?.['id'] === id
  const model = isCurrent ? {} : { model: `${String(provider)}/${String(id)}` } // the session has it, by whatever name
  const base = { role: 'assistant', content: [], provider, model: id, timestamp: Date.now() }
  const ending = (stopReason: string, errorMessage: string) =>
    piMessage({ ...base, usage: noUsage, stopReason, errorMessage })
  const limit = maxTokens === undefined ? {} : { maxTokens }
  try {
    const answer$ = api.models.complete({ ...model, system, messages: asModelMessages(messages), ...limit })
    const stopped$ = signal === undefined ? EMPTY : fromSignal(signal)
    const answer = await firstValueFrom(answer$.pipe(takeUntil(stopped$)), { defaultValue: undefined })
    return answer === undefined ? ending('aborted', 'aborted') : piMessage(answer)
  } catch (error) {
    return ending('error', Failure.from(error).message)
  }
}

const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: 'unknown' }
