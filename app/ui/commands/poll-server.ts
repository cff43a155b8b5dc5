// Repeats a request for a page that refreshes itself, as long as the server runs.
import { EMPTY, catchError, exhaustMap, filter, switchMap, take, throwError, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Command, ResultOf } from '../../../lib/streams/commands/command.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { Ui } from '../contract/ui.ts'
import { isAway } from '../view/view.ts'

/** Milliseconds between two requests. */
const refreshMs = 1_000

/**
 * Sends the command at once, then each second while there is a connection: a page that stays open does not start a server that
 * was stopped. A request that a lost connection cuts off is left out; another failure ends the stream. Never completes.
 */
export function pollServer<Sent extends Command>(
  ui: Pick<Ui, 'now' | 'request'>,
  command: Sent,
): Observable<ResultOf<Sent['type']>> {
  return timer(0, refreshMs).pipe(
    filter((count) => count === 0 || !isAway(ui.now())), // the user opens the page: that needs the server
    exhaustMap(() =>
      ui.request(command).pipe(
        catchError((error: unknown) => {
          const failure = Failure.from(error)
          return failure.code === 'disconnected' ? EMPTY : throwError(() => failure)
        }),
      ),
    ),
  )
}

/** Milliseconds after which a lost connection is known to the view. */
const knownMs = 100

/** Emits once, when there is a connection again; starts no server. */
export function connectedAgain(ui: Pick<Ui, 'now' | 'view$'>): Observable<unknown> {
  return timer(knownMs).pipe(
    switchMap(() => ui.view$),
    filter(() => !isAway(ui.now())),
    take(1),
  )
}
