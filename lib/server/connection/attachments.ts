// The sessions that one client is attached to: one attachment each, whose frames go straight to the transport.
import { EMPTY, Subject, defer } from 'rxjs'
import type { Observable, Subscription } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import { transientFrame } from '../protocol/frame.ts'

export interface Attachments {
  /** Cold, completes at once: sends the frames until the session is detached; an attachment that was there before ends. */
  begin(session: string, frames$: Observable<string>): Observable<never>
  end(session: string): void
  /** Ends all and begins none any more. */
  endAll(): void
  /** Never emits; fails where an attachment does, after the client was told. */
  readonly failed$: Observable<never>
}

export function attachments(send: (frame: string) => void): Attachments {
  const attached = new Map<string, Subscription>()
  const failed$ = new Subject<never>()
  let isOver = false
  const end = (session: string): void => {
    const attachment = attached.get(session)
    attached.delete(session)
    attachment?.unsubscribe()
  }
  const fail = (session: string, error: unknown): void => {
    const failure = Failure.from(error)
    const { code, message } = failure
    send(transientFrame(session, { type: 'status', code, message, recoverable: false }))
    failed$.error(failure)
  }
  return {
    begin: (session, frames$) =>
      defer(() => {
        end(session)
        if (isOver) return EMPTY
        const attachment = frames$.subscribe({ next: send, error: (error: unknown) => fail(session, error) })
        if (!attachment.closed) attached.set(session, attachment)
        return EMPTY
      }),
    end,
    endAll: () => {
      isOver = true
      for (const session of [...attached.keys()]) end(session)
    },
    failed$: failed$.asObservable(),
  }
}
