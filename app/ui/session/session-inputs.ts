// Emits the view inputs of a session: its state and last messages, then its events.
import { EMPTY, catchError, concat, map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { ClientEvent } from '../../../lib/server/protocol/server-frame.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { drawnInputs } from './drawn-inputs.ts'
import type { TrustQuestions } from './trust-question.ts'
import type { History, OpenedInput, ViewInput } from '../view/view-input.ts'

/** Number of entries shown for a resumed session, and after a change of branch. */
const historyEntries = 60
const branchEntries = 4

/** Milliseconds in which the server joins deltas; the UI draws no faster. */
const joinMs = 45

/**
 * Emits the opening input, a question about it, then every later event, across reconnections. Fails if the server
 * rejects the session or the connection is given up; unsubscribing detaches.
 */
export function sessionInputs(
  client: ReconnectingClient,
  opened: OpenedInput['opened'],
  { after: inputsAfter }: Pick<TrustQuestions, 'after'> = { after: () => [] },
): Observable<ViewInput> {
  const { session } = opened
  const events$ = (after: number, entries: History['entries']): Observable<ViewInput> => {
    let isFirst = true
    const drawing = drawnInputs(client, session, entries)
    const shown$ = (input: ViewInput): Observable<ViewInput> =>
      input.type === 'extension_ui' ? concat(of(input), drawing.follow(input.extensions)) : of(input)
    const missedBefore = (): number | undefined => {
      const before = isFirst ? after : undefined
      isFirst = false
      return before
    }
    return client.events$(session, { after, joinMs, repeatsAttached: true }).pipe(
      mergeMap((received) => {
        if (showsOthers(received, isFirst))
          return concat(of(received), extensionInput(client, session, missedBefore()).pipe(mergeMap(shown$)))
        if (received.type !== 'event' || received.event.type !== 'head_moved') return drawing.inputs(received)
        return concat(of(received), branchInput(client, session, received.event.entryId))
      }),
    )
  }
  return client.request({ type: 'get_state', session }).pipe(
    mergeMap((status) =>
      loadHistory(client, status).pipe(
        mergeMap(({ more, ...history }) => {
          const input: OpenedInput = { type: 'opened', opened, status, ...history, hasEarlier: more }
          return concat(of<ViewInput>(input), inputsAfter(input), events$(status.seq, history.entries))
        }),
      ),
    ),
  )
}

type ReadHistory = History & Pick<ResultOf<'get_entries'>, 'more'>

function historyOf({ entries, summaries, compaction }: ResultOf<'get_entries'>): History {
  return { entries, ...(summaries && { summaries }), ...(compaction && { compaction }) }
}

/** The entries up to the head that `status` names; the head may have moved since. */
function loadHistory(
  client: ReconnectingClient,
  { header, headEntryId, seq }: ResultOf<'get_state'>,
): Observable<ReadHistory> {
  if (headEntryId === null) return of({ entries: [], more: false })
  return client
    .request({ type: 'get_entries', session: header.id, branch: headEntryId, before: seq + 1, limit: historyEntries })
    .pipe(map((result) => ({ ...historyOf(result), more: result.more })))
}

/** The last entries of the new branch; empty if they cannot be read. */
function branchInput(client: ReconnectingClient, session: string, branch: string | null): Observable<ViewInput> {
  if (branch === null) return EMPTY
  return client
    .request({ type: 'get_entries', session, branch, before: Number.MAX_SAFE_INTEGER, limit: branchEntries })
    .pipe(
      map((result): ViewInput => ({ type: 'branch', ...historyOf(result) })),
      catchError(() => of<ViewInput>({ type: 'branch', entries: [], isUnread: true })),
    )
}

/** The client may have missed what extensions show, or it changed. @param isFirst it has not read it yet */
function showsOthers(received: ClientEvent, isFirst: boolean): boolean {
  if (received.type === 'caught_up') return true
  if (received.type === 'attached') return !isFirst // changes without a connection come by no event
  return received.type === 'event' && received.event.type === 'status' && received.event.code === 'extension_ui'
}

/** Empty if it cannot be read: a server of an earlier build does not have the command. */
function extensionInput(
  client: ReconnectingClient,
  session: string,
  before: number | undefined,
): Observable<ViewInput> {
  return client.request({ type: 'get_extension_ui', session }).pipe(
    map((extensions): ViewInput => ({ type: 'extension_ui', extensions, ...(before !== undefined && { before }) })),
    catchError(() => EMPTY),
  )
}
