// Who is meant by what is typed while a session is being opened: that one; where it cannot be had, the one before it is gone on with.
import { AsyncSubject, EMPTY, Subject, catchError, defer, finalize, of, switchMap, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Ui } from '../contract/ui.ts'
import type { OpenedInput } from '../view/view-input.ts'

type Opened = OpenedInput['opened']

export interface SessionSwitch extends Pick<Ui, 'open' | 'target$'> {
  /** Each session as it is opened; hot. What is opened is asked for while this is subscribed to. Never completes or fails. */
  readonly opened$: Observable<Opened>
}

/** @param onFailure is told why one could not be opened */
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
          next$.complete() // with nothing where it failed, or another one is opened instead
        }),
      )
      openings$.next(opened$)
    },
  }
}
