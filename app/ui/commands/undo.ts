// Slash command /undo: shows what the undo would change, undoes, and says what was changed.
import { EMPTY, catchError, finalize, mergeMap, tap } from 'rxjs'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { refusalText, undoneText } from '../../text/undo-text.ts'
import type { Ui } from '../contract/ui.ts'
import { failureNotice } from '../view/failure-notice.ts'
import { notify, withSession } from './ask-server.ts'

/** @param argument `force` overwrites changes that the agent did not make */
export function undo(ui: Ui, argument: string): void {
  if (argument !== '' && argument !== 'force') {
    notify(ui, '/undo takes no argument, or force, which overwrites later changes by others', 'warning')
    return
  }
  withSession(ui, (session) => {
    const isForced = argument === 'force'
    const plan$ = ui.request({ type: 'undo', session, dryRun: true })
    const undone$ = plan$.pipe(
      mergeMap((plan) => {
        if (!isForced && (plan.conflicts ?? []).length > 0) {
          notify(ui, refusalText(plan, '/undo force'), 'warning')
          return EMPTY
        }
        ui.input({ type: 'undoing', isUndoing: true })
        return ui.request({ type: 'undo', session, ...(isForced ? { force: true } : {}) }).pipe(
          tap((done) => {
            ui.input({ type: 'undone', text: undoneText(plan, done) })
          }),
        )
      }),
      catchError((error: unknown) => {
        const isConflict = Failure.from(error).code === 'not_allowed' // a file changed after the plan was made
        ui.input(failureNotice(error, isConflict ? '/undo force throws these edits away' : undefined))
        return EMPTY
      }),
      finalize(() => {
        ui.input({ type: 'undoing', isUndoing: false })
      }),
    )
    undone$.subscribe()
  })
}
