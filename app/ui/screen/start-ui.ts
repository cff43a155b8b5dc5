// Starts the terminal UI: a client of the server that draws one session and sends inputs.
import {
  EMPTY,
  concat,
  defer,
  filter,
  finalize,
  forkJoin,
  from,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  take,
  tap,
  toArray,
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import { socketPath } from '../../../lib/server/socket/socket-path.ts'
import type { Setting } from '../../../lib/streams/commands/config-commands.ts'
import { lastingClient } from '../../connect/lasting-client.ts'
import { endAtSignal } from '../../process/end-at-signal.ts'
import type { SessionChoice, UiInvocation } from '../../cli/invocation.ts'
import { sessionOptions } from '../../commands/sessions/open-session-choice.ts'
import { report } from '../../process/progress.ts'
import type { ProcessWorld } from '../../process/world.ts'
import { createUi } from './create-ui.ts'
import type { RunningUi } from './create-ui.ts'
import { chooseSession } from '../session/choose-session.ts'
import { firstScreen } from '../session/first-screen.ts'
import type { ChosenSession } from '../session/choose-session.ts'
import { needsTrustAnswer, trustAnswered, trustOverlay } from '../session/trust-question.ts'
import { uiSettings } from '../session/ui-settings.ts'
import { askBackground, backgroundIn, coloursOf } from '../terminal/terminal-look.ts'
import { createTheme } from '../theme/theme.ts'
import type { Theme } from '../theme/theme.ts'
import type { Ui } from '../contract/ui.ts'
import type { ViewInput } from '../view/view-input.ts'

/**
 * Emits the exit code when the user leaves, and completes. Fails if no server can be reached or the session cannot be
 * opened.
 */
export function startUi(invocation: UiInvocation, world: ProcessWorld): Observable<number> {
  return defer(() => {
    const { env, stderr, signals$ } = world
    const socket = socketPath({ env, requested: invocation.socket })
    let ui: RunningUi | undefined
    let client: ReconnectingClient | undefined
    const notice = (message: string): void => {
      // while the UI draws, it owns the terminal
      if (ui === undefined) report(stderr, message)
      else ui.input({ type: 'notice', level: 'info', text: message })
    }
    const onStopped = (): void => ui?.input({ type: 'server_stopped' }) // before the UI draws, its requests need the server
    const hello = { client: 'ui', ui: true, questions: true }
    const client$ = lastingClient({ socket, env, hello, onNotice: notice, onStopped }).pipe(
      tap((found) => (client = found)),
    )
    const drawing$ = defer(() => from(import('./draw-ui.tsx')))
    const { cwd } = invocation.choice
    const options = sessionOptions(invocation.choice)
    const ready$ = client$.pipe(mergeMap((found) => withSettings(found, { cwd, env })))
    const left$ = forkJoin([ready$, drawing$, backgroundOf(env)]).pipe(
      mergeMap(([{ client: found, settings }, { drawUi }, background]) => {
        const theme = createTheme(background, coloursOf(env))
        ui = createUi(found, { cwd, env, options }, background)
        return runUi({ ui, client: found, drawUi, theme, settings }, invocation, world)
      }),
    )
    return left$.pipe(
      endAtSignal(signals$),
      finalize(() => client?.close()), // an open connection would keep the process alive
    )
  })
}

/** Fails if the settings cannot be read. */
function withSettings(
  client: ReconnectingClient,
  context: Pick<Ui['surroundings'], 'cwd' | 'env'>,
): Observable<{ readonly client: ReconnectingClient; readonly settings: readonly Setting[] }> {
  return client
    .request({ type: 'config_list', cwd: context.cwd, env: { ...context.env } })
    .pipe(map(({ settings }) => ({ client, settings })))
}

/** From the terminal's variables, else from its answer; dark if neither says. */
function backgroundOf(env: ProcessWorld['env']): Observable<'dark' | 'light'> {
  const colours = coloursOf(env)
  const known = backgroundIn(env)
  const background$ =
    known !== undefined || colours === 'plain' || colours === 'none'
      ? of(known)
      : askBackground(process.stdin, process.stdout)
  return background$.pipe(map((background = 'dark') => background))
}

interface Begun {
  readonly chosen: ChosenSession
  /** The first lines of the screen. */
  readonly welcome: readonly ViewInput[]
}

interface Parts {
  readonly ui: RunningUi
  readonly theme: Theme
  readonly settings: readonly Setting[]
  readonly client: ReconnectingClient
  readonly drawUi: (typeof import('./draw-ui.tsx'))['drawUi']
}

function runUi(
  { ui, client, drawUi, theme, settings }: Parts,
  { choice, prompt, resume = false }: UiInvocation,
  world: ProcessWorld,
): Observable<number> {
  const { env, stderr } = world
  // the list of `--resume` comes first: a session is opened when one is chosen
  const begin$ = (reopens: boolean): Observable<Begun> =>
    (resume ? of<ChosenSession>({ offers: [] }) : chooseSession(client, choice, env, { reopens })).pipe(
      mergeMap((chosen) => withWelcome(client, chosen, { env, choice })),
    )
  const show = ({ chosen, welcome }: Begun): void => {
    welcome.forEach(ui.input)
    if (resume) ui.input({ type: 'overlay', overlay: { name: 'picker', picker: 'sessions' } })
    else showChosen(ui, chosen)
  }
  const draw$ = (first: () => void, later$: Observable<never> = EMPTY): Observable<number> => {
    const started$ = defer(() => {
      uiSettings(settings).forEach(ui.input)
      first()
      return concat(whenDrawable(ui), drawUi(ui, theme), leaveAtEnd(ui))
    })
    const prompt$ = prompt === undefined ? EMPTY : sendFirst(ui, prompt)
    return merge(ui.left$.pipe(map(() => 0)), ui.runs$, later$, prompt$, started$)
  }
  return needsTrustAnswer(client, choice, env).pipe(
    mergeMap((asks) => {
      if (!asks) return begin$(false).pipe(mergeMap((begun) => draw$(() => show(begun))))
      const later$ = trustAnswered(ui).pipe(
        mergeMap(() => begin$(true)),
        tap(show),
        ignoreElements(),
      )
      return draw$(() => ui.input({ type: 'overlay', overlay: trustOverlay }), later$)
    }),
    take(1),
    finalize(() => {
      const goodbye = continueAdvice(ui, choice)
      if (goodbye !== undefined) report(stderr, goodbye)
    }),
  )
}

/** Sends a prompt to the first session that is shown; what cannot be sent stays in the editor. Completes after it. */
function sendFirst(ui: RunningUi, prompt: string): Observable<never> {
  const shown$ = ui.view$.pipe(
    filter(({ session }) => session !== undefined),
    take(1),
  )
  return forkJoin([from(import('../composer/send-input.ts')), shown$]).pipe(
    tap(([{ sendPrompt }]) => {
      sendPrompt(ui, prompt)
    }),
    ignoreElements(),
  )
}

function withWelcome(
  client: ReconnectingClient,
  chosen: ChosenSession,
  { env, choice }: { readonly env: ProcessWorld['env']; readonly choice: SessionChoice },
): Observable<Begun> {
  const welcome$ = 'offers' in chosen ? EMPTY : firstScreen(client, chosen.opened, env, choice)
  return welcome$.pipe(
    toArray(),
    map((welcome) => ({ chosen, welcome })),
  )
}

/** Milliseconds after which an empty screen is drawn. */
const emptyScreenDelay = 1_000

/** Completes when there is something to draw: some terminals keep a frame without a session in their scrollback. */
function whenDrawable(ui: RunningUi): Observable<never> {
  const { notices: before } = ui.now()
  const opened$ = ui.view$.pipe(
    filter(({ session, overlay, notices }) => session !== undefined || overlay !== undefined || notices > before),
  )
  return merge(opened$, timer(emptyScreenDelay)).pipe(take(1), ignoreElements())
}

/** Leaves the UI when drawing ends by itself. */
function leaveAtEnd(ui: RunningUi): Observable<never> {
  return defer(() => {
    ui.leave()
    return EMPTY
  })
}

function showChosen(ui: RunningUi, chosen: ChosenSession): void {
  if ('offers' in chosen) {
    ui.input({ type: 'overlay', overlay: { name: 'offer', sessions: [...chosen.offers] } })
    return
  }
  if (chosen.note !== undefined) ui.input({ type: 'notice', level: 'info', text: chosen.note })
  ui.open(of(chosen.opened))
}

/** Message about how to continue the session; undefined if nothing was sent or nothing is stored. */
function continueAdvice(ui: RunningUi, { cwd, from }: SessionChoice): string | undefined {
  const { session, running, finished } = ui.now()
  if (session === undefined) return undefined
  const { id } = session
  if (running !== undefined && running.isStopping !== true)
    return `the run continues in the server; to return: rxpi --session ${id}`
  const hasWords = finished.some(({ kind }) => kind === 'user' || kind === 'bash')
  if (!hasWords || from === 'unstored') return undefined
  return session.cwd === cwd
    ? `to continue: rxpi -c in this folder, or rxpi --session ${id}`
    : `to continue: rxpi --session ${id}`
}
