// Finds the session that a command created, by the command's opId.
// Reads line 1 of the folder's newest logs.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import path from 'node:path'
import type { SessionHeader } from '../../streams/log/log-line.ts'
import { parseHeader } from '../lines/parse-header.ts'
import { readLines } from '../lines/read-lines.ts'
import { fileNamesIn } from './session-folder.ts'
import { parseLogFileName } from '../lines/log-file-name.ts'

export interface OperationToFind {
  /** Absolute; may not exist. */
  readonly folder: string
  /** Of the command that created it. */
  readonly opId: string
  /** The session that it branches from. Default: it is not a branch. */
  readonly parent?: string | undefined
  /** Unix milliseconds; older sessions are ignored. */
  readonly since: number
}

/**
 * The header of the newest match. Skips files that cannot be read as this user's logs: no command was answered with
 * them. @throws Failure `storage`
 */
export function findSessionByOperation({ folder, opId, parent, since }: OperationToFind): SessionHeader | undefined {
  const recent = fileNamesIn(folder).flatMap((name) => {
    const createdAt = parseLogFileName(name)?.createdAt ?? Number.NaN
    return createdAt >= since ? [{ name, createdAt }] : []
  })
  const text = JSON.stringify(opId)
  for (const { name } of recent.sort((one, other) => other.createdAt - one.createdAt)) {
    const line = firstLine(path.join(folder, name))
    if (line?.includes(text) !== true) continue
    const parsed = parseHeader(line)
    // a branch has its opId from another kind of command
    if (parsed.ok && parsed.header.opId === opId && parsed.header.parent?.sessionId === parent) return parsed.header
  }
  return undefined
}

function firstLine(file: string): Buffer | undefined {
  let descriptor: number | undefined
  try {
    const opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    descriptor = opened
    const { size, uid } = fstatSync(opened)
    if (uid !== process.geteuid?.()) return undefined
    const read = (buffer: Buffer, length: number, position: number): number =>
      readSync(opened, buffer, 0, length, position)
    const [line] = readLines({ read, from: 0, end: () => size })
    return line?.ended === true ? line.bytes : undefined
  } catch {
    return undefined // removed meanwhile, or not a file
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
