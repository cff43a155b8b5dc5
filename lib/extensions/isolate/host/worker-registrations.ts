// Registers for a worker what it asks for, and keeps it registered while the worker is restarted.
// Guarantees: a gate stays closed during a restart, because its calls wait for the new worker.
import { EMPTY, Observable, defer, filter, map, mergeMap, take, throwIfEmpty } from 'rxjs'
import type { BehaviorSubject } from 'rxjs'
import type { ExtensionApi, ExtensionCommand, ExtensionCommandAnswer, Registration } from '../../api/extension-api.ts'
import type { ExtensionHook, HookName } from '../../api/extension-hooks.ts'
import type { AnyTool, ToolContext, ToolProgress, ToolResult } from '../../../streams/ports/tool.ts'
import { Failure } from '../../../streams/values/failure.ts'
import { isRecord, isSameJson } from '../../../streams/values/json.ts'
import { plainInput, withoutMethods } from '../link/plain-data.ts'
import type { RegisterRequest } from '../link/requests.ts'
import type { IsolateThread } from './isolate-thread.ts'

export interface WorkerRegistrations {
  register(request: RegisterRequest): void
  unregister(key: string): void
  /** A new worker begins to register. */
  begin(): void
  /** It has registered: what it did not register again goes. */
  finish(): void
  /** The context of a running tool call. @throws Failure `bad_request` if there is none */
  contextOf(call: string): ToolContext
}

interface Held {
  readonly what: RegisterRequest['what']
  readonly registration: Registration
}

interface Parts {
  readonly api: ExtensionApi
  /** Of the extension. */
  readonly name: string
  /** The worker that is set up; undefined while there is none. */
  readonly thread$: BehaviorSubject<IsolateThread | undefined>
  readonly contexts: Map<string, ToolContext>
}

export function workerRegistrations(shared: Omit<Parts, 'contexts'>): WorkerRegistrations {
  const held = new Map<string, Held>()
  const contexts = new Map<string, ToolContext>()
  let renewed = new Set<string>()
  const unregister = (key: string): void => {
    held.get(key)?.registration.unregister()
    held.delete(key)
  }
  return {
    register: ({ key, what }) => {
      renewed.add(key)
      const before = held.get(key)
      if (before !== undefined && isSameJson(before.what, what)) return
      const registration = add({ ...shared, contexts }, key, what)
      before?.registration.unregister()
      held.set(key, { what, registration })
    },
    unregister,
    begin: () => {
      renewed = new Set()
    },
    finish: () => {
      for (const key of [...held.keys()]) if (!renewed.has(key)) unregister(key)
    },
    contextOf: (call) => {
      const context = contexts.get(call)
      if (context === undefined) throw new Failure('bad_request', 'The tool call has ended')
      return context
    },
  }
}

function add(parts: Parts, key: string, what: RegisterRequest['what']): Registration {
  const { api } = parts
  switch (what.kind) {
    case 'tool':
      return api.tools.register(workerTool(parts, key, what.tool))
    case 'command':
      return api.commands.register({
        ...(what.command as unknown as ExtensionCommand), // `checkCommand` looks at its fields
        run: (args) => call$(parts, 'command', { key, args }) as Observable<ExtensionCommandAnswer | undefined>,
      })
    case 'skills':
    case 'templates':
      return api[what.kind].register(what.path)
    case 'hook':
      return api.hooks.on(what.name, workerHook(parts, what.name, key), what.options)
    case 'tighten':
      return api.policy.tighten(
        (input) => call$(parts, 'hook', { key, input: plainInput(input) }) as never,
        what.options,
      )
  }
}

/** A shutdown does not wait for a worker that is being started. Other hooks do, each up to its time limit. */
function workerHook<Name extends HookName>(parts: Parts, name: Name, key: string): ExtensionHook<Name> {
  return ((input: unknown) => {
    if (name === 'shutdown' && parts.thread$.value === undefined) return EMPTY
    const answer$ = call$(parts, 'hook', { key, input: plainInput(input) })
    return name === 'context' ? answer$.pipe(map((answer) => withOwnTools(answer, input))) : answer$
  }) as ExtensionHook<Name> // the worker answers what the hook of this name does
}

/** A context whose tools are those of the input again, as far as the worker left them as they were. */
function withOwnTools(answer: unknown, input: unknown): unknown {
  if (!isRecord(answer) || !isRecord(input) || !Array.isArray(answer['tools'])) return answer
  const own = input['tools'] as readonly AnyTool[]
  const tools = answer['tools'].map(
    (tool: unknown) => own.find((each) => isSameJson(withoutMethods(each), tool)) ?? tool,
  )
  return { ...answer, tools }
}

function workerTool(parts: Parts, key: string, tool: Readonly<Record<string, unknown>>): AnyTool {
  const execute: AnyTool['execute'] = (args, context) =>
    defer(() => {
      const call = `${key} ${context.toolCallId}`
      const { cwd, env, sessionId, toolCallId } = context
      const own = {
        cwd,
        env,
        sessionId,
        toolCallId,
        call,
        hasPlan: context.plan !== undefined,
        hasProposePlan: context.proposePlan !== undefined,
      }
      parts.contexts.set(call, context)
      const values$ = call$(parts, 'tool', { key, args, context: own }, () => context.signal)
      return new Observable<ToolProgress | ToolResult>((subscriber) => {
        subscriber.add(() => parts.contexts.delete(call))
        subscriber.add((values$ as Observable<ToolProgress | ToolResult>).subscribe(subscriber))
      })
    })
  return { ...tool, execute } as unknown as AnyTool // the session checks its fields
}

/** Calls the worker, as soon as it is set up. Fails with `cancelled` if the extension is unloaded before that. */
function call$(
  { thread$, name: owner }: Pick<Parts, 'thread$' | 'name'>,
  name: 'tool' | 'command' | 'hook',
  input: object,
  signal?: () => AbortSignal,
): Observable<unknown> {
  return thread$.pipe(
    filter((thread) => thread !== undefined),
    take(1),
    throwIfEmpty(() => new Failure('cancelled', `The extension ${owner} was unloaded`)),
    mergeMap((thread) => thread.call$(name, input, signal)),
  )
}
