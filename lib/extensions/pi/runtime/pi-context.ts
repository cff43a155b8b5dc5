// The context that handlers, commands and tools of a module of pi receive.
import { EMPTY, filter, firstValueFrom, race, take, takeUntil } from 'rxjs'
import { Failure } from '../../../streams/values/failure.ts'
import type { Model } from '../../../streams/models/model.ts'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import { unsupported } from '../contract/unsupported.ts'
import type { PiRecord } from '../contract/pi-shapes.ts'
import { fromSignal } from '../../../streams/rx/from-signal.ts'
import type { PiMessage } from '../contract/pi-shapes.ts'
import { asModelMessages } from './send-messages.ts'
import { allEntries, branchEntries, piMessage } from './own-entries.ts'
import { piDialogs } from './pi-dialogs.ts'

/** `ctx`; its properties are read when they are used. */
export function piContext(runtime: PiRuntime): PiRecord {
  const { session } = runtime.api
  const state = () => session.state()
  const context = {
    ui: piDialogs(runtime),
    hasUI: true,
    cwd: session.cwd,
    sessionManager: sessionManager(runtime),
    modelRegistry: modelRegistry(runtime),
    scopedModels: [],
    isIdle: () => state()?.running === undefined,
    isProjectTrusted: () => true, // extensions of a project run only in a trusted folder
    abort: () => {
      command(runtime, { type: 'abort' })
    },
    hasPendingMessages: () => (state()?.queue.length ?? 0) > 0,
    shutdown: () => {
      session.requestLeave()
    },
    getContextUsage: () => contextUsage(runtime),
    compact: (options?: CompactOptions) => {
      compact(runtime, options)
    },
    getSystemPrompt: () => runtime.system,
    ...commandPart(runtime),
  }
  const mode = () => (runtime.isStarting || runtime.api.ui.screen() !== undefined ? 'tui' : 'rpc')
  return Object.defineProperties(context, {
    mode: { get: mode, enumerable: true },
    model: { get: () => modelOf(runtime), enumerable: true },
    thinkingLevel: { get: () => state()?.thinkingLevel ?? 'off', enumerable: true },
    signal: { get: () => undefined, enumerable: true },
  })
}

/** Sends a command of the session; a refusal is shown. */
export function command(runtime: PiRuntime, request: Parameters<PiRuntime['api']['session']['send']>[0]): void {
  runtime.api.session.send(request).subscribe({
    error: (error: unknown) => {
      runtime.api.ui.notify(`${runtime.path}: ${Failure.from(error).message}`, 'error')
    },
  })
}

/** What commands have beside handlers. */
function commandPart(runtime: PiRuntime): PiRecord {
  const { session, events } = runtime.api
  const absent = (name: string, why: string) => () => Promise.reject(unsupported(name, why))
  return {
    getSystemPromptOptions: () => promptOptions(runtime),
    waitForIdle: async () => {
      if (session.state()?.running === undefined) return
      const settled$ = events.event$.pipe(
        filter(({ type }) => type === 'agent_settled'),
        take(1),
      )
      await firstValueFrom(race(settled$, runtime.api.scope.end$), { defaultValue: undefined })
    },
    navigateTree: async (entryId: string, { summarize = false }: { summarize?: boolean } = {}) => {
      await firstValueFrom(session.send({ type: 'branch_session', entryId, summarise: summarize }), {
        defaultValue: {},
      })
      return { cancelled: false }
    },
    newSession: absent('ctx.newSession', 'a client opens sessions'),
    fork: absent('ctx.fork', 'a client copies branches'),
    switchSession: absent('ctx.switchSession', 'a client opens sessions'),
    reload: () => firstValueFrom(session.reload(), { defaultValue: undefined }),
  }
}

/** `systemPromptOptions`, whose `sections` a handler may change. */
export function promptOptions(runtime: PiRuntime): PiRecord & { sections: Record<string, string> } {
  return {
    cwd: runtime.api.session.cwd,
    selectedTools: [...runtime.api.tools.active()],
    skills: [],
    contextFiles: [],
    toolSnippets: {},
    promptGuidelines: [],
    sections: {},
  }
}

interface CompactOptions {
  readonly customInstructions?: string
  onComplete?(result: object): void
  onError?(error: Error): void
}

function compact(runtime: PiRuntime, { customInstructions, onComplete, onError }: CompactOptions = {}): void {
  const focus = customInstructions === undefined ? {} : { focus: customInstructions }
  runtime.api.session.send({ type: 'compact', ...focus }).subscribe({
    next: (result) => {
      onComplete?.(result)
    },
    error: (error: unknown) => {
      onError?.(Failure.from(error))
    },
  })
}

/** That of the last request, before the first one that of the next. */
function modelOf({ model, api }: PiRuntime): PiRecord | undefined {
  const known = model ?? api.session.model()
  return known && piModel(known)
}

function contextUsage(runtime: PiRuntime): PiRecord | undefined {
  const { contextWindow } = runtime.model ?? runtime.api.session.model() ?? {}
  if (contextWindow === undefined) return undefined
  const last = branchEntries(runtime).findLast(
    ({ message }) => (message as PiRecord | undefined)?.['role'] === 'assistant',
  )
  const usage = (last?.['message'] as PiRecord | undefined)?.['usage'] as { totalTokens?: number } | undefined
  const tokens = last === undefined ? 0 : (usage?.totalTokens ?? null)
  return { tokens, contextWindow, percent: tokens === null ? null : (100 * tokens) / contextWindow }
}

function sessionManager(runtime: PiRuntime): PiRecord {
  const { session } = runtime.api
  const find = (id: string) => allEntries(runtime).find((entry) => entry['id'] === id)
  const head = () => branchEntries(runtime).at(-1)
  return {
    getCwd: () => session.cwd,
    getSessionDir: () => session.cwd,
    getSessionId: () => session.id,
    getSessionFile: () => undefined,
    getSessionName: () => session.state()?.title,
    getHeader: () => ({ type: 'session', version: 3, id: session.id, cwd: session.cwd }),
    getEntries: () => allEntries(runtime),
    getBranch: (id?: string) => branchEntries(runtime, id),
    getEntry: find,
    getLeafId: () => head()?.['id'] ?? null,
    getLeafEntry: head,
    getLabel: (id: string) => session.state()?.labels.get(id),
    getTree: () => {
      throw unsupported('sessionManager.getTree', 'use getEntries, whose entries name their parents')
    },
    buildContextEntries: () => branchEntries(runtime),
  }
}

/** The session alone resolves models: another one has its name here, and nothing else. */
function modelRegistry(runtime: PiRuntime): PiRecord {
  const known = () => (runtime.model === undefined ? [] : [piModel(runtime.model)])
  return {
    getAll: known,
    getAvailable: known,
    find: (provider: string, id: string) =>
      known().find((model) => model['provider'] === provider && model['id'] === id) ??
      piModel({ provider, id, api: '', inputs: ['text'], reasoning: false }),
    hasConfiguredAuth: ({ provider }: { provider: string }) => provider === runtime.model?.provider,
    isUsingOAuth: () => false,
    getApiKeyForProvider: () =>
      Promise.reject(unsupported('modelRegistry.getApiKeyForProvider', 'keys stay with rxpi')),
    getApiKeyAndHeaders: () => Promise.reject(unsupported('modelRegistry.getApiKeyAndHeaders', 'keys stay with rxpi')),
    complete: (model: PiRecord, context: PiTranscript, options: CompleteOptions = {}) =>
      complete(runtime, model, context, options),
  }
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
  // prettier-ignore
  const cost = { input: prices?.input ?? 0, output: prices?.output ?? 0, cacheRead: prices?.cacheRead ?? 0, cacheWrite: prices?.cacheWrite ?? 0 } // prettier-ignore
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
async function complete(
  { api }: PiRuntime,
  { provider, id }: PiRecord,
  { systemPrompt: system = '', messages = [] }: PiTranscript,
  { maxTokens, signal }: CompleteOptions,
): Promise<PiRecord> {
  const model = `${String(provider)}/${String(id)}`
  const base = { role: 'assistant', content: [], provider, model: id, timestamp: Date.now() }
  const ending = (stopReason: string, errorMessage: string) =>
    piMessage({ ...base, usage: noUsage, stopReason, errorMessage })
  const limit = maxTokens === undefined ? {} : { maxTokens }
  try {
    const answer$ = api.models.complete({ model, system, messages: asModelMessages(messages), ...limit })
    const stopped$ = signal === undefined ? EMPTY : fromSignal(signal)
    const answer = await firstValueFrom(answer$.pipe(takeUntil(stopped$)), { defaultValue: undefined })
    return answer === undefined ? ending('aborted', 'aborted') : piMessage(answer)
  } catch (error) {
    return ending('error', Failure.from(error).message)
  }
}

const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: 'unknown' }
