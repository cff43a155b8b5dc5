// Leaves the UI; asks first if a run is active, and can stop it.
import { defer, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Ui } from '../contract/ui.ts'
import { failureNotice } from '../view/failure-notice.ts'
import { openPicker } from './ask-server.ts'

/** Opens the picker of `leave-picker.tsx` if a run is active that the user has not stopped; else leaves. */
export function leaveOrAsk(ui: Ui): void {
  const { running, connection } = ui.now()
  const needsChoice = running !== undefined && running.isStopping !== true && connection === 'connected'
  if (needsChoice) openPicker(ui, 'leave')
  else ui.leave()
}

/** Leaves when the server has stopped the run; if it refuses, a notice says why and the UI stays. */
export function stopAndLeave(ui: Ui): void {
  const { running, session } = ui.now()
  if (running === undefined || session === undefined) {
    ui.leave()
    return
  }
  abortRun(ui, session.id).subscribe({
    next: () => {
      ui.leave()
    },
    error: (error: unknown) => {
      ui.input(failureNotice(error))
    },
  })
}

/** Asks the server to stop the run; the view shows that it is being stopped. Emits and fails like the request. */
export function abortRun(ui: Ui, session: string): Observable<object> {
  return defer(() => {
    ui.input({ type: 'stopping', isStopping: true })
    return ui.request({ type: 'abort', session })
  }).pipe(
    tap({
      error: () => {
        ui.input({ type: 'stopping', isStopping: false })
      },
    }),
  )
}
