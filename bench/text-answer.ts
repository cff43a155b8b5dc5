// The answer of a model at full speed; it imports only types of the library.
import { Observable } from 'rxjs'
import type { AssistantDelta } from '../lib/streams/messages/delta.ts'
import type { Model } from '../lib/streams/models/model.ts'
import { textPiece } from './text-piece.ts'

export const benchModel: Model = { id: 'bench', provider: 'bench', api: 'bench', inputs: ['text'], reasoning: false }
export const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: 'unknown' as const }

/** One text block of `count` deltas, as fast as they are taken. */
export function textAnswer(count: number): Observable<AssistantDelta> {
  return new Observable((subscriber) => {
    subscriber.next({ type: 'text_start', contentIndex: 0 })
    for (let index = 0; index < count && !subscriber.closed; index++) {
      subscriber.next({ type: 'text_delta', contentIndex: 0, text: textPiece(index) })
    }
    subscriber.next({ type: 'text_end', contentIndex: 0 })
    subscriber.next({ type: 'done', stopReason: 'stop', usage })
    subscriber.complete()
  })
}
