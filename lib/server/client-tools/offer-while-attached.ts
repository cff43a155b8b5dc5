// Offers something of a connection's client to a session for as long as the client is attached.
import { ReplaySubject, Subject, defer, finalize, merge } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import { transientFrame } from '../protocol/frame.ts'
import { lineBatch } from '../protocol/transport.ts'
import type { LineBatch } from '../protocol/transport.ts'

/** The texts of the `status` that the client gets, by what happens. Their codes are `PREFIX_replaced` and so on. */
export interface OfferTexts {
  readonly prefix: string
  readonly replaced: string
  readonly used: string
  readonly unanswered: string
}

export interface OfferLife {
  /** Emits when the client has left the session; replays. */
  readonly left$: Observable<unknown>
  /** The client did not answer in time: the offer ends. */
  onLate(): void
  onReplaced(isReplaced: boolean): void
}

/**
 * An operator for the lines of an attachment: makes the offer while the lines are subscribed, and adds a `status` if another
 * client takes over, or this one is too slow. @param offer returns what withdraws it
 */
export function offerWhileAttached(
  session: string,
  texts: OfferTexts,
  offer: (life: OfferLife) => () => void,
): MonoTypeOperatorFunction<LineBatch> {
  return (batches$) =>
    defer(() => {
      const notices$ = new Subject<LineBatch>()
      const left$ = new ReplaySubject<void>(1)
      let isLate = false
      const notify = (event: 'replaced' | 'used' | 'unanswered'): void =>
        notices$.next(statusOf(session, `${texts.prefix}_${event}`, texts[event]))
      const withdraw = offer({
        left$,
        onLate: () => {
          if (isLate) return
          isLate = true
          withdraw()
          notify('unanswered')
        },
        onReplaced: (isReplaced) => notify(isReplaced ? 'replaced' : 'used'),
      })
      return merge(batches$.pipe(finalize(() => notices$.complete())), notices$).pipe(
        finalize(() => {
          withdraw()
          left$.next()
        }),
      )
    })
}

function statusOf(session: string, code: string, message: string): LineBatch {
  return lineBatch(transientFrame(session, { type: 'status', code, message, recoverable: true }))
}
