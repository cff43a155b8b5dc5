// Reads the text of an instruction file or of an import, as far as its guard allows.
// Guarantees: bounded; every refusal, cut and removal is reported.
import { constants, lstatSync, realpathSync } from 'node:fs'
import { describeThrown } from '../../streams/values/failure.ts'
import { readBoundedText } from '../files/read-bounded-text.ts'
import { refusalOf } from './instruction-guard.ts'
import type { InstructionGuard } from './instruction-guard.ts'
import { removeInvisible } from './remove-invisible.ts'
import { countOf } from '../../streams/values/count-of.ts'

/** Bytes of a file, and of a file with its imports. */
export const maxFileBytes = 32_768

/** The clean text of a file; undefined, with a report unless it is missing, if it may not or cannot be read. */
export function readGuardedText(
  file: string,
  guard: InstructionGuard,
  maxBytes: number,
  report: (reason: string) => void,
): string | undefined {
  const real = realPath(file, report)
  if (real === undefined) return undefined
  const refusal = refusalOf(file, real, guard)
  if (refusal !== undefined) {
    report(`${refusal}; it was not read`)
    return undefined
  }
  const read = readBoundedText(real, maxBytes, constants.O_NOFOLLOW) // the real path: a link appeared meanwhile
  if (read === undefined) return undefined
  if ('problem' in read) {
    report(`could not be read: ${read.problem}`)
    return undefined
  }
  const { text, removed } = removeInvisible(read.text)
  if (removed > 0) report(`${countOf(removed, 'invisible character')} ${removed === 1 ? 'was' : 'were'} removed`)
  if (!read.isCut) return text
  report(`has ${read.bytes} bytes; only the first ${maxBytes} were read`)
  return `${text}\n[The rest of the file was left out: it is too long.]`
}

function realPath(file: string, report: (reason: string) => void): string | undefined {
  try {
    return realpathSync(file)
  } catch (error) {
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) report(`could not be read: ${describeThrown(error)}`)
    return undefined
  }
}
