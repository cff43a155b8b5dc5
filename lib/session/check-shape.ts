// A program without types may send anything: what could not be written to the log is refused before it does anything.
import { Failure } from '../streams/failure.ts'
import { checkCommand } from '../streams/validators.ts'
import type { SessionCommand } from './session.ts'

/** The same check that a client's line gets. @throws Failure `bad_request` naming the field, `unknown_command` */
export function checkShape(command: SessionCommand, session: string): void {
  // a model that is given itself has a function, which no schema describes
  const given =
    command.type === 'set_model' && typeof command.model === 'object' ? { ...command, model: 'given' } : command
  const line = { ...given, session }
  const checked = checkCommand(line)
  if (!checked.ok) throw new Failure('bad_request', `${command.type}: ${checked.problem}`)
}
