// Declares what the worker of an extension asks of its session, and what the session calls in it.
import type { ExecOptions } from '../../api/extension-api.ts'
import type { HookName } from '../../api/extension-hooks.ts'
import type { ModuleFile } from '../../loader/load-module.ts'
import type { EventNamed } from '../../../streams/events/event.ts'
import type { ToolContext } from '../../../streams/ports/tool.ts'

/** Something that the worker registers; `key` stays the same after a restart. */
export interface RegisterRequest {
  readonly key: string
  readonly what:
    | { readonly kind: 'tool'; readonly tool: Readonly<Record<string, unknown>> }
    | { readonly kind: 'command'; readonly command: Readonly<Record<string, unknown>> }
    | { readonly kind: 'hook'; readonly name: HookName; readonly options: object }
    | { readonly kind: 'tighten'; readonly options: object }
    | { readonly kind: 'skills' | 'templates'; readonly path: string }
}

/** Answered at once, by name. */
export interface SyncRequests {
  register: RegisterRequest
  unregister: { readonly key: string }
  activeTools: Record<string, never>
  notify: { readonly text: string; readonly level?: 'info' | 'warning' | 'error' | undefined }
  status: { readonly text: string | undefined; readonly key?: string | undefined }
  note: { readonly text: string }
  plan: { readonly call: string; readonly items: EventNamed<'plan_update'>['items'] }
}

/** Calls of the worker, by name. */
export interface WorkerCalls {
  ask: { readonly question: unknown }
  /** A question of a running tool call. */
  askInCall: { readonly call: string; readonly question: unknown }
  proposePlan: { readonly call: string; readonly plan: string }
  send: { readonly command: unknown }
  exec: { readonly program: string; readonly args: readonly string[]; readonly options: ExecOptions }
}

/** Tool context that crosses the border. `call` names the tool call in questions. */
export interface PlainToolContext extends Pick<ToolContext, 'cwd' | 'env' | 'sessionId' | 'toolCallId'> {
  readonly call: string
  readonly hasPlan: boolean
  readonly hasProposePlan: boolean
}

/** The input of `setup`. */
export interface SetupInput {
  readonly session: { readonly id: string; readonly cwd: string }
  /** Of the extension. */
  readonly name: string
  readonly config: unknown
}

/** Calls in the worker, by name. */
export interface SessionCalls {
  load: ModuleFile
  setup: SetupInput
  tool: { readonly key: string; readonly args: unknown; readonly context: PlainToolContext }
  command: { readonly key: string; readonly args: string }
  hook: { readonly key: string; readonly input: unknown }
  end: Record<string, never>
}
