// The commands of a picker go to the session that is shown; what comes of them is said, and the picker is closed.
import { useMemo } from 'react'
import { EMPTY, catchError, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../../lib/streams/failure.ts'
import { useUi } from '../hooks/use-ui.ts'
import type { Ui } from '../ui.ts'
import { hintFor } from '../view/hint-for.ts'

export interface PickerActs {
  readonly ui: Ui
  close(): void
  /** Closes, and says what went wrong if anything does. */
  act(act$: Observable<unknown>): void
  /** Shows the session from what it is now. */
  show(session: string): Observable<unknown>
}

export function usePickerActs(): PickerActs {
  const ui = useUi()
  return useMemo(() => {
    const close = (): void => ui.input({ type: 'overlay' })
    return {
      ui,
      close,
      act: (act$) => {
        close()
        act$.pipe(catchError((thrown: unknown) => told(ui, thrown))).subscribe()
      },
      show: (session) =>
        ui.request({ type: 'open_session', session, ...ui.surroundings }).pipe(tap((opened) => ui.show(opened))),
    }
  }, [ui])
}

function told(ui: Ui, thrown: unknown): Observable<never> {
  const failure = Failure.from(thrown)
  ui.input({ type: 'notice', level: 'error', text: failure.message, ...hintFor(failure) })
  return EMPTY
}
