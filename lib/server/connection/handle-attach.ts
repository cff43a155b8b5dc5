// Handles `attach`: registers the client's tools, opens the session and starts the client's feed.
import { EMPTY, catchError, concat, defer, map, mergeMap, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import { Failure } from '../../streams/values/failure.ts'
import { feed } from '../feed/feed.ts'
import type { Pressure } from '../feed/feed.ts'
import type { ServedSession } from '../feed/served-session.ts'
import { transientFrame } from '../protocol/frame.ts'
import { lineBatch } from '../protocol/transport.ts'
import type { LineBatch } from '../protocol/transport.ts'
import type { Answer, ClientContext, RequestContext } from './request-context.ts'
import { offerEnvironment } from '../client-tools/offer-environment.ts'
import { countUiClient } from './ui-availability.ts'

type AttachCommand = Omit<CommandNamed<'attach'>, 'type' | 'tools'>

interface Attachment {
  readonly result: ResultOf<'attach'>
  /** The caller subscribes right after it has sent the result; see `feed`. */
  readonly batches$: Observable<LineBatch>
}

/** Emits one answer; its `then$` starts the feed. Fails with the session's failure, or `bad_request`. */
export function handleAttach(
  { type, ...command }: CommandNamed<'attach'>,
  { sessions, client }: Pick<RequestContext, 'sessions' | 'client'>,
): Observable<Answer<ResultOf<'attach'>>> {
  // tools are compiled before the session is opened: an asynchronous step after it could let the session be evicted
  return client.clientTools.compile(command).pipe(
    mergeMap((tools) =>
      // the log names the session's folder: an attachment has no folder and no environment
      sessions.open({ session: command.session, cwd: '/' }).pipe(
        catchError((error: unknown) => throwError(() => explainMissingEnv(command.session, error))),
        mergeMap((served) => startAttachment(served, { ...command, tools }, client)),
      ),
    ),
  )
}

/**
 * A refused attachment changes nothing. Otherwise the previous attachment ends, the tools change, and the answer
 * follows.
 */
function startAttachment(
  served: ServedSession,
  command: AttachCommand & { readonly tools: readonly AnyTool[] },
  client: ClientContext,
): Observable<Answer<ResultOf<'attach'>>> {
  const { session } = served
  checkStartSeq(command, session.state$.value.seq)
  return client.clientTools
    .register(session, command.tools, () => client.endAttachment(session.id))
    .pipe(
      map((whileRegistered) => {
        const { result, batches$ } = createAttachment(client.join(served), command, client.pressure)
        const lines$ = client.screens.withSurfaces(served, concat(batches$, endNotice(served)))
        const counted$ = lines$.pipe(
          whileRegistered,
          offerEnvironment(session, command.environment, client.calls),
          countUiClient(session, client.identity),
        )
        return { result, then$: client.beginAttachment(session.id, counted$) }
      }),
    )
}

/** The session was closed: the notice of its end, if there is one. */
function endNotice(served: ServedSession): Observable<LineBatch> {
  return defer(() => {
    const { session } = served
    const notice = served.endNotice()
    if (notice === undefined) return EMPTY
    return of(lineBatch(transientFrame(session.id, { type: 'status', ...notice, recoverable: false })))
  })
}

/**
 * With `after` or `tail`: the durable events from the log, `caught_up`, the open message, then live events. With
 * neither: the open message, then live events. `deltas: false` leaves out the pieces of messages and of tool output;
 * `joinMs` joins them.
 * @throws Failure `bad_request` if `after` is beyond the log's end, or comes together with `tail`
 */
export function createAttachment(served: ServedSession, command: AttachCommand, pressure: Pressure): Attachment {
  const { session, channel, header } = served
  const { seq: head, headEntryId, queue, requests, questions } = session.state$.value
  const { deltas = true, joinMs = 0 } = command
  const after = checkStartSeq(command, head)
  return {
    result: {
      channel,
      head,
      headEntryId,
      header,
      queue: [...queue],
      requests: [...requests],
      ...(questions.length === 0 ? {} : { questions: [...questions] }),
    },
    batches$: feed(served, { after: after ?? head, isMarked: after !== undefined, deltas, joinMs, pressure }),
  }
}

/**
 * Returns the `seq` after which the log is sent; undefined if nothing of the log is sent.
 * @throws Failure `bad_request` if `after` is beyond `head`, or comes together with `tail`
 */
function checkStartSeq({ after, tail }: Pick<AttachCommand, 'after' | 'tail'>, head: number): number | undefined {
  if (after !== undefined && tail !== undefined) {
    throw new Failure('bad_request', 'Send after or tail, not both')
  }
  if (after !== undefined && after > head) {
    throw new Failure('bad_request', `after is ${after}, but the log ends at ${head}`, { data: { head } })
  }
  return tail === undefined ? after : Math.max(0, head - tail)
}

/** An attachment has no environment: if opening failed for want of a key, the message says how to send one. */
function explainMissingEnv(session: string, error: unknown): Failure {
  const failure = Failure.from(error)
  if (failure.data.kind !== 'auth') return failure
  const hint = `attach carries no environment: send open_session {session: "${session}", cwd, env} first, then attach`
  return new Failure(failure.code, `${failure.message} ${hint}`, { data: failure.data, cause: failure })
}
