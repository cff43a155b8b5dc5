// Writes what extensions draw for custom events to stderr, as plain text.
import { EMPTY, catchError, defer, ignoreElements, merge, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ClientEvent } from '../../../lib/server/protocol/server-frame.ts'
import { nodesAsText } from '../../../lib/streams/commands/render-commands.ts'
import { shareOnce } from '../../../lib/streams/rx/share-once.ts'
import { terminalSafe } from '../../process/terminal-safe.ts'
import type { World } from '../../process/world.ts'

/** Events that are drawn at the same time; later ones are not drawn. */
const maxAtOnce = 100

export interface EventDrawing {
  /** Asks the server to draw the event, if it is a custom one. */
  follow(event: ClientEvent): void
  /** Completes when what was asked for is written. */
  readonly settled$: Observable<never>
}

export function drawEvents({ client, stderr }: Pick<World, 'client' | 'stderr'>, session: string): EventDrawing {
  const open = new Set<Observable<never>>()
  const drawn$ = (seq: number): Observable<never> =>
    client.request({ type: 'render_event', session, seq }).pipe(
      tap(({ nodes = [] }) => {
        if (nodes.length > 0) stderr.text(`${nodesAsText(nodes).split('\n').map(terminalSafe).join('\n')}\n`)
      }),
      ignoreElements(),
      catchError(() => EMPTY), // it can be read in the log
      shareOnce(),
    )
  return {
    follow: (received) => {
      if (received.type !== 'event' || received.event.type !== 'custom') return
      if (received.seq === undefined || open.size >= maxAtOnce) return
      const one$ = drawn$(received.seq)
      open.add(one$)
      one$.subscribe({ complete: () => open.delete(one$) })
    },
    settled$: defer(() => merge(...open)),
  }
}
