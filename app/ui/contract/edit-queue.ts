// Edits or removes a queued input; returns the text to the editor if the input was already sent.
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { QueuedInput } from '../../../lib/streams/state/fold-inputs.ts'
import type { Submission } from './submission.ts'
import type { Ui } from './ui.ts'

/** The queued input before or after the current one, beginning with the last; undefined after the last. */
export function queuedBeside(
  queue: readonly QueuedInput[],
  editing: string | undefined,
  by: -1 | 1,
): string | undefined {
  const at = queue.findIndex(({ queueId }) => queueId === editing)
  const next = at === -1 ? (by === -1 ? queue.length - 1 : queue.length) : Math.max(0, at + by)
  return queue[next]?.queueId
}

/** Undefined removes it. Shows a failure as a notice and returns the submission to the editor. */
export function editQueued(ui: Ui, { queueId }: QueuedInput, submission: Submission | undefined): void {
  const { session } = ui.now()
  if (session === undefined) return
  const changed$ =
    submission === undefined
      ? ui.request({ type: 'remove_queued', session: session.id, queueId })
      : ui.request({
          type: 'edit_queued',
          session: session.id,
          queueId,
          text: submission.text,
          ...(submission.images.length === 0 ? {} : { images: [...submission.images] }),
        })
  changed$.subscribe({
    error: (thrown: unknown) => {
      const wasSent = ui.now().queue.every((each) => each.queueId !== queueId)
      const text = wasSent ? 'The input was sent before your change' : Failure.from(thrown).message
      ui.input({ type: 'notice', level: 'warning', text })
      if (submission !== undefined) ui.input({ type: 'draft', ...submission })
    },
  })
}
