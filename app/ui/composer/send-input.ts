// Sends an input to the session: as a prompt, or as steering or follow-up of the active run.
import { randomUUID } from 'node:crypto'
import { finalize, mergeMap, throwIfEmpty } from 'rxjs'
import type { Submission } from '../contract/submission.ts'
import type { Ui } from '../contract/ui.ts'
import { foldMentions } from '../../../lib/streams/messages/mentions.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { unitsOf } from '../editor/unit.ts'
import { missingFiles, readPrompt } from './read-prompt.ts'
import { failureNotice } from '../view/failure-notice.ts'

/**
 * Waits for a session that is being opened. If sending fails, the input returns to the editor and a notice says why.
 */
export function sendInput(ui: Ui, { text, images }: Submission, whileRunning: 'steer' | 'follow_up'): void {
  const { session } = ui.now()
  for (const missing of missingFiles(foldMentions(text), session?.cwd ?? ui.surroundings.cwd)) {
    ui.input({ type: 'notice', level: 'warning', text: missing, hint: 'The mention was sent as text' })
  }
  const prompt = {
    type: 'prompt',
    text,
    whileRunning,
    ...(images.length === 0 ? {} : { images: [...images] }),
  } as const
  const opId = randomUUID() // the server runs a repeated request once
  ui.target$
    .pipe(
      throwIfEmpty(() => undefined), // no session: a notice has said so
      mergeMap((session) => {
        ui.input({ type: 'sending', change: 1 })
        return ui
          .request({ ...prompt, session }, { opId })
          .pipe(finalize(() => ui.input({ type: 'sending', change: -1 })))
      }),
    )
    .subscribe({
      next: ({ status, text: answer }) => {
        if (status === 'handled' && answer !== undefined) ui.input({ type: 'notice', level: 'info', text: answer })
      },
      error: (error: unknown) => {
        if (error !== undefined) ui.input(refusalNotice(Failure.from(error)))
        ui.input({ type: 'draft', text, images })
      },
    })
}

function refusalNotice(failure: Failure): ReturnType<typeof failureNotice> {
  if (failure.code !== 'cancelled') return failureNotice(failure)
  return { type: 'notice', level: 'stopped', text: 'Stopped before the run began: the input is in the editor again' }
}

/**
 * Sends a text of the command line, with its files: the server expands it like that of `-p`. It is never a command of
 * the UI or of the shell, because a script may pass the text of others.
 */
export function sendPrompt(ui: Ui, text: string): void {
  try {
    const submission = readPrompt(unitsOf(text), ui.surroundings.cwd)
    if (submission !== undefined) sendInput(ui, submission, 'steer')
  } catch (error) {
    ui.input(failureNotice(error))
    ui.input({ type: 'draft', text })
  }
}
