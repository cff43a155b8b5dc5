// Reads SYSTEM.md and APPEND_SYSTEM.md of the user, and takes those of a trusted project.
// Guarantees: no file of a project is read here; the caller passes the content that a person trusts.
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

/**
 * The texts of the user with those of a trusted project: its `SYSTEM.md` replaces the user's, its `APPEND_SYSTEM.md`
 * follows it.
 * @param contents of a trusted project, by the path below its folder. Absent: the user's texts alone
 * @throws Failure `bad_config` for a file that is too large
 */
export function addProjectPrompts(
  users: PromptFiles,
  contents: ReadonlyMap<string, Buffer> | undefined,
  folder: string,
): PromptFiles {
  const textOf = (name: string): string | undefined => {
    const content = contents?.get(`.rxpi/${name}`)
    if (content === undefined) return undefined
    if (content.length > maxBytes) throw tooLarge(path.join(folder, '.rxpi', name))
    return (
      content
        .toString('utf8')
        .replace(/^\u{FEFF}/u, '')
        .trim() || undefined
    )
  }
  const own = textOf('SYSTEM.md') ?? users.own
  const append = [users.append, textOf('APPEND_SYSTEM.md')].filter((text) => text !== undefined).join('\n\n')
  return { ...(own === undefined ? {} : { own }), ...(append === '' ? {} : { append }) }
}

function tooLarge(file: string): Failure {
  return new Failure('bad_config', `${file} is larger than ${maxBytes / 1_024} KiB; shorten it`)
}

function readOwnText(file: string): string | undefined {
  const read = readBoundedText(file, maxBytes)
  if (read === undefined) return undefined
  if ('problem' in read) throw new Failure('bad_config', `${file} could not be read: ${read.problem}`)
  if (read.isCut) throw tooLarge(file)
  const text = read.text.trim()
  return text === '' ? undefined : text
}
