// Helpers of slash commands: send a request, show a notice, find the session, open a picker.
import { defaultIfEmpty } from 'rxjs'
import type { Command, ResultOf } from '../../../lib/streams/commands/command.ts'
import type { Ui } from '../contract/ui.ts'
import { failureNotice } from '../view/failure-notice.ts'
import type { NoticeItem } from '../view/view-item.ts'

/** Sends the command once and passes the result to `onResult`; shows a failure as a notice. */
export function askServer<Sent extends Command>(
  ui: Ui,
  command: Sent,
  onResult: (result: ResultOf<Sent['type']>) => void = () => undefined,
): void {
  ui.request(command).subscribe({
    next: onResult,
    error: (error: unknown) => {
      ui.input(failureNotice(error))
    },
  })
}

/** Shows a notice. */
export function notify(ui: Ui, text: string, level: NoticeItem['level'] = 'info'): void {
  ui.input({ type: 'notice', level, text })
}

/** Calls `act` with the target session (`Ui.target$`); shows a notice if there is none. */
export function withSession(ui: Ui, act: (session: string) => void): void {
  ui.target$.pipe(defaultIfEmpty(undefined)).subscribe((session) => {
    if (session !== undefined) act(session)
    else if (ui.now().session === undefined) notify(ui, 'There is no session yet', 'warning')
  })
}

/** Opens a picker, filtered by the argument of the command. */
export function openPicker(ui: Ui, picker: string, argument = ''): void {
  ui.input({ type: 'overlay', overlay: { name: 'picker', picker, ...(argument === '' ? {} : { argument }) } })
}
