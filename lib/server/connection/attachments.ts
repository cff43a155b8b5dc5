// Holds the attachments of one connection, at most one a session, and sends their lines.
import { EMPTY, Subject, defer } from 'rxjs'
import type { Observable, Subscription } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import { transientFrame } from '../protocol/frame.ts'
import { lineBatch } from '../protocol/transport.ts'
import type { LineBatch } from '../protocol/transport.ts'

export interface Attachments {
  /** Cold, completes at once: sends the lines until the session is detached; the previous attachment ends. */
  begin(session: string, batches$: Observable<LineBatch>): Observable<never>
  end(session: string): void
  /** Ends all; later ones do not begin. */
  endAll(): void
  /** Never emits. Fails if an attachment fails, after the client got a `status` event with the reason. */
  readonly failed$: Observable<never>
}

export function attachments(send: (batch: LineBatch) => void): Attachments {
  const bySession = new Map<string, Subscription>()
  const failed$ = new Subject<never>()
  let isOver = false
  const end = (session: string): void => {
    const attachment = bySession.get(session)
    bySession.delete(session)
    attachment?.unsubscribe()
  }
  const fail = (session: string, error: unknown): void => {
    const failure = Failure.from(error)
    const { code, message } = failure
    send(lineBatch(transientFrame(session, { type: 'status', code, message, recoverable: false })))
    failed$.error(failure)
  }
  return {
    begin: (session, batches$) =>
      defer(() => {
        end(session)
        if (isOver) return EMPTY
        const attachment = batches$.subscribe({ next: send, error: (error: unknown) => fail(session, error) })
        if (attachment.closed) return EMPTY
        bySession.set(session, attachment)
        attachment.add(() => {
          if (bySession.get(session) === attachment) bySession.delete(session)
        })
        return EMPTY
      }),
    end,
    endAll: () => {
      isOver = true
      for (const session of [...bySession.keys()]) end(session)
    },
    failed$: failed$.asObservable(),
  }
}
