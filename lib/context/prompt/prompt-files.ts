// Reads the user's SYSTEM.md and APPEND_SYSTEM.md.
// Guarantees: only the user's configuration folder is read; those of a project wait for folder trust.
import path from 'node:path'
import { Failure } from '../../streams/values/failure.ts'
import { readBoundedText } from '../files/read-bounded-text.ts'

export interface PromptFiles {
  /** `SYSTEM.md`: replaces preamble, tools and rules. */
  readonly own?: string
  /** `APPEND_SYSTEM.md`: the section `append`. */
  readonly append?: string
}

/** Bytes of a file. */
const maxBytes = 65_536

/** Empty if there are none. @throws Failure `bad_config` for a file that is too large or cannot be read */
export function readPromptFiles(configFolder: string): PromptFiles {
  const own = readOwnText(path.join(configFolder, 'SYSTEM.md'))
  const append = readOwnText(path.join(configFolder, 'APPEND_SYSTEM.md'))
  return { ...(own === undefined ? {} : { own }), ...(append === undefined ? {} : { append }) }
}

function readOwnText(file: string): string | undefined {
  const read = readBoundedText(file, maxBytes)
  if (read === undefined) return undefined
  if ('problem' in read) throw new Failure('bad_config', `${file} could not be read: ${read.problem}`)
  if (read.isCut) throw new Failure('bad_config', `${file} is larger than ${maxBytes / 1_024} KiB; shorten it`)
  const text = read.text.trim()
  return text === '' ? undefined : text
}
