// An input that waits is changed where it waits, or taken out; one that was sent meanwhile stays in the editor.
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { QueuedInput } from '../../../lib/streams/state/fold-inputs.ts'
import type { Submission } from './submission.ts'
import type { Ui } from './ui.ts'

/** What the keys of the queue move to: the one before or after, first of all the last; behind the last nothing. */
export function queuedBeside(
  queue: readonly QueuedInput[],
  editing: string | undefined,
  by: -1 | 1,
): string | undefined {
  const at = queue.findIndex(({ queueId }) => queueId === editing)
  const next = at === -1 ? (by === -1 ? queue.length - 1 : queue.length) : Math.max(0, at + by)
  return queue[next]?.queueId
}

/** Undefined takes it out. What cannot be done is told, and what was written comes back as a new input. */
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
      const text = wasSent ? 'It was sent before it was changed' : Failure.from(thrown).message
      ui.input({ type: 'notice', level: 'warning', text })
      if (submission !== undefined) ui.input({ type: 'draft', ...submission })
    },
  })
}
