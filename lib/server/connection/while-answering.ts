// A session counts on a client for answers exactly while the client is attached to it and has said that people can answer through it.
import { EMPTY, Observable, distinctUntilChanged, switchMap } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { Session } from '../../session/contract/session.ts'
import type { ClientIdentity } from './client-identity.ts'

/** Passes everything on; `session` counts the client from the subscription to its end, in whatever way that comes. */
export function whileAnswering<Frame>(
  { answering$ }: Pick<Session, 'answering$'>,
  { hasUi$ }: Pick<ClientIdentity, 'hasUi$'>,
): MonoTypeOperatorFunction<Frame> {
  return (frames$) =>
    new Observable((subscriber) => {
      const present$ = hasUi$.pipe(
        distinctUntilChanged(),
        switchMap((hasUi) => (hasUi ? answering$ : EMPTY)),
      )
      subscriber.add(present$.subscribe())
      subscriber.add(frames$.subscribe(subscriber))
    })
}
