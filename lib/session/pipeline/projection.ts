// Folds records into the session's state; joins deltas and folds them on the next read.
import { Observable, Subject } from 'rxjs'
import type { Behavior } from '../../streams/rx/behavior.ts'
import type { MessageDelta } from '../../streams/messages/delta.ts'
import { foldSession } from '../../streams/state/fold-session.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import { createPieceJoiner } from '../../streams/messages/fold-message.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'

export interface Projection {
  readonly state$: Behavior<SessionState>
  /** Folds a record; `state$.value` has it from now on. */
  fold(record: SessionRecord): void
  /** Emits to the subscribers of `state$`: after the record is published, so that a log read then repeats nothing. */
  publish(): void
  close(): void
}

/**
 * Holds the result of `foldSession`. Deltas of the open message are joined per block, and folded with the next read or
 * the next other event: the same state as folding each delta.
 */
export function createProjection(initial: SessionState): Projection {
  const changed$ = new Subject<void>()
  const pieces = createPieceJoiner()
  let state = initial
  let entryId = ''

  const current = (): SessionState => {
    if (pieces.length === 0) return state
    for (const delta of pieces.take()) {
      state = foldSession(state, { event: { type: 'message_update', entryId, delta } })
    }
    return state
  }
  const state$ = new Observable<SessionState>((subscriber) => {
    subscriber.next(current())
    return changed$.subscribe({
      next: () => {
        subscriber.next(current())
      },
      complete: () => {
        subscriber.complete()
      },
    })
  })
  return {
    state$: Object.defineProperty(state$, 'value', { get: current }) as Behavior<SessionState>, // defined in this line
    fold: (record) => {
      const { event } = record
      if (event.type === 'message_update') {
        const { delta } = event
        if ('offset' in delta) {
          entryId = event.entryId
          pieces.add(delta)
          return
        }
        if (isBareEnd(delta)) return
      }
      if (event.type === 'message_end') pieces.clear() // it closes the open message, and holds it whole
      state = foldSession(current(), record)
    },
    publish: () => {
      changed$.next()
    },
    close: () => {
      changed$.complete()
    },
  }
}

/** An end without a signature changes nothing: the joined deltas can wait for the next read. */
function isBareEnd(delta: MessageDelta): boolean {
  return (delta.type === 'text_end' || delta.type === 'thinking_end') && delta.signature === undefined
}
