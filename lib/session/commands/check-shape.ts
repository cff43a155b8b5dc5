// A program without types may send anything: what could not be written to the log is refused before it does anything.
import { Failure } from '../../streams/values/failure.ts'
import { checkCommand } from '../../streams/validation/validators.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import { checkImages } from './check-images.ts'
import type { SessionCommand } from '../contract/session.ts'

/**
 * The same check that a client's line gets, and that images which are only named are there.
 * @throws Failure `bad_request` naming the field, `unknown_command`
 */
export function checkShape(command: SessionCommand, { header, blobs }: Pick<SessionLog, 'header' | 'blobs'>): void {
  // a model that is given itself has a function, which no schema describes
  const given =
    command.type === 'set_model' && typeof command.model === 'object' ? { ...command, model: 'given' } : command
  const line = { ...given, session: header.id }
  const checked = checkCommand(line)
  if (!checked.ok) throw new Failure('bad_request', `${command.type}: ${checked.problem}`)
  checkImages(command, blobs)
}
