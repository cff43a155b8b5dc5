// The editor at the other end: takes updates with back-pressure, and answers requests.
import type {
  AgentContext,
  ClientRequestMethod,
  ClientRequestParamsByMethod,
  ClientRequestResponsesByMethod,
  SessionUpdate,
} from '@agentclientprotocol/sdk'
import { Observable, Subject, take } from 'rxjs'
import { fromAbortable } from '../../../lib/streams/rx/from-abortable.ts'

export interface Peer {
  /** Sends an update; nothing happens if the editor is gone. */
  update(sessionId: string, update: SessionUpdate): void
  /** Cold: sends a request, and cancels it on unsubscribe. */
  ask<Method extends ClientRequestMethod>(
    method: Method,
    params: ClientRequestParamsByMethod[Method],
  ): Observable<ClientRequestResponsesByMethod[Method]>
  /** True while too many updates wait for the editor to take them. */
  isFull(): boolean
  /** Completes when no update waits. */
  flushed(): Observable<never>
}

/** Updates that may wait. */
const mostWaiting = 256

export function createPeer(context: Pick<AgentContext, 'notify' | 'request'>): Peer {
  let waiting = 0
  const empty$ = new Subject<void>()
  const onSent = (): void => {
    waiting -= 1
    if (waiting === 0) empty$.next()
  }
  return {
    update: (sessionId, update) => {
      waiting += 1
      // the end of the connection ends the sessions
      void context.notify('session/update', { sessionId, update }).then(onSent, onSent)
    },
    ask: (method, params) =>
      fromAbortable((cancellationSignal) =>
        context.request(method, params, { cancellationSignal, stopWaitingOnCancel: true }),
      ),
    isFull: () => waiting > mostWaiting,
    flushed: () =>
      new Observable<never>((subscriber) => {
        const done = (): void => {
          subscriber.complete()
        }
        if (waiting === 0) done()
        return empty$.pipe(take(1)).subscribe(done)
      }),
  }
}
