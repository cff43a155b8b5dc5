// Offers the files of a connection's client to a session for as long as the client is attached.
import { Subject, defer, finalize, identity, merge } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { Session } from '../../session/contract/session.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { transientFrame } from '../protocol/frame.ts'
import { lineBatch } from '../protocol/transport.ts'
import type { LineBatch } from '../protocol/transport.ts'
import type { ChannelCalls } from './channel-calls.ts'
import { clientFiles } from './client-files.ts'

type Environment = CommandNamed<'attach'>['environment']

/**
 * An operator for the lines of an attachment: offers the files while the lines are subscribed, and adds a `status` if another
 * client takes over, or this one is too slow. A session that runs no tools here takes no offer.
 */
export function offerClientFiles(
  session: Pick<Session, 'id' | 'offerFiles'>,
  environment: Environment,
  calls: Pick<ChannelCalls, 'call'>,
): MonoTypeOperatorFunction<LineBatch> {
  const offered = environment?.files
  if (offered === undefined || session.offerFiles === undefined) return identity
  return (batches$) =>
    defer(() => {
      const notices$ = new Subject<LineBatch>()
      const left$ = new Subject<void>()
      const notify = (code: keyof typeof texts): void => notices$.next(statusOf(session.id, code))
      const onLate = (): void => {
        withdraw?.()
        notify('files_unanswered')
      }
      const files = clientFiles({ session: session.id, calls, canWrite: offered === 'read_write', left$, onLate })
      const onReplaced = (isReplaced: boolean): void => notify(isReplaced ? 'files_replaced' : 'files_used')
      const withdraw = session.offerFiles?.({ files, onReplaced })
      return merge(batches$.pipe(finalize(() => notices$.complete())), notices$).pipe(
        finalize(() => {
          withdraw?.()
          left$.next()
        }),
      )
    })
}

const texts = {
  files_replaced: 'Another client offers its files to this session: they are used in place of those of this client',
  files_used: 'The files of this client are used again: the other client left the session',
  files_unanswered: 'This client did not answer a call about a file in time: its files are not used until it attaches again', // prettier-ignore
}

function statusOf(session: string, code: keyof typeof texts): LineBatch {
  return lineBatch(transientFrame(session, { type: 'status', code, message: texts[code], recoverable: true }))
}
