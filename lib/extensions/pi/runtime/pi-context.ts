// The context that handlers, commands and tools of a module of pi receive.
import { filter, firstValueFrom, race, take } from 'rxjs'
import { Failure } from '../../../streams/values/failure.ts'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import { unsupported } from '../contract/unsupported.ts'
import type { PiRecord } from '../contract/pi-shapes.ts'
import { modelOf, modelRegistry } from './model-registry.ts'
import { allEntries, branchEntries } from './own-entries.ts'
import { replaceSession } from './replace-session.ts'
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

/** Members that handlers do not get. */
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
    newSession: (options?: object) => replaceSession(runtime, 'ctx.newSession', undefined, options),
    fork: (entryId: string, options?: object) => fork(runtime, entryId, options),
    switchSession: absent('ctx.switchSession', 'a client opens sessions'),
    reload: () => firstValueFrom(session.reload(), { defaultValue: undefined }),
  }
}

/** A copy of the branch, which clients open. */
async function fork(runtime: PiRuntime, entryId: string, options?: object): Promise<{ readonly cancelled: boolean }> {
  const { session, ui } = runtime.api
  if (ui.screen() === undefined) throw unsupported('ctx.fork', 'no client that opens sessions is attached')
  const { position = 'before' } = (options ?? {}) as { readonly position?: 'before' | 'at' }
  const entry = session.state()?.entries.get(entryId)
  const from = position === 'at' ? entryId : (entry?.parentId ?? null)
  if (from === null) return replaceSession(runtime, 'ctx.fork', undefined, options) // before the first message
  const copy$ = session.send({ type: 'branch_session', entryId: from, newFile: true })
  const { session: copy } = (await firstValueFrom(copy$, { defaultValue: {} })) as { readonly session?: string }
  if (copy === undefined) return { cancelled: true }
  return replaceSession(runtime, 'ctx.fork', copy, options)
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
    getTree: () => entryTree(runtime),
    buildContextEntries: () => branchEntries(runtime),
  }
}

/** The entries without a parent, each with those below it. */
function entryTree(runtime: PiRuntime): PiRecord[] {
  const nodes = new Map(
    allEntries(runtime).map((entry) => [
      entry['id'],
      { entry, children: new Array<PiRecord>(), label: runtime.api.session.state()?.labels.get(String(entry['id'])) },
    ]),
  )
  const roots: PiRecord[] = []
  for (const node of nodes.values()) (nodes.get(node.entry['parentId'])?.children ?? roots).push({ ...node })
  return roots
}
