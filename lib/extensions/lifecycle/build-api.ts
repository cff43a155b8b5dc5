// Builds what one extension gets in `setup`: every registration ends with its scope.
import { ReplaySubject, defer, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { Scope } from '../../streams/rx/scope.ts'
import { Failure } from '../../streams/values/failure.ts'
import { defaultHookLimitMs, extensionCommandTypes } from '../api/extension-api.ts'
import type { ExtensionApi, HookOptions, Registration } from '../api/extension-api.ts'
import type { ExtensionHook, HookName } from '../api/extension-hooks.ts'
import type { ApiParts } from './api-parts.ts'
import { checkCommand, checkTexts, needCapability, watchedTool } from './check-registration.ts'
import type { HookRegistries, TimedHook } from './contributions.ts'
import { execProgram } from './exec-program.ts'
import type { Registry } from './contribution-registry.ts'
import { buildModelsApi } from './models-api.ts'
import type { ConnectedSession } from './session-host.ts'
import { surfacePart } from './surface-api.ts'
import { buildUiApi } from './ui-api.ts'

const longestLimitMs = 2 ** 31 - 1

export function buildApi(parts: ApiParts): ExtensionApi {
  const { contributions, config$, life, host } = parts
  const add = adder(parts)
  return {
    session: sessionPart(parts),
    tools: {
      register: (tool) => add(contributions.tools, watchedTool(parts, tool)),
      active: () => (parts.connected()?.activeTools() ?? []).map(({ name }) => name),
      all: () => parts.connected()?.registeredTools() ?? [],
    },
    commands: { register: (command) => add(contributions.commands, checkCommand(parts, command)) },
    skills: { register: (file) => add(contributions.skills, checkTexts(parts, 'skills', file)) },
    templates: { register: (file) => add(contributions.templates, checkTexts(parts, 'templates', file)) },
    hooks: { on: (name, hook, options) => addHook(add, contributions.hooks, name, timed(hook, options), options) },
    context: {
      transform: (transform, options) => add(contributions.transforms, transform, options?.priority),
      sections: (transform, options) => add(contributions.sections, transform, options?.priority),
    },
    events: eventsPart(parts),
    ui: { ...buildUiApi(parts, add, () => requireOpen(parts)), ...surfacePart(parts) },
    stopRules: { add: (rule) => add(contributions.stopRules, rule) },
    policy: { tighten: (decide, options) => add(contributions.tighten, timed(decide, options), options?.priority) },
    models: buildModelsApi(parts, add, () => requireOpen(parts)),
    exec: (name, args = [], options = {}) =>
      defer(() => {
        needCapability(parts, 'exec', `exec ${name}`)
        return execProgram({ ...options, name, args, host })
      }).pipe(life.bind()),
    config$,
    scope: life,
  }
}

type Add = <Value>(to: Registry<Value>, value: Value, priority?: number) => Registration

/** A registration that the end of the extension takes back. After that nothing is registered any more. */
function adder({ manifest: { name }, life }: ApiParts): Add {
  return (to, value, priority = 0) => {
    if (life.ended) throw endedFailure(name)
    if (!Number.isFinite(priority)) throw new Failure('bad_request', `The priority ${priority} is no number`)
    const registration = to.add({ owner: name, value, priority, end$: life.end$ })
    const own = life.child() // the scope of the extension must not collect what was taken back
    own.onEnd(registration.unregister)
    return { unregister: own.end }
  }
}

function addHook<Name extends HookName>(
  add: Add,
  hooks: HookRegistries,
  name: Name,
  hook: TimedHook<ExtensionHook<Name>>,
  { priority }: HookOptions = {},
): Registration {
  if (!Object.hasOwn(hooks, name)) {
    throw new Failure(
      'bad_request',
      `There is no hook ${JSON.stringify(name)}; the hooks are ${Object.keys(hooks).join(', ')}`,
    )
  }
  return add(hooks[name] as Registry<TimedHook<ExtensionHook<Name>>>, hook, priority)
}

function timed<Hook>(hook: Hook, { limitMs = defaultHookLimitMs }: HookOptions = {}): TimedHook<Hook> {
  if (typeof hook !== 'function') throw new Failure('bad_request', 'A hook is a function')
  if (!(limitMs > 0 && limitMs <= longestLimitMs)) {
    throw new Failure('bad_request', `limitMs is ${limitMs}; it is between 1 and ${longestLimitMs}`)
  }
  return { hook, limitMs }
}

function sessionPart(parts: ApiParts): ExtensionApi['session'] {
  const { host, connected, addNote, life } = parts
  return {
    id: host.id,
    cwd: host.cwd,
    state: () => connected()?.state(),
    model: () => connected()?.model(),
    send: (command) =>
      // hot, as `Session.send` is: the command is sent in the call itself
      sendNow(parts, command).pipe(life.bind()),
    note: (text) => {
      addNote(text)
    },
    recorded: (customType) => defer(() => requireOpen(parts).recorded(customType)).pipe(life.bind()),
    reload: () => {
      requireOpen(parts)
      return parts.reload()
    },
    requestLeave: () => {
      requireOpen(parts).publish(leaveEvent(parts.manifest.name))
    },
    requestOpen: (session) => {
      requireOpen(parts).publish(openEvent(parts.manifest.name, session))
    },
  }
}

function sendNow(parts: ApiParts, command: Parameters<ExtensionApi['session']['send']>[0]): Observable<object> {
  try {
    if (!extensionCommandTypes.includes(command.type)) {
      throw new Failure(
        'bad_request',
        `Extensions may not send ${JSON.stringify(command.type)}; they may send ${extensionCommandTypes.join(', ')}`,
      )
    }
    needCapability(parts, 'session', `session.send ${command.type}`)
    const sent$ = requireOpen(parts).send(command, parts.manifest.name)
    return command.type === 'set_scenario_phase' ? startNow(sent$, parts.life) : sent$
  } catch (thrown) {
    return throwError(() => Failure.from(thrown))
  }
}

/** Starts in the call, whoever subscribes to the result. The end of the extension ends it, and withdraws its question. */
function startNow<Value>(source$: Observable<Value>, life: Scope): Observable<Value> {
  const result$ = new ReplaySubject<Value>(1)
  source$.pipe(life.bind()).subscribe(result$)
  return result$.asObservable()
}

/** @throws Failure `bad_request` */
function requireOpen({ connected, manifest, life }: ApiParts): ConnectedSession {
  if (life.ended) throw endedFailure(manifest.name)
  const session = connected()
  if (session !== undefined) return session
  throw new Failure(
    'bad_request',
    `The session is not open yet; the extension ${manifest.name} has to wait for the hook session_start`,
  )
}

function eventsPart({ deriver, manifest: { name }, life, faults, whenOpen }: ApiParts): ExtensionApi['events'] {
  return {
    event$: deriver.eventsFor(name).pipe(life.bind()),
    derive: (project) => {
      const own = life.child()
      whenOpen(() => {
        if (own.ended) return
        const subscription = deriver.derive(
          name,
          (event$) => project(event$.pipe(own.bind())),
          (thrown) => faults.report(name, 'a derived stream', thrown),
        )
        own.onEnd(() => {
          subscription.unsubscribe()
        })
      })
      return { unregister: own.end }
    },
  }
}

function leaveEvent(extension: string): AgentEvent {
  const message = `The extension ${extension} says that the work is done: clients leave when the session is idle`
  return { type: 'status', code: 'extension_leave', message, context: { extension }, recoverable: true }
}

function openEvent(extension: string, session: string | undefined): AgentEvent {
  const message = `The extension ${extension} goes on in ${session === undefined ? 'a new session' : `the session ${session}`}`
  const context = { extension, session: session ?? null }
  return { type: 'status', code: 'extension_open', message, context, recoverable: true }
}

function endedFailure(name: string): Failure {
  return new Failure('bad_request', `The extension ${name} was unloaded`)
}
