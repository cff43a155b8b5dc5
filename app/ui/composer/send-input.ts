// What a person wrote goes to the session: as a prompt where it rests, else into the run that is on.
import { randomUUID } from 'node:crypto'
import { mergeMap, throwIfEmpty } from 'rxjs'
import type { Submission } from '../contract/submission.ts'
import type { Ui } from '../contract/ui.ts'
import { failureNotice } from '../view/failure-notice.ts'

/** Where a session is being opened it goes there. What cannot be sent comes back to the editor, with the reason. */
export function sendInput(ui: Ui, { text, images }: Submission, whileRunning: 'steer' | 'follow_up'): void {
  const prompt = {
    type: 'prompt',
    text,
    whileRunning,
    ...(images.length === 0 ? {} : { images: [...images] }),
  } as const
  const opId = randomUUID() // sent again after a cut, it is carried out once
  ui.target$
    .pipe(
      throwIfEmpty(() => undefined), // there is no session: that is told already
      mergeMap((session) => ui.request({ ...prompt, session }, { opId })),
    )
    .subscribe({
      error: (error: unknown) => {
        if (error !== undefined) ui.input(failureNotice(error))
        ui.input({ type: 'draft', text, images })
      },
    })
}
