// Sends an input to the session: as a prompt, or as steering or follow-up of the active run.
import { randomUUID } from 'node:crypto'
import { mergeMap, throwIfEmpty } from 'rxjs'
import type { Submission } from '../contract/submission.ts'
import type { Ui } from '../contract/ui.ts'
import { foldMentions } from '../../../lib/streams/messages/mentions.ts'
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
      mergeMap((session) => ui.request({ ...prompt, session }, { opId })),
    )
    .subscribe({
      next: ({ status, text: answer }) => {
        if (status === 'handled' && answer !== undefined) ui.input({ type: 'notice', level: 'info', text: answer })
      },
      error: (error: unknown) => {
        if (error !== undefined) ui.input(failureNotice(error))
        ui.input({ type: 'draft', text, images })
      },
    })
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
