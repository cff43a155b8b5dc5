// Asks the server for what extensions draw for events, tool results and messages, as view inputs.
// Guarantees: without an answer within 5 s the view shows what it shows without extensions.
import { EMPTY, catchError, concat, from, map, mergeMap, of, timeout, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { ClientEvent, ReceivedEvent } from '../../../lib/server/protocol/server-frame.ts'
import type { ExtensionUi } from '../../../lib/streams/commands/extension-ui-commands.ts'
import type { RenderNode } from '../../../lib/streams/commands/render-commands.ts'
import type { Drawn, History, ViewInput } from '../view/view-input.ts'

/** The server gives a renderer 2 s. */
const limitMs = 5_000
/** Entries of the history that are drawn at the same time. */
const atOnce = 4

export interface DrawnInputs {
  /** Drawings of extensions from now on. Emits those of the history that is shown, the first time. */
  follow(extensions: ExtensionUi): Observable<ViewInput>
  /** Emits the event, and what an extension draws for it. */
  inputs(received: ClientEvent): Observable<ViewInput>
}

type Client = Pick<ReconnectingClient, 'request'>

export function drawnInputs(client: Client, session: string, history: History['entries']): DrawnInputs {
  let drawn: Pick<ExtensionUi, 'renders' | 'rendersTools' | 'rendersMessages'> = {}
  let undrawn: History['entries'] = history
  const nodes$ = (seq: number): Observable<readonly RenderNode[]> =>
    client.request({ type: 'render_event', session, seq }).pipe(
      map(({ nodes = [] }) => nodes),
      timeout(limitMs),
      catchError(() => of([])), // a fault of the extension stands in the log; the session may be gone
    )
  return {
    follow: (extensions) => {
      drawn = extensions
      const shown = undrawn.filter(({ message }) => drawsMessage(drawn, message))
      if (shown.length === 0) return EMPTY
      undrawn = []
      return from(shown).pipe(
        mergeMap((entry) => nodes$(entry.seq).pipe(map((nodes) => drawnEntry(entry, nodes))), atOnce),
        toArray(),
        map((all) => ({ type: 'history_drawn', drawn: all.filter(({ nodes }) => nodes.length > 0) })),
      )
    },
    inputs: (received) => {
      if (received.type !== 'event' || received.seq === undefined) return of(received)
      const { seq, event } = received
      if (event.type === 'tool_execution_end' && drawn.rendersTools?.includes(event.toolName) === true) {
        const { toolCallId } = event
        const result$ = nodes$(seq).pipe(map((nodes): ViewInput => ({ type: 'tool_drawn', toolCallId, nodes })))
        return concat(of<ViewInput>({ type: 'tool_drawing', toolCallId }), of(received), result$)
      }
      if (!drawsBelow(drawn, received)) return of(received)
      const below$ = nodes$(seq).pipe(
        mergeMap((nodes) => (nodes.length === 0 ? EMPTY : of<ViewInput>({ type: 'rendered', seq, nodes }))),
      )
      return concat(of(received), below$)
    },
  }
}

type Kinds = Pick<ExtensionUi, 'renders' | 'rendersTools' | 'rendersMessages'>
type Entry = History['entries'][number]

function drawsMessage({ rendersTools, rendersMessages }: Kinds, message: Entry['message']): boolean {
  if (message.role === 'toolResult') return rendersTools?.includes(message.toolName) === true
  return rendersMessages?.includes(message.role) === true
}

/** True for an event with a drawing below. A result has been drawn with the end of its call. */
function drawsBelow({ renders, rendersMessages }: Kinds, { event }: ReceivedEvent): boolean {
  if (event.type === 'custom') return renders?.includes(event.customType) === true
  return event.type === 'message_end' && rendersMessages?.includes(event.message.role) === true
}

function drawnEntry({ entryId, message }: Entry, nodes: readonly RenderNode[]): Drawn {
  return message.role === 'toolResult' ? { toolCallId: message.toolCallId, nodes } : { entryId, nodes }
}
