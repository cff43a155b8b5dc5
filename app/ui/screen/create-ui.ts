// Creates the UI's streams: folds inputs one by one into the view, draws it at most 20 times a second.
import { Subject, catchError, ignoreElements, map, merge, of, switchMap, takeUntil, tap } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import { behavior } from '../../../lib/streams/rx/behavior.ts'
import { userKeymap } from '../keys/user-keymap.ts'
import { createSessionSwitch } from '../session/session-switch.ts'
import { followExtensions } from '../session/follow-extensions.ts'
import type { ExtensionWishes } from '../session/follow-extensions.ts'
import { openNew, openSession } from '../session/open-session.ts'
import { leaveWhenIdle } from '../session/leave-when-idle.ts'
import { sessionInputs } from '../session/session-inputs.ts'
import { isTrustQuestion, trustQuestions } from '../session/trust-question.ts'
import type { Ui } from '../contract/ui.ts'
import { failureNotice } from '../view/failure-notice.ts'
import { sampleView } from '../view/sample-view.ts'
import type { ViewInput } from '../view/view-input.ts'
import { emptyView } from '../view/view.ts'
import type { View } from '../view/view.ts'

export interface RunningUi extends Ui {
  /** Runs the UI while subscribed; completes when the user leaves. Never fails: failures are notices. */
  readonly runs$: Observable<never>
  readonly left$: Observable<void>
}

export function createUi(
  client: ReconnectingClient,
  surroundings: Ui['surroundings'],
  background: Ui['background'] = 'dark',
): RunningUi {
  const inputs$ = new Subject<ViewInput>()
  const { left$, leave } = leaver()
  const drawn = behavior(emptyView())
  let view: View = drawn.behavior$.value
  const trust = trustQuestions()
  const input = (next: ViewInput): void => {
    if (isTrustQuestion(next)) trust.onShown(view.session?.cwd ?? surroundings.cwd)
    inputs$.next(next)
  }
  const opener = createSessionSwitch((error) => {
    input(failureNotice(error))
  })
  const session$ = opener.opened$.pipe(
    switchMap((opened) =>
      sessionInputs(client, opened, trust).pipe(
        leaveWhenIdle(() => view.running !== undefined, leave),
        followExtensions(extensionWishes(() => ui)),
        shownFailure(),
      ),
    ),
  )
  const connection$ = client.connection$.pipe(map((state): ViewInput => ({ type: 'connection', state })))
  const runs$ = merge(inputs$, session$, connection$).pipe(
    sampleView((next) => (view = next)),
    tap(drawn.set),
    ignoreElements(),
    takeUntil(left$),
  )
  const ui: RunningUi = {
    view$: drawn.behavior$,
    now: () => view,
    input,
    request: client.request,
    surroundings,
    background,
    keys: userKeymap(surroundings.env),
    open: opener.open,
    target$: opener.target$,
    toTerminal,
    leave,
    runs$,
    left$,
  }
  return ui
}

function toTerminal(sequence: string): void {
  process.stdout.write(sequence)
}

function extensionWishes(ui: () => Ui): ExtensionWishes {
  return {
    draft: (text, replaces) => {
      ui().input({ type: 'draft', text, replaces })
    },
    open: (session) => {
      ui().open(session === undefined ? openNew(ui()) : openSession(ui(), session))
    },
  }
}

function leaver(): Pick<RunningUi, 'left$' | 'leave'> {
  const left$ = new Subject<void>()
  const leave = (): void => {
    left$.next()
    left$.complete()
  }
  return { left$: left$.asObservable(), leave }
}

function shownFailure(): MonoTypeOperatorFunction<ViewInput> {
  return catchError((error: unknown) => of(failureNotice(error)))
}
