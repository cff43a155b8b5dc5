// Creates the failure for a damaged line: it names file and line, and the user decides about a repair.
import { Failure } from '../../streams/values/failure.ts'
import { sessionIdOfFile } from './log-file-name.ts'

export interface DamagedLine {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** As in `its checksum is wrong`. */
  readonly problem: string
}

/** The Failure `read_only` of a log with a damaged line. */
export function damagedLine({ file, line, problem }: DamagedLine): Failure {
  const use = line === 1 ? 'It cannot be opened' : 'The lines before it can be read, and nothing can be appended'
  const message = `Line ${line} of ${file} is damaged: ${problem}. ${use}; "rxpi sessions repair ${sessionOrFile(file)}" writes a repaired copy and does not change the file`
  return new Failure('read_only', message, { data: { file, line, problem } })
}

/** The session id in the file name; else the quoted file. */
function sessionOrFile(file: string): string {
  return sessionIdOfFile(file) ?? `'${file.replaceAll("'", "'\\''")}'`
}
