// Detects the format of a session file from its first non-empty line, and refuses unknown formats.
import type { SessionHeader } from '../../streams/log/log-line.ts'
import { Failure } from '../../streams/values/failure.ts'
import { parseHeader } from '../lines/parse-header.ts'
import { isBlank } from './foreign-lines.ts'
import type { ForeignLine } from './foreign-lines.ts'
import { foreignObject } from './foreign-values.ts'
import type { ForeignObject } from './foreign-values.ts'

export type SessionFormat =
  | { readonly format: 'rxpi'; readonly header: SessionHeader }
  | { readonly format: 'pi'; readonly version: number; readonly header: ForeignObject; readonly title?: string }

const newestPi = 3

/**
 * Reads the header of a session file, and the title slot before it.
 * @throws Failure `bad_request`, `unsupported_version`
 */
export function readSessionFormat(lines: Iterator<ForeignLine | undefined, void>, name: string): SessionFormat {
  const line = firstLine(lines)
  const slot = titleSlot(line)
  const found = sessionFormat(name, slot === undefined ? line : firstLine(lines))
  if (found.format !== 'pi') return found
  const title = slot?.title ?? found.header['title']
  return typeof title === 'string' && title !== '' ? { ...found, title } : found
}

function firstLine(lines: Iterator<ForeignLine | undefined, void>): ForeignLine | undefined {
  for (let next = lines.next(); next.done !== true; next = lines.next()) {
    if (next.value !== undefined && (next.value.text === undefined || !isBlank(next.value.text))) return next.value
  }
  return undefined
}

/** The current title in a line of fixed length before the header: oh-my-pi (omp) overwrites it in place. */
interface TitleSlot {
  readonly title: string
}

/** Undefined if the line is not a title slot. */
function titleSlot(line: ForeignLine | undefined): TitleSlot | undefined {
  const parsed = line?.text === undefined ? undefined : foreignObject(line.text)
  if (parsed?.ok !== true) return undefined
  const { type, title } = parsed.value
  return type === 'title' && typeof title === 'string' ? { title } : undefined
}

/**
 * Reads the header of a session file.
 * @param name of the file, for errors
 * @throws Failure `bad_request` if it is not a session, `unsupported_version` if another version wrote it
 */
export function sessionFormat(name: string, line: ForeignLine | undefined): SessionFormat {
  if (line === undefined) throw noSession(name, 'it is empty')
  if (line.text === undefined) throw noSession(name, 'its first line is too long')
  if (line.text.startsWith('\uFFFD\uFFFD') && line.text.includes('\0'))
    throw noSession(name, 'it is not UTF-8 but perhaps UTF-16; convert it')
  const parsed = foreignObject(line.text)
  if (!parsed.ok) throw noSession(name, `line 1: ${parsed.problem}`)
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
