// Damage is told with file and line, and nothing is done about it: a person decides.
import { Failure } from '../streams/failure.ts'

export interface DamagedLine {
  readonly file: string
  /** From 1. */
  readonly line: number
  /** As in `its checksum is wrong`. */
  readonly problem: string
}

/** The Failure `read_only` of a log with a damaged line. */
export function damagedLine({ file, line, problem }: DamagedLine): Failure {
  const message = `Line ${line} of ${file} is damaged: ${problem}. The file was left untouched; start a new session, or put a good copy of the file in its place`
  return new Failure('read_only', message, { data: { file, line, problem } })
}
