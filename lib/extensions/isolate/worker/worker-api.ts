// Builds the api of an isolated extension in its worker: what is plain data crosses the border.
import { ReplaySubject } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ExtensionApi, ExtensionCommand, Registration } from '../../api/extension-api.ts'
import type { HookName } from '../../api/extension-hooks.ts'
import type { Answer, Question } from '../../../streams/ports/ask.ts'
import type { AnyTool } from '../../../streams/ports/tool.ts'
import { Failure } from '../../../streams/values/failure.ts'
import { behavior } from '../../../streams/rx/behavior.ts'
import type { Scope } from '../../../streams/rx/scope.ts'
import type { CallLink } from '../link/call-link.ts'
import { withoutMethods } from '../link/plain-data.ts'
import type { RegisterRequest, SetupInput } from '../link/requests.ts'
import { refuseMembers } from './refuse-members.ts'
import { plainTool } from './execute-tool.ts'
import type { AskNow } from './sync-requests.ts'

/** Functions of the extension by the key under which the session calls them. */
export interface WorkerFunctions {
  readonly tools: Map<string, AnyTool>
  readonly commands: Map<string, ExtensionCommand>
  readonly hooks: Map<string, (input: never) => unknown>
  /** Paths of skills and templates. */
  readonly texts: Map<string, string>
}

interface ApiParts extends SetupInput {
  readonly link: CallLink
  readonly askNow: AskNow
  readonly life: Scope
  readonly functions: WorkerFunctions
}

export function workerApi(parts: ApiParts): ExtensionApi {
  const { name, session, link, askNow, life, functions } = parts
  const register = registrar(parts)
  const config = behavior(parts.config)
  life.onEnd(config.complete)
  const members = {
    session: {
      ...session,
      send: (command: unknown) => sent(link, { command }),
      note: (text: string) => void askNow('note', { text }),
    },
    tools: {
      register: (tool: AnyTool) =>
        register(functions.tools, `tool ${tool.name}`, tool, { kind: 'tool', tool: plainTool(tool) }),
      active: () => askNow('activeTools', {}),
    },
    commands: {
      register: (command: ExtensionCommand) =>
        register(functions.commands, `command ${command.name}`, command, {
          kind: 'command',
          command: withoutMethods(command),
        }),
    },
    skills: { register: (path: string) => register(functions.texts, 'skills', path, { kind: 'skills', path }) },
    templates: {
      register: (path: string) => register(functions.texts, 'templates', path, { kind: 'templates', path }),
    },
    hooks: {
      on: (hook: HookName, run: unknown, options = {}) =>
        register(functions.hooks, `hook ${hook}`, called(run), { kind: 'hook', name: hook, options }),
    },
    policy: {
      tighten: (decide: unknown, options = {}) =>
        register(functions.hooks, 'tighten', called(decide), { kind: 'tighten', options }),
    },
    ui: {
      ask: (question: Question) => link.call$('ask', { question }) as Observable<Answer>,
      notify: (text: string, level?: 'info' | 'warning' | 'error') => void askNow('notify', { text, level }),
      status: (text: string | undefined, key?: string) => void askNow('status', { text, key }),
    },
    exec: (program: string, args: readonly string[] = [], options = {}) =>
      link.call$('exec', { program, args, options }),
    config$: config.behavior$,
    scope: life,
  }
  return refuseMembers(name, members) as unknown as ExtensionApi // what is missing of it refuses
}

type Register = <Value>(
  to: Map<string, Value>,
  base: string,
  value: Value,
  what: RegisterRequest['what'],
) => Registration

/** The third hook of a name has the same key after each start. */
function registrar({ askNow, life, name }: ApiParts): Register {
  const counts = new Map<string, number>()
  return (to, base, value, what) => {
    if (life.ended) throw new Failure('bad_request', `The extension ${name} was unloaded`)
    const count = (counts.get(base) ?? 0) + 1
    counts.set(base, count)
    const key = `${base} ${count}`
    askNow('register', { key, what })
    to.set(key, value)
    return {
      unregister: () => {
        if (to.delete(key) && !life.ended) askNow('unregister', { key })
      },
    }
  }
}

/** @throws Failure `bad_request` */
function called(hook: unknown): (input: never) => unknown {
  if (typeof hook === 'function') return hook as (input: never) => unknown
  throw new Failure('bad_request', 'A hook is a function')
}

/** Hot, as `session.send` is: the command is sent in the call itself. */
function sent(link: CallLink, input: object): Observable<unknown> {
  const response$ = new ReplaySubject<unknown>(1)
  link.call$('send', input).subscribe(response$)
  return response$.asObservable()
}
