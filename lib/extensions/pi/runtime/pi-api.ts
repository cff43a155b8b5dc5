// The object that a module of pi receives: what it registers, and what it does to its session.
import { catchError, firstValueFrom, map, of } from 'rxjs'
import { Failure } from '../../../streams/values/failure.ts'
import type { ThinkingLevel } from '../../../streams/models/model.ts'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import { whyNever } from '../contract/pi-limits.ts'
import type { PiCommand, PiFlag, PiHandler, PiRenderer, PiShortcut } from '../contract/pi-registrations.ts'
import type { PiContent, PiMessage, PiRecord, PiTool } from '../contract/pi-shapes.ts'
import { sessionBus } from './event-bus.ts'
import { command } from './pi-context.ts'
import { registerPiProvider, unregisterPiProvider } from '../providers/pi-provider.ts'
import { piTool } from './pi-tool.ts'
import { appendOwnEntry, sendCustomMessage, sendText } from './send-messages.ts'
import type { Publish } from './send-messages.ts'

/** `pi` */
export function piApi(runtime: PiRuntime, publish: Publish): PiRecord {
  return {
    ...registering(runtime),
    ...describing(runtime),
    ...sending(runtime, publish),
    ...choosing(runtime),
    registerProvider: (provider: unknown, config?: PiRecord) => {
      registerPiProvider(runtime, provider, config)
    },
    unregisterProvider: (name: string) => {
      unregisterPiProvider(runtime, name)
    },
    events: sessionBus(runtime.api.session.id, runtime.api.scope, (error) => {
      runtime.api.ui.notify(`${runtime.path}: a handler of pi.events failed: ${Failure.from(error).message}`, 'error')
    }),
  }
}

function registering(runtime: PiRuntime): PiRecord {
  const { api, handlers, tools, commands, shortcuts, limits } = runtime
  return {
    on: (event: string, handler: PiHandler) => {
      const why = whyNever(event)
      if (why !== undefined) limits.report(`pi.on('${event}')`, `${why}, so the handler is never called`)
      handlers.set(event, [...(handlers.get(event) ?? []), handler])
      return () => {
        handlers.set(
          event,
          (handlers.get(event) ?? []).filter((one) => one !== handler),
        )
      }
    },
    registerTool: (tool: PiTool) => {
      const isKnown = api.tools.all().some(({ name }) => name === tool.name) // loaded anew
      const hasRequests = runtime.model !== undefined // by then requests have their list of tools
      if (hasRequests && !isKnown)
        limits.report(
          'pi.registerTool behind the first request',
          'models call the tool through use_tool, so that the cache holds',
        )
      api.tools.register(piTool(runtime, tool))
      tools.set(tool.name, tool)
    },
    registerCommand: (name: string, options: PiCommand) => {
      registerCommand(runtime, name, options.description ?? `A command of ${runtime.path}`, (args) =>
        options.handler(args, runtime.context),
      )
      commands.set(name, options)
    },
    registerShortcut: (key: string, options: PiShortcut) => {
      const name = `key:${key.split('+').map(keyWord).join('-')}`
      registerCommand(runtime, name, options.description ?? `The shortcut ${key}`, () =>
        options.handler(runtime.context),
      )
      shortcuts.set(key, options)
      bindShortcut(runtime, key, name, options.description ?? '')
    },
  }
}

/** Names of commands have letters and digits: a key that is another character has its number there. */
function keyWord(key: string): string {
  return /^\w+$/.test(key) ? key : `u${(key.codePointAt(0) ?? 0).toString(16)}`
}

/** A key that cannot be bound is a command alone. */
function bindShortcut({ api, limits }: PiRuntime, key: string, command: string, description: string): void {
  try {
    api.ui.bindKey({ key: key.toLowerCase(), command, description: description.slice(0, 200) })
  } catch (error) {
    const why = `${Failure.from(error).message}; the command /${command} does what the key does`
    limits.report(`pi.registerShortcut('${key}')`, why)
  }
}

/** Flags and renderers. */
function describing({ api, flags, limits, messageRenderers, entryRenderers }: PiRuntime): PiRecord {
  return {
    registerFlag: (name: string, flag: PiFlag) => {
      if (flag.default !== undefined && typeof flag.default !== flag.type)
        throw new Failure('bad_request', `The default of the flag ${name} is no ${flag.type}`)
      flags.set(name, flag)
    },
    getFlag: (name: string) => {
      const flag = flags.get(name)
      return flag === undefined ? undefined : (api.config$.value.flags?.[name] ?? flag.default)
    },
    registerMessageRenderer: (customType: string, renderer: PiRenderer) => {
      messageRenderers.set(customType, renderer)
    },
    registerEntryRenderer: (customType: string, renderer: PiRenderer) => {
      entryRenderers.set(customType, renderer)
    },
    registerMarkdownTransformer: () => {
      limits.report('pi.registerMarkdownTransformer', 'a client draws messages as they are')
    },
  }
}

/** A command answers nothing: what it says it shows by `ctx.ui`. A name that is taken is reported, and the module goes on. */
export function registerCommand(
  { api, limits }: PiRuntime,
  name: string,
  description: string,
  act: (args: string) => unknown,
): void {
  const run = async (args: string): Promise<undefined> => {
    await act(args)
    return undefined
  }
  try {
    api.commands.register({ name, description, run })
  } catch (error) {
    limits.report(`pi.registerCommand('${name}')`, `it is not there: ${Failure.from(error).message}`)
  }
}

function sending(runtime: PiRuntime, publish: Publish): PiRecord {
  const { api } = runtime
  return {
    sendMessage: (
      message: PiMessage & { customType: string },
      options?: { triggerTurn?: boolean; deliverAs?: 'steer' },
    ) => {
      sendCustomMessage(runtime, publish, message, options)
    },
    sendUserMessage: (content: PiContent, options: { deliverAs?: 'steer'; expandPromptTemplates?: boolean } = {}) => {
      sendText(runtime, content, options.deliverAs, { expand: options.expandPromptTemplates === true })
    },
    appendEntry: (customType: string, data?: unknown) => {
      appendOwnEntry(runtime, publish, { customType, data })
    },
    setSessionName: (title: string) => {
      command(runtime, { type: 'rename_session', title })
    },
    getSessionName: () => api.session.state()?.title,
    setLabel: (entryId: string, label: string | undefined) => {
      command(runtime, { type: 'set_label', entryId, label: label ?? null })
    },
    exec: (program: string, args: readonly string[], options: { cwd?: string; timeout?: number } = {}) =>
      execute(runtime, program, args, options),
  }
}

/** As pi's `exec`: a program that is not there is a result with code 1. */
async function execute(
  { api }: PiRuntime,
  program: string,
  args: readonly string[],
  { cwd, timeout }: { readonly cwd?: string; readonly timeout?: number },
): Promise<PiRecord> {
  const options = { ...(cwd !== undefined && { cwd }), ...(timeout !== undefined && { timeoutMs: timeout }) }
  try {
    const result$ = api.exec(program, args, options)
    return await firstValueFrom(
      result$.pipe(
        map(({ code, stdout, stderr, timedOut }) => ({ code: code ?? 1, stdout, stderr, killed: timedOut })),
      ),
      { defaultValue: {} },
    )
  } catch (error) {
    return { code: 1, stdout: '', stderr: Failure.from(error).message, killed: false }
  }
}

function choosing(runtime: PiRuntime): PiRecord {
  const { api, commands } = runtime
  const source = { path: runtime.path, source: 'local', scope: 'temporary', origin: 'top-level' }
  return {
    getActiveTools: () => [...api.tools.active()],
    getAllTools: () =>
      api.tools
        .all()
        .map(({ name, description, parameters }) => ({ name, description, parameters, sourceInfo: source })),
    setActiveTools: (names: readonly string[]) => {
      const known = new Set(api.tools.all().map(({ name }) => name))
      command(runtime, { type: 'set_active_tools', tools: names.filter((name) => known.has(name)) })
    },
    getCommands: () =>
      [...commands].map(([name, { description }]) => ({ name, description, source: 'extension', sourceInfo: source })),
    setModel: ({ provider, id }: { provider: string; id: string }) => {
      const answer$ = api.session.send({ type: 'set_model', model: `${provider}/${id}` })
      return firstValueFrom(
        answer$.pipe(
          map(() => true),
          catchError(() => of(false)),
        ),
        { defaultValue: true },
      )
    },
    getThinkingLevel: () => api.session.state()?.thinkingLevel ?? 'off',
    setThinkingLevel: (level: string) => {
      command(runtime, {
        type: 'set_thinking_level',
        thinkingLevel: (level === 'max' ? 'xhigh' : level) as ThinkingLevel,
      }) // checked by the session
    },
  }
}
