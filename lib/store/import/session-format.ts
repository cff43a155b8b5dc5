// Detects the format of a session file from its first non-empty line, and refuses unknown formats.
import type { SessionHeader } from '../../streams/log/log-line.ts'
import { Failure } from '../../streams/values/failure.ts'
import { parseHeader } from '../lines/parse-header.ts'
import type { ForeignLine } from './foreign-lines.ts'
import { foreignObject } from './foreign-values.ts'
import type { ForeignObject } from './foreign-values.ts'

export type SessionFormat =
  | { readonly format: 'rxpi'; readonly header: SessionHeader }
  | { readonly format: 'pi'; readonly version: number; readonly header: ForeignObject }

const newestPi = 3

/**
 * Reads the header of a session file.
 * @param name of the file, for errors
 * @throws Failure `bad_request` if it is no session, `unsupported_version` if another version wrote it
 */
export function sessionFormat(name: string, line: ForeignLine | undefined): SessionFormat {
  if (line === undefined) throw noSession(name, 'it is empty')
  if (line.text === undefined) throw noSession(name, 'its first line is too long')
  const parsed = foreignObject(line.text)
  if (!parsed.ok) throw noSession(name, `of its first line, ${parsed.problem}`)
  const { value } = parsed
  if (value['type'] !== 'session') throw noSession(name, 'its first line is not the header of a session')
  return 'v' in value || 'crc' in value ? ownFormat(name, line.text) : piFormat(name, value)
}

function ownFormat(name: string, text: string): SessionFormat {
  const parsed = parseHeader(Buffer.from(text))
  if (parsed.ok) return { format: 'rxpi', header: parsed.header }
  if (parsed.fault === 'damaged') throw noSession(name, `line 1 is damaged: ${parsed.problem}`)
  const message = `${name} has log version ${parsed.version}; this rxpi imports version 1: import it with the rxpi that wrote it`
  throw new Failure('unsupported_version', message, { data: { version: parsed.version } })
}

function piFormat(name: string, header: ForeignObject): SessionFormat {
  const { version = 1, id } = header
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    throw noSession(name, 'its version is not a positive whole number')
  if (typeof id !== 'string') throw noSession(name, 'its header has no id')
  if (version <= newestPi) return { format: 'pi', version, header }
  const message = `${name} is a session of pi in version ${version}; this rxpi imports versions 1 to ${newestPi}`
  throw new Failure('unsupported_version', message, { data: { version } })
}

function noSession(name: string, problem: string): Failure {
  const message = `${name} cannot be imported: ${problem}. Name a session file of pi or rxpi`
  return new Failure('bad_request', message, { data: { problem } })
}
