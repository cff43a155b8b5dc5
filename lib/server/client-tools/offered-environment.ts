// Describes in an `attach` command what this client offers to the session.
import type { CommandNamed } from '../../streams/commands/command.ts'
import type { OfferedFiles } from './file-tools.ts'
import type { OfferedTerminals } from './terminal-tools.ts'

export function environmentOf(
  files: OfferedFiles | undefined,
  terminals: OfferedTerminals | undefined,
): Pick<CommandNamed<'attach'>, 'environment'> {
  if (files === undefined && terminals === undefined) return {}
  return {
    environment: {
      ...(files === undefined ? {} : { files: files.write ? 'read_write' : 'read' }),
      ...(terminals === undefined ? {} : { terminals: true }),
    },
  }
}
