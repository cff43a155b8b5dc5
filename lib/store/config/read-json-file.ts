// Reads and checks a JSON configuration file.
// Guarantees: it is accepted whole or not at all, and an error quotes no value.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { describeJsonFault } from '../../streams/values/json-fault.ts'
import type { OpenWarning } from '../../streams/ports/session-log.ts'
import type { Checked } from '../../streams/schema/compiled-validator.ts'

export interface JsonFile<Value> {
  readonly value: Value
  readonly warnings: readonly OpenWarning[]
}

/**
 * Reads a file of this user and checks it against its schema. Warns if others may write it.
 * @param missing the value of a missing file
 * @throws Failure `bad_config` naming file, key and reason
 */
export function readJsonFile<Value>(
  file: string,
  check: (value: unknown) => Checked<Value>,
  missing: Value,
): JsonFile<Value> {
  const read = readWhole(file)
  if (read === undefined) return { value: missing, warnings: [] }
  return { value: checkJsonText(file, read.text, check), warnings: read.warnings }
}

/** The checked content of a file that was read already. @throws Failure `bad_config` naming file, key and reason */
export function checkJsonText<Value>(file: string, text: string, check: (value: unknown) => Checked<Value>): Value {
  const checked = check(parseJson(file, text.replace(/^\ufeff/, '')))
  if (!checked.ok) throw badConfig(file, checked.problem)
  return checked.value
}

function readWhole(file: string): { readonly text: string; readonly warnings: OpenWarning[] } | undefined {
  try {
    // without O_NONBLOCK, opening a pipe would wait for a writer
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    try {
      const status = fstatSync(descriptor)
      if (!status.isFile()) throw new Error('it is not a regular file')
      const { mode, uid } = status
      const text = readFileSync(descriptor, 'utf8')
      return { text, warnings: checkWritableByOthers(file, mode, uid) }
    } finally {
      closeSync(descriptor)
    }
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT' || errnoOf(cause) === 'ENOTDIR') return undefined
    throw new Failure('bad_config', `${file} could not be read: ${describeThrown(cause)}`, { cause })
  }
}

/**
 * Every user that can write these files chooses where keys are sent and which commands print them
 * (docs/design/security.md#S1).
 */
function checkWritableByOthers(file: string, mode: number, uid: number): OpenWarning[] {
  const owner = uid === 0 || uid === process.geteuid?.()
  if (owner && (mode & 0o022) === 0) return []
  const who = owner ? 'Other users may write' : 'Another user owns'
  const message = `${who} ${file}, which defines what rxpi may do and where keys are sent; make it private: chmod 600 ${file}`
  return [{ code: 'config_writable_by_others', message, context: { file } }]
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badConfig(file, describeJsonFault(text))
  }
}

/** The failure of a file with this problem; a path at its start is written as people write keys: `limits.turns`. */
export function badConfig(file: string, found: string): Failure {
  const problem = dottedPath(found)
  return new Failure('bad_config', `${file} is not valid: ${problem}`, { data: { file, problem } })
}

/** `/limits/turns must be …` as `limits.turns must be …`. */
export function dottedPath(problem: string): string {
  return problem.replace(/^\/\S+/, (pointer) => pointer.slice(1).replaceAll('/', '.'))
}
