// The commands of a picker go to the session that is shown; what comes of them is said, and the picker is closed.
import { useMemo } from 'react'
import { EMPTY, catchError, defer } from 'rxjs'
import type { Observable } from 'rxjs'
import { useUi } from '../hooks/use-ui.ts'
import type { Ui } from '../contract/ui.ts'
import { openSession } from '../session/open-session.ts'
import { failureNotice } from '../view/failure-notice.ts'
import type { CommandNamed } from '../../../lib/streams/commands/command.ts'
import type { View } from '../view/view.ts'

export interface PickerActions {
  readonly ui: Ui
  close(): void
  /** Closes, and says what went wrong if anything does. */
  act(act$: Observable<unknown>): void
  /** Closes, and shows the session from what it is now. */
  show(session: string): void
}

export function usePickerActions(): PickerActions {
  const ui = useUi()
  return useMemo(() => {
    const close = (): void => ui.input({ type: 'overlay' })
    return {
      ui,
      close,
      act: (act$) => {
        close()
        act$.pipe(catchError((thrown: unknown) => notifyFailure(ui, thrown))).subscribe()
      },
      show: (session) => {
        close()
        ui.open(openSession(ui, session))
      },
    }
  }, [ui])
}

function notifyFailure(ui: Ui, thrown: unknown): Observable<never> {
  ui.input(failureNotice(thrown))
  return EMPTY
}

// The conversation of a session goes on from another entry.

/** Moves the head, which its events show. */
export function branchTo(
  ui: Ui,
  command: Omit<CommandNamed<'branch_session'>, 'type' | 'newFile'>,
): Observable<unknown> {
  return defer(() => ui.request({ type: 'branch_session', ...command }))
}

// What every picker is given: the view, and the room that it may take.

export interface PickerFrame {
  readonly view: View
  /** Cells. */
  readonly columns: number
  /** Lines. */
  readonly height: number
  /** What was typed behind the command. Default: nothing. */
  readonly argument?: string | undefined
}
