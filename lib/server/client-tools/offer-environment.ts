// Offers the files and the terminals of a client to a session for as long as it is attached.
import { ReplaySubject, Subject, defer, finalize, identity, merge, noop, pipe } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import type { Session } from '../../session/contract/session.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { transientFrame } from '../protocol/frame.ts'
import { lineBatch } from '../protocol/transport.ts'
import type { LineBatch } from '../protocol/transport.ts'
import type { ChannelCalls } from './channel-calls.ts'
import { clientFiles } from './client-files.ts'
import { clientTerminals } from './client-terminals.ts'

type Environment = CommandNamed<'attach'>['environment']
type OfferingSession = Pick<Session, 'id' | 'offerFiles' | 'offerTerminals'>
type Calls = Pick<ChannelCalls, 'call'>

/** An operator for the lines of an attachment. A session that runs no tools here takes no offer. */
export function offerEnvironment(
  session: OfferingSession,
  environment: Environment,
  calls: Calls,
): MonoTypeOperatorFunction<LineBatch> {
  return pipe(offerFiles(session, environment?.files, calls), offerTerminals(session, environment?.terminals, calls))
}

function offerFiles(
  session: OfferingSession,
  offered: NonNullable<Environment>['files'],
  calls: Calls,
): MonoTypeOperatorFunction<LineBatch> {
  if (offered === undefined || session.offerFiles === undefined) return identity
  return offerWhileAttached(session.id, fileTexts, ({ onReplaced, ...life }) => {
    const canWrite = offered === 'read_write'
    const files = clientFiles({ ...life, session: session.id, calls, canWrite })
    return session.offerFiles?.({ files, onReplaced }) ?? noop
  })
}

function offerTerminals(
  session: OfferingSession,
  offered: boolean | undefined,
  calls: Calls,
): MonoTypeOperatorFunction<LineBatch> {
  if (offered !== true || session.offerTerminals === undefined) return identity
  return offerWhileAttached(session.id, terminalTexts, ({ onReplaced, ...life }) => {
    const terminals = clientTerminals({ ...life, session: session.id, calls })
    return session.offerTerminals?.({ terminals, onReplaced }) ?? noop
  })
}

const fileTexts = {
  prefix: 'files',
  replaced: 'Another client offers its files to this session: they are used in place of those of this client',
  used: 'The files of this client are used again: the other client left the session',
  unanswered: 'This client did not answer a call about a file in time: its files are not used until it attaches again', // prettier-ignore
}

const terminalTexts = {
  prefix: 'terminals',
  replaced: 'Another client offers its terminals to this session: they are used in place of those of this client',
  used: 'The terminals of this client are used again: the other client left the session',
  unanswered: 'This client did not answer a call about a terminal in time: its terminals are not used until it attaches again', // prettier-ignore
}

/** The texts of the `status` that the client gets, by what happens. Their codes are `PREFIX_replaced` and so on. */
interface OfferTexts {
  readonly prefix: string
  readonly replaced: string
  readonly used: string
  readonly unanswered: string
}

interface OfferLife {
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
function offerWhileAttached(
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
