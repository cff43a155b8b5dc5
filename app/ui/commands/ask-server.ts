// What a command of the UI asks the server is answered on the screen, also where it fails.
import { defaultIfEmpty } from 'rxjs'
import type { Command, ResultOf } from '../../../lib/streams/commands/command.ts'
import type { Ui } from '../contract/ui.ts'
import { failureNotice } from '../view/failure-notice.ts'
import type { NoticeItem } from '../view/view-item.ts'

/** Sends it once. `answered` hears the result; a failure becomes a line for people. */
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

/** A line for people. */
export function notify(ui: Ui, text: string, level: NoticeItem['level'] = 'info'): void {
  ui.input({ type: 'notice', level, text })
}

/** The session that is meant (`Ui.target$`); a line for people where there is none yet. */
export function withSession(ui: Ui, act: (session: string) => void): void {
  ui.target$.pipe(defaultIfEmpty(undefined)).subscribe((session) => {
    if (session !== undefined) act(session)
    else if (ui.now().session === undefined) notify(ui, 'There is no session yet', 'warning')
  })
}

// A list takes the keys, filtered already where something was typed behind its command.

export function openPicker(ui: Ui, picker: string, argument = ''): void {
  ui.input({ type: 'overlay', overlay: { name: 'picker', picker, ...(argument === '' ? {} : { argument }) } })
}
