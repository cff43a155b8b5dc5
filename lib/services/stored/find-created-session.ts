// Finds the session that a `new_session` with this `opId` created, from line 1 of its log.
import { createHash } from 'node:crypto'
import type { FileStore } from '../../store/index.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { canonicalJson } from '../../streams/values/json.ts'

/**
 * Returns the session's id; undefined if there is none. For logs without a digest on line 1 it compares folder and
 * title.
 * @throws Failure `bad_request` if that command had another body
 */
export function findCreatedSession(
  files: FileStore,
  command: Omit<CommandNamed<'new_session'>, 'type'>,
  opId: string,
): string | undefined {
  const { cwd, title } = command
  const header = files.madeBy(opId, cwd)
  if (header === undefined) return undefined
  const { opBody } = header
  const isSame = opBody === undefined ? header.cwd === cwd && header.title === title : opBody === commandDigest(command)
  if (isSame) return header.id
  throw new Failure('bad_request', `opId "${opId}" was already used for another new_session; use a new one`)
}

/** Fields that may differ in a repeated command, or that a session is not made of. */
const leftOut: ReadonlySet<string> = new Set(['type', 'env', 'mcpServers', 'leaving'])

/** 16 hex digits of SHA-256 over the command's fields but those of `leftOut`. */
export function commandDigest(command: object): string {
  const fields = Object.entries(command).filter(([name]) => !leftOut.has(name))
  return createHash('sha256')
    .update(canonicalJson(Object.fromEntries(fields)))
    .digest('hex')
    .slice(0, 16)
}
