// The object that a module of pi receives: what it registers, and what it does to its session.
import { catchError, firstValueFrom, map, of } from 'rxjs'
import { Failure } from '../../../streams/values/failure.ts'
import type { ThinkingLevel } from '../../../streams/models/model.ts'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import { whyNever } from '../contract/pi-limits.ts'
import { unsupported } from '../contract/unsupported.ts'
import type { PiCommand, PiFlag, PiHandler, PiRenderer, PiShortcut } from '../contract/pi-registrations.ts'
import type { PiContent, PiMessage, PiRecord, PiTool } from '../contract/pi-shapes.ts'
import { sessionBus } from './event-bus.ts'
import { command } from './pi-context.ts'
import { registerPiProvider } from './pi-provider.ts'
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
    unregisterProvider: () => {
      throw unsupported('pi.unregisterProvider', 'models stay until the extension is unloaded')
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
      if (api.session.state() !== undefined && !isKnown)
        limits.report(
          'pi.registerTool in an open session',
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
      const name = `key:${key.replaceAll('+', '-')}`
      registerCommand(runtime, name, options.description ?? `The shortcut ${key}`, () =>
        options.handler(runtime.context),
      )
      shortcuts.set(key, options)
      limits.report(`pi.registerShortcut('${key}')`, `the command /${name} does what the key does`)
    },
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

/** A command answers nothing: what it says it shows by `ctx.ui`. */
export function registerCommand(
  { api }: PiRuntime,
  name: string,
  description: string,
  act: (args: string) => unknown,
): void {
  const run = async (args: string): Promise<undefined> => {
    await act(args)
    return undefined
  }
  api.commands.register({ name, description, run })
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
    return await firstValueFrom(result$.pipe(map(({ code, stdout, stderr, timedOut }) => ({ code: code ?? 1, stdout, stderr, killed: timedOut }))), { defaultValue: {} }) // prettier-ignore
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
