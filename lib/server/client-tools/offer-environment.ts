// Offers the files and the terminals of a client to a session for as long as it is attached.
import { identity, noop, pipe } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { Session } from '../../session/contract/session.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import type { LineBatch } from '../protocol/transport.ts'
import type { ChannelCalls } from './channel-calls.ts'
import { clientFiles } from './client-files.ts'
import { clientTerminals } from './client-terminals.ts'
import { offerWhileAttached } from './offer-while-attached.ts'

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
