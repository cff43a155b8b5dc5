// The commands of a picker go to the session that is shown; what comes of them is said, and the picker is closed.
import { useMemo } from 'react'
import { EMPTY, catchError } from 'rxjs'
import type { Observable } from 'rxjs'
import { useUi } from '../hooks/use-ui.ts'
import type { Ui } from '../ui.ts'
import { openSession } from '../session/open-session.ts'
import { failureNotice } from '../view/failure-notice.ts'

export interface PickerActs {
  readonly ui: Ui
  close(): void
  /** Closes, and says what went wrong if anything does. */
  act(act$: Observable<unknown>): void
  /** Closes, and shows the session from what it is now. */
  show(session: string): void
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
      show: (session) => {
        close()
        ui.open(openSession(ui, session))
      },
    }
  }, [ui])
}

function told(ui: Ui, thrown: unknown): Observable<never> {
  ui.input(failureNotice(thrown))
  return EMPTY
}
