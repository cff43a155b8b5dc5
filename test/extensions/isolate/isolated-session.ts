// Opens a session's set of extensions with one that runs in a worker thread.
/* eslint-disable rxjs-x/no-ignored-default-value -- a test fails if nothing is emitted */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { EMPTY, Subject, firstValueFrom, from, lastValueFrom, of, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ExtensionApi } from '../../../lib/extensions/api/extension-api.ts'
import { withIsolated } from '../../../lib/extensions/isolate/host/isolated-extension.ts'
import type { IsolateOptions } from '../../../lib/extensions/isolate/host/isolated-extension.ts'
import { extensionSet } from '../../../lib/extensions/lifecycle/extension-set.ts'
import type { ModuleFile } from '../../../lib/extensions/loader/load-module.ts'
import type { ExtensionSet } from '../../../lib/extensions/lifecycle/set-contract.ts'
import { readDefinition } from '../../../lib/extensions/manifest/read-manifest.ts'
import { programUrl } from '../../../lib/services/extensions/isolate-program.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { AnyTool, ToolContext, ToolProgress, ToolResult } from '../../../lib/streams/ports/tool.ts'
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { emptySession } from '../../../lib/streams/state/fold-session.ts'
import type { Failure } from '../../../lib/streams/values/failure.ts'
import { shareCompileCache } from '../../support/compile-cache.ts'

shareCompileCache()

export interface IsolatedSession {
  readonly set: ExtensionSet
  readonly events: AgentEvent[]
  /** Questions and commands of the extension. */
  readonly requests: object[]
  readonly lost: Failure[]
}

interface Written extends Partial<Pick<IsolateOptions, 'graceMs' | 'loadMs' | 'stillMs' | 'memoryMb' | 'checkFiles$'>> {
  readonly folder: string
  /** The body of `setup(api)`. */
  readonly setup: string
  /** Before the definition. */
  readonly top?: string
  readonly settings?: Readonly<Record<string, unknown>>
  /** Where its compiled code is stored. Default: nowhere. */
  readonly code?: ModuleFile['code']
  /** Returns the API that the extension's `setup` gets. */
  readonly watch?: (api: ExtensionApi) => ExtensionApi
}

/** The session is open when the extension is set up. */
export async function openIsolated(written: Written): Promise<IsolatedSession> {
  const { loaded$, ...session } = prepareIsolated(written)
  await lastValueFrom(loaded$.pipe(toArray()))
  return { ...session, ...connect(session.set) }
}

/** `loaded$` loads the extension. */
export function prepareIsolated({ folder, setup, top = '', settings, code, watch = (api) => api, ...limits }: Written) {
  const entry = path.join(folder, 'probe.ts')
  writeFileSync(
    entry,
    `import { Observable, of, timer, NEVER } from 'rxjs'\n${top}
     const text = (value: unknown) => ({ type: 'result', content: [{ type: 'text', text: String(value) }] })
     const tool = (execute: unknown, more = {}) => ({ name: 'probe', description: 'Probes', parameters: { type: 'object', properties: {} }, capability: 'read', execute, ...more })
     const command = (run: unknown) => ({ name: 'probe', description: 'Probes', run })
     export default { name: 'probe', version: '1.0.0', capabilities: ['read', 'exec', 'session'], setup(api) { ${setup} } }`,
  )
  const env = { PATH: process.env['PATH'] ?? '', VISIBLE: 'yes' }
  const set = extensionSet({ host: { id: 's', cwd: folder, env, ownTools: [] }, ...(settings && { settings }) })
  const lost: Failure[] = []
  const options: IsolateOptions = {
    ...{
      program: programUrl,
      name: 'probe',
      env,
      memoryMb: 256,
      checkFiles$: EMPTY,
      file: { entry, root: entry, code },
    },
    onLost: ({ failure, isReported }) => {
      lost.push(failure)
      if (!isReported) set.faults.report('probe', 'its worker', failure)
    },
    onAbandon: (failure) => {
      set.faults.report('probe', 'the start of a new worker', failure)
      set.unload('probe', 'failed').subscribe()
    },
    ...limits,
  }
  const loaded$ = withIsolated(options, (exported) => {
    const watched = { ...exported, setup: (api: ExtensionApi) => exported.setup(watch(api)) }
    return set.load(readDefinition(watched, { path: entry, rxpiVersion: 'development' }))
  })
  return { set, lost, loaded$ }
}

function connect(set: ExtensionSet): Pick<IsolatedSession, 'events' | 'requests'> {
  const events: AgentEvent[] = []
  const requests: object[] = []
  set.connect({
    event$: new Subject<AgentEvent>(),
    state: () => emptySession(),
    send: (sent) => {
      requests.push(sent)
      return of({ ok: true })
    },
    ask: (question) => {
      requests.push(question)
      return question.kind === 'notify' ? EMPTY : of({ outcome: true, by: 'client' })
    },
    publish: (event) => void events.push(event),
    model: () => scriptedModel,
    activeTools: () => [],
    registeredTools: () => [],
    recorded: () => [],
    complete: () => EMPTY,
  })
  return { events, requests }
}

export async function closeIsolated({ set }: Pick<IsolatedSession, 'set'>): Promise<void> {
  await lastValueFrom(set.close().pipe(toArray()))
}

export function toolOf({ set }: IsolatedSession): AnyTool {
  const [entry] = set.contributions.tools.entries
  if (entry === undefined) throw new Error('there is no tool')
  return entry.value
}

type Output = Observable<ToolProgress | ToolResult>

export function callTool(session: IsolatedSession, args: object = {}, more: Partial<ToolContext> = {}): Output {
  const { signal } = new AbortController()
  const context = { cwd: '/', env: {}, sessionId: 's', toolCallId: 'c', signal, ask: () => EMPTY, ...more }
  return from(toolOf(session).execute(args as never, context as ToolContext) as Output)
}

/** The text of the tool's result. */
export async function resultOf(session: IsolatedSession, args: object = {}): Promise<string> {
  const result = await lastValueFrom(callTool(session, args))
  return result.type === 'result' && result.content[0]?.type === 'text' ? result.content[0].text : ''
}

/** What the command of the extension answers. */
export async function runCommand({ set }: IsolatedSession, args = ''): Promise<unknown> {
  const [entry] = set.contributions.commands.entries
  return entry && firstValueFrom(from(entry.value.run(args) as Observable<unknown>), { defaultValue: undefined })
}

export function warningsOf({ events }: IsolatedSession): string[] {
  return events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))
}
