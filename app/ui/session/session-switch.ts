// Switches between sessions: inputs sent during an opening go to the new one, or back on failure.
import { AsyncSubject, EMPTY, Subject, catchError, defer, finalize, of, switchMap, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Ui } from '../contract/ui.ts'
import type { OpenedInput } from '../view/view-input.ts'

type Opened = OpenedInput['opened']

export interface SessionSwitch extends Pick<Ui, 'open' | 'target$'> {
  /** Emits each opened session; hot. Opens sessions while subscribed. Never completes or fails. */
  readonly opened$: Observable<Opened>
}

/** @param onFailure called if a session cannot be opened */
export function createSessionSwitch(onFailure: (error: unknown) => void): SessionSwitch {
  const openings$ = new Subject<Observable<Opened>>()
  let shown$: Observable<string> = EMPTY
  let target$ = shown$
  return {
    opened$: openings$.pipe(switchMap((opening$) => opening$)),
    target$: defer(() => target$),
    open: (opening$) => {
      const next$ = new AsyncSubject<string>()
      target$ = next$
      const opened$ = opening$.pipe(
        tap(({ session }) => {
          shown$ = of(session)
          next$.next(session)
        }),
        catchError((error: unknown) => {
          onFailure(error)
          return EMPTY
        }),
        finalize(() => {
          if (target$ === next$) target$ = shown$
          next$.complete() // empty if opening failed or another one replaced it
        }),
      )
      openings$.next(opened$)
    },
  }
}
