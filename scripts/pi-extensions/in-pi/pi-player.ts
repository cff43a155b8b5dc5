// Plays a situation in pi itself, with its SDK, and records what the extension does.
import path from 'node:path'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { ExtensionRecord, Registered, Shown } from '../contract/extension-record.ts'
import type { MockEndpoint } from '../play/mock-endpoint.ts'
import { messageLine } from '../play/message-line.ts'
import { plainText } from '../contract/plain-text.ts'
import type { PiCodingAgent, PiEntry, PiExtension, PiLoadResult, PiRuntime, PiTui } from './pi-shapes.ts'
import { playSteps } from '../play/play-steps.ts'
import type { Player } from '../play/play-steps.ts'
import { UserAnswers } from '../contract/user-answers.ts'
import { recordUi } from './record-ui.ts'
import type { Situation } from '../contract/situation.ts'
import { watchHandlers } from '../play/watch-handlers.ts'

export interface PiRun {
  /** The package of pi's coding agent. */
  readonly packageFolder: string
  /** The module of the extension; undefined plays the situation without one. */
  readonly extension: string | undefined
  readonly situation: Situation
  readonly cwd: string
  readonly agentDir: string
  readonly mode: 'tui' | 'rpc'
  readonly endpoint: MockEndpoint
  /** What the extension prints, as long as it runs. */
  readonly printed: string[]
}

/** The state of a run that is still going on. */
interface Open {
  readonly shown: Shown[]
  readonly events: string[]
  readonly errors: string[]
  extensions: readonly PiExtension[]
  loadError: string | undefined
  /** Lines of conversations that were left. */
  earlier: string[]
}

export async function playInPi(run: PiRun): Promise<ExtensionRecord> {
  const pi = await load<PiCodingAgent>(run.packageFolder, 'dist/index.js')
  const theme = await load<PiTheme>(run.packageFolder, 'dist/modes/interactive/theme/theme.js')
  pi.initTheme('dark')
  const open: Open = { shown: [], events: [], errors: [], extensions: [], loadError: undefined, earlier: [] }
  const runtime = await openRuntime(pi, run, open)
  const ui = recordUi({ ...(await terminalParts(run.packageFolder)), theme: theme.theme, editorTheme: theme.getEditorTheme(), answers: new UserAnswers(run.situation.answers), shown: open.shown, mode: run.mode }) // prettier-ignore
  const bind = (): Promise<void> => bindSession(runtime, ui, { ...run, open })
  runtime.setRebindSession(bind)
  await bind()
  const { endpoint, cwd } = run
  await playSteps(piPlayer(runtime, open), run.situation, { endpoint, cwd, errors: open.errors })
  const transcript = [...open.earlier, ...branchLines(runtime)]
  const registered = registrations(open.extensions)
  await runtime.dispose()
  const { loadError, shown, events, errors } = open
  const facts = { registered, shown, events, errors, requests: endpoint.requests, transcript, printed: run.printed }
  return { ...(loadError !== undefined && { loadError }), ...facts }
}

interface PiTheme {
  readonly theme: unknown
  getEditorTheme(): unknown
}

async function load<Module>(folder: string, file: string): Promise<Module> {
  return (await import(pathToFileURL(path.join(folder, file)).href)) as Module // described in pi-shapes.ts
}

async function openRuntime(pi: PiCodingAgent, run: PiRun, open: Open): Promise<PiRuntime> {
  const { cwd, agentDir, extension, situation } = run
  const watch = (base: PiLoadResult): PiLoadResult => {
    for (const { handlers } of base.extensions) watchHandlers(handlers, open.events)
    open.extensions = base.extensions
    open.loadError = base.errors[0]?.error
    return base
  }
  const create = async (options: Record<string, unknown>): Promise<unknown> => {
    const services = await pi.createAgentSessionServices({
      cwd,
      agentDir,
      extensionFlagValues: new Map(Object.entries(situation.flags ?? {})),
      resourceLoaderOptions: {
        noExtensions: true,
        ...(extension !== undefined && { additionalExtensionPaths: [extension] }),
        extensionsOverride: watch,
      },
    })
    const created = await pi.createAgentSessionFromServices({ ...options, services })
    return { ...created, services, diagnostics: services.diagnostics }
  }
  const sessionManager = pi.SessionManager.create(cwd, path.join(agentDir, 'sessions'))
  return pi.createAgentSessionRuntime(create, { cwd, agentDir, sessionManager })
}

/** The objects that pi's terminal interface passes to components, over a terminal that shows nothing. */
async function terminalParts(folder: string): Promise<{ tui: unknown; keybindings: unknown }> {
  const entry = createRequire(path.join(folder, 'package.json')).resolve('@earendil-works/pi-tui')
  const { TuiMainScreen, KeybindingsManager, TUI_KEYBINDINGS } = (await import(pathToFileURL(entry).href)) as PiTui // pi-shapes.ts
  const nothing = (): void => {}
  const terminal = {
    start: nothing, stop: nothing, drainInput: () => Promise.resolve(), write: nothing, columns: 80, rows: 24,
    kittyProtocolActive: false, moveBy: nothing, hideCursor: nothing, showCursor: nothing, clearLine: nothing,
    clearFromCursor: nothing, clearScreen: nothing, setTitle: nothing, setProgress: nothing,
  } // prettier-ignore
  return { tui: new TuiMainScreen(terminal), keybindings: new KeybindingsManager(TUI_KEYBINDINGS) }
}

async function bindSession(
  runtime: PiRuntime,
  uiContext: unknown,
  { mode, open }: { readonly mode: PiRun['mode']; readonly open: Open },
): Promise<void> {
  const { session } = runtime
  await session.bindExtensions({
    uiContext,
    mode,
    commandContextActions: {
      waitForIdle: () => session.waitForIdle(),
      newSession: (options: unknown) => runtime.newSession(options),
      fork: (entryId: string, options: unknown) => runtime.fork(entryId, options),
      navigateTree: (target: string, options: unknown) => session.navigateTree(target, options),
      switchSession: (file: string, options: unknown) => runtime.switchSession(file, options),
      reload: () => session.reload(),
    },
    shutdownHandler: () => open.shown.push({ kind: 'shutdown', text: 'requested' }),
    onError: ({ event, error }: { event: string; error: string }) => open.errors.push(plainText(`${event}: ${error}`)),
  })
}

/** An idle session may go on by itself: a message that a handler sends starts a run a moment later. */
async function settle(runtime: PiRuntime): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 40))
    await runtime.session.waitForIdle()
  }
}

function piPlayer(runtime: PiRuntime, open: Open): Player {
  return {
    prompt: async (text) => {
      await runtime.session.prompt(text)
      await settle(runtime)
    },
    bash: async (command) => {
      await runBash(runtime, command)
      await settle(runtime)
    },
    key: async (shortcut) => {
      const found = open.extensions.flatMap(({ shortcuts }) => [...shortcuts]).find(([key]) => key === shortcut)
      if (found === undefined) throw new Error(`no shortcut ${shortcut}`)
      await found[1].handler(runtime.session.extensionRunner.createContext())
      await settle(runtime)
    },
    session: async (action) => {
      if (action === 'reload') await runtime.session.reload()
      else if (action === 'compact') await runtime.session.compact()
      else await replaceSession(runtime, action, open)
      await settle(runtime)
    },
    model: async (id) => {
      const model = runtime.session.modelRuntime.getAvailableSnapshot().find((one) => one.id === id)
      if (model === undefined) throw new Error(`no model ${id}`)
      await runtime.session.setModel(model)
    },
  }
}

async function replaceSession(runtime: PiRuntime, action: 'new' | 'fork', open: Open): Promise<void> {
  const lines = branchLines(runtime)
  const user = runtime.session.sessionManager.getBranch().find(({ message }) => message?.role === 'user')
  const { cancelled } =
    action === 'new' ? await runtime.newSession() : await runtime.fork(user?.id ?? '', { position: 'before' })
  open.shown.push({ kind: `${action} session`, text: cancelled ? 'cancelled' : 'done' })
  if (!cancelled) open.earlier = [...open.earlier, ...lines, `--- ${action}`]
}

/** As pi's terminal interface runs `!command`. */
async function runBash({ session }: PiRuntime, command: string): Promise<void> {
  const event = { type: 'user_bash', command, excludeFromContext: false, cwd: process.cwd() }
  const answer = await session.extensionRunner.emitUserBash(event)
  if (answer?.result !== undefined) session.recordBashResult(command, answer.result, { excludeFromContext: false })
  else await session.executeBash(command, undefined, { excludeFromContext: false, operations: answer?.operations })
}

function branchLines({ session }: PiRuntime): string[] {
  return session.sessionManager.getBranch().flatMap(entryLine)
}

/** Entries that a conversation has in pi alone have no line: models, thinking levels, tools. */
function entryLine({ type, message, customType, content, summary }: PiEntry): string[] {
  if (type === 'message' && message?.role !== 'system') return message === undefined ? [] : [messageLine(message)]
  if (type === 'custom_message') return [messageLine({ role: 'custom', customType: customType ?? '', content })]
  if (type === 'custom') return [`entry ${customType ?? ''}`]
  if (type === 'compaction') return [plainText(`compaction: ${summary ?? ''}`)]
  return []
}

function registrations(extensions: readonly PiExtension[]): Registered {
  const facts = ({ name, description }: { name: string; description?: string }) => ({ name, ...(description !== undefined && { description: plainText(description) }) }) // prettier-ignore
  const all = extensions.map(({ tools, commands, shortcuts, flags }) => ({
    tools: [...tools.values()].map(({ definition }) => ({ ...facts(definition), parameters: definition.parameters })),
    commands: [...commands.values()].map(facts),
    shortcuts: [...shortcuts].map(([name, { description }]) => facts({ name, ...(description !== undefined && { description }) })), // prettier-ignore
    flags: [...flags.values()].map(facts),
  }))
  return {
    tools: all.flatMap(({ tools }) => tools),
    commands: all.flatMap(({ commands }) => commands),
    shortcuts: all.flatMap(({ shortcuts }) => shortcuts),
    flags: all.flatMap(({ flags }) => flags),
    providers: [],
  }
}
