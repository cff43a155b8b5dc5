// What an action of the keymap does to the session or the screen, where it is not about the text in the editor.
import { Failure } from '../../lib/streams/failure.ts'
import type { Ui } from './ui.ts'

export function runAction(ui: Ui, name: string): void {
  switch (name) {
    case 'abort':
      abort(ui)
      return
    case 'leave':
      ui.leave()
      return
    case 'toggleThinking':
      ui.input({ type: 'toggle_thinking' })
      return
    default:
  }
}

/** The run ends; what waited for it comes back to the editor. */
function abort(ui: Ui): void {
  const { session, running } = ui.now()
  if (session === undefined || running === undefined) return
  ui.request({ type: 'abort', session: session.id }).subscribe({
    error: (error: unknown) => {
      ui.input({ type: 'notice', level: 'error', text: Failure.from(error).message })
    },
  })
}
