// What a command of the UI asks the server is answered on the screen, also where it fails.
import type { Command, ResultOf } from '../../../lib/streams/command.ts'
import { Failure } from '../../../lib/streams/failure.ts'
import type { Ui } from '../ui.ts'
import { hintFor } from '../view/hint-for.ts'
import type { NoticeItem } from '../view/view-item.ts'

/** Sends it once. `answered` hears the result; a failure becomes a line for people. */
export function askServer<Given extends Command>(
  ui: Ui,
  command: Given,
  answered: (result: ResultOf<Given['type']>) => void = () => undefined,
): void {
  ui.request(command).subscribe({
    next: answered,
    error: (error: unknown) => {
      const failure = Failure.from(error)
      ui.input({ type: 'notice', level: 'error', text: failure.message, ...hintFor(failure) })
    },
  })
}

/** A line for people. */
export function say(ui: Ui, text: string, level: NoticeItem['level'] = 'info'): void {
  ui.input({ type: 'notice', level, text })
}

/** The session that is shown; a line for people where there is none yet. */
export function withSession(ui: Ui, act: (session: string) => void): void {
  const { session } = ui.now()
  if (session === undefined) say(ui, 'There is no session yet', 'warning')
  else act(session.id)
}
