// React hook with the actions of pickers: send a request, open a session, close; failures are notices.
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
  /** Closes the picker, sends the request and shows a failure as a notice. */
  act(act$: Observable<unknown>): void
  /** Closes the picker and opens the session. @param folder of the session */
  show(session: string, folder?: string): void
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
      show: (session, folder) => {
        close()
        ui.open(openSession(ui, session, folder))
      },
    }
  }, [ui])
}

function notifyFailure(ui: Ui, thrown: unknown): Observable<never> {
  ui.input(failureNotice(thrown))
  return EMPTY
}

/** Continues the conversation from another entry. The session's events show it. */
export function branchTo(
  ui: Ui,
  command: Omit<CommandNamed<'branch_session'>, 'type' | 'newFile'>,
): Observable<unknown> {
  return defer(() => ui.request({ type: 'branch_session', ...command }))
}

/** Props of every picker. */
export interface PickerFrame {
  readonly view: View
  /** Cells. */
  readonly columns: number
  /** Lines. */
  readonly height: number
  /** Argument of the command. Default: none. */
  readonly argument?: string | undefined
}
