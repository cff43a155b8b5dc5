// Plays a situation in a session of rxpi, and records what the extension does.
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { EMPTY, firstValueFrom, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { createSession, memoryStore } from '../../../lib/index.ts'
import type { CreateSessionOptions, Session } from '../../../lib/index.ts'
import { loadModule } from '../../../lib/extensions/index.ts'
import type { ExtensionDefinition } from '../../../lib/extensions/index.ts'
import { piExtension } from '../../../lib/extensions/pi/pi-extension.ts'
import { piModules } from '../../../lib/extensions/pi/modules/pi-modules.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { ExtensionRecord } from '../contract/extension-record.ts'
import type { Situation } from '../contract/situation.ts'
import type { MockEndpoint } from '../play/mock-endpoint.ts'
import { playSteps } from '../play/play-steps.ts'
import type { Player } from '../play/play-steps.ts'
import { newWatch, watchSession } from './watch-session.ts'
import type { Watched } from './watch-session.ts'
import { stopWatchingSurfaces } from './watch-surfaces.ts'
import { watchRegistrations } from './watch-registrations.ts'

export interface RxpiRun {
  readonly packageFolder: string
  readonly extension: string | undefined
  readonly situation: Situation
  readonly cwd: string
  readonly endpoint: MockEndpoint
  readonly printed: string[]
}

/** The built-in tools that the trust record lets a module replace: all that the examples name. */
const replaces = ['read', 'write', 'edit', 'bash', 'grep', 'find', 'ls', 'todo']

export async function playInRxpi(run: RxpiRun): Promise<ExtensionRecord> {
  const { endpoint, situation, cwd } = run
  const registered = watchRegistrations()
  const events: string[] = []
  let loadError: string | undefined
  const definitions: ExtensionDefinition[] = []
  if (run.extension !== undefined)
    try {
      const exported = await loadExtension(run.extension, run.packageFolder)
      definitions.push(
        piExtension(registered.watch(exported, events), { name: 'example', path: run.extension, replaces }),
      )
    } catch (error) {
      loadError = error instanceof Error ? error.message : String(error)
    }
  const watched = newWatch(situation.answers, registered.customTypes)
  const store = memoryStore()
  const opened: Session[] = []
  const open = (copy?: string): Session => {
    const session = openSession(run, definitions, { store, ...(copy !== undefined && { sessionId: copy }) })
    watchSession(session, watched)
    followSession(session, (next) => {
      watched.transcript.length = 0 // the record of pi has the last session
      current.session = open(next)
    })
    opened.push(session)
    return session
  }
  const current: { session: Session } = { session: open() }
  await settle(current.session)
  await playSteps(rxpiPlayer(current, watched, open), situation, { endpoint, cwd, errors: watched.errors })
  for (const session of opened) await close(session)
  const { shown, errors, transcript, differences } = watched
  const facts = { registered: registered.facts(), shown, events, errors, requests: endpoint.requests, transcript, printed: run.printed, differences } // prettier-ignore
  return { ...(loadError !== undefined && { loadError }), ...facts }
}

/** The modules of pi as rxpi gives them; pi's own installation holds the optional package pi-tui. */
async function loadExtension(entry: string, packageFolder: string): Promise<unknown> {
  const tuiEntry = createRequire(path.join(packageFolder, 'package.json')).resolve('@earendil-works/pi-tui')
  const [modules, typebox, value, compile] = await Promise.all([
    piModules({ variables: process.env, link: {} }, () => import(pathToFileURL(tuiEntry).href) as never),
    import('typebox'),
    import('typebox/value'),
    import('typebox/compile'),
  ])
  const schemas: Record<string, unknown> = {}
  for (const name of ['typebox', '@sinclair/typebox'])
    Object.assign(schemas, { [name]: typebox, [`${name}/value`]: value, [`${name}/compile`]: compile })
  return firstValueFrom(
    loadModule({ entry, root: path.dirname(entry) }, () => of({ ...modules, ...schemas })),
    { defaultValue: undefined },
  )
}

function openSession(
  { endpoint, cwd, situation }: RxpiRun,
  extensions: readonly ExtensionDefinition[],
  stored: Pick<CreateSessionOptions, 'store' | 'sessionId'>,
): Session {
  const models = ['mock-model', 'second-model'].map((id) => ({
    id,
    contextWindow: 200_000,
    maxTokens: 8192,
    reasoning: false,
  }))
  const mock = { baseUrl: endpoint.baseUrl, api: 'openai-completions', apiKey: 'none', models }
  return createSession({
    cwd,
    model: 'mock/mock-model',
    models: { providers: { mock } },
    approve: 'auto',
    settings: { extensions: { example: { flags: situation.flags ?? {} } } },
    compaction: { keepRecentTokens: 1 },
    extensions,
    ...stored,
  })
}

/** As the UI does, which then shows the other session. */
function followSession(session: Session, follow: (session: string | undefined) => void): void {
  session.events$.subscribe((event) => {
    if (event.type !== 'status' || event.code !== 'extension_open') return
    const { session: next } = event.context as { readonly session: string | null }
    queueMicrotask(() => follow(next ?? undefined))
  })
}

/** An idle session may go on by itself a moment later. */
async function settle(session: Session): Promise<void> {
  for (let quiet = 0; quiet < 3;) {
    await new Promise((resolve) => setTimeout(resolve, 40))
    quiet = session.state$.value.running === undefined ? quiet + 1 : 0
  }
}

function close(session: Session): Promise<void> {
  stopWatchingSurfaces(session)
  return new Promise((resolve) => {
    session.close().subscribe({ complete: resolve, error: () => resolve() })
  })
}

/** As a server does for a client; undefined if the extension cancels it. */
async function leave(session: Session, action: 'new' | 'fork'): Promise<{ readonly copy?: string } | undefined> {
  const [first] = session.state$.value.entries.keys()
  const step$: Observable<{ readonly session?: string }> =
    action === 'new'
      ? (session.checkLeave?.({ type: 'switch', to: 'new' }) ?? EMPTY)
      : session.send({ type: 'branch_session', entryId: first ?? null, newFile: true })
  try {
    const answer: { readonly session?: string } = await firstValueFrom(step$, { defaultValue: {} })
    return answer.session === undefined ? {} : { copy: answer.session }
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_allowed') return undefined
    throw error
  }
}

/** A client that opens a new session leaves the old one. */
function rxpiPlayer(current: { session: Session }, watched: Watched, open: (copy?: string) => Session): Player {
  const send = async (command: Parameters<Session['send']>[0]): Promise<void> => {
    const { session } = current
    await firstValueFrom(session.send(command as never), { defaultValue: undefined })
    await settle(session)
  }
  return {
    prompt: (text) => send({ type: 'prompt', text }),
    bash: (command) => send({ type: 'user_bash', command }),
    key: (shortcut) => send({ type: 'prompt', text: `/key:${shortcut.replaceAll('+', '-')}` }),
    session: async (action) => {
      if (action === 'compact') await send({ type: 'compact' })
      else if (action === 'reload') throw new Error('no client reloads an extension')
      else {
        const next = await leave(current.session, action)
        watched.shown.push({ kind: `${action} session`, text: next === undefined ? 'cancelled' : 'done' })
        if (next === undefined) return
        await close(current.session)
        watched.transcript.push(`--- ${action}`)
        current.session = open(next.copy)
        await settle(current.session)
      }
    },
    model: (id) => send({ type: 'set_model', model: `mock/${id}` }),
  }
}
