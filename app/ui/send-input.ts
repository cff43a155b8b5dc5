// What a person wrote goes to the session: as a prompt where it rests, else into the run that is on.
import { randomUUID } from 'node:crypto'
import { Failure } from '../../lib/streams/failure.ts'
import type { Submission } from './editor/submission.ts'
import type { Ui } from './ui.ts'
import { hintFor } from './view/hint-for.ts'

/** What cannot be sent comes back to the editor, with the reason. */
export function sendInput(ui: Ui, { text, images }: Submission, whileRunning: 'steer' | 'follow_up'): void {
  const { session } = ui.now()
  if (session === undefined) {
    ui.input({ type: 'draft', text, images })
    return
  }
  const pictures = images.length === 0 ? {} : { images: [...images] }
  const prompt = { type: 'prompt', session: session.id, text, whileRunning, ...pictures } as const
  // sent again after a cut, it is carried out once
  ui.request(prompt, { opId: randomUUID() }).subscribe({
    error: (error: unknown) => {
      const failure = Failure.from(error)
      ui.input({ type: 'notice', level: 'error', text: failure.message, ...hintFor(failure) })
      ui.input({ type: 'draft', text, images })
    },
  })
}
