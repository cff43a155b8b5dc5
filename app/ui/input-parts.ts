// A queued input as its words and its pictures.
import type { QueuedInput } from '../../lib/streams/state/fold-inputs.ts'
import type { Submission } from './editor/submission.ts'

export function inputParts({ content }: Pick<QueuedInput, 'content'>): Submission {
  if (typeof content === 'string') return { text: content, images: [] }
  return {
    text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    images: content.filter((part) => part.type === 'image'),
  }
}
