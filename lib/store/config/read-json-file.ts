// A configuration file counts whole or not at all; what is wrong is told with file, place and reason, and no value is repeated.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { OpenWarning } from '../../streams/ports/session-log.ts'
import type { Checked } from '../../streams/schema/compiled-validator.ts'
import { jsonFault } from './json-fault.ts'
import { describeThrown } from '../../streams/values/failure.ts'

export interface JsonFile<Value> {
  readonly value: Value
  readonly warnings: readonly OpenWarning[]
}

/**
 * Reads a file of this user through the check of its schema. Warns where others may write it.
 * @param missing what counts where there is no such file
 * @throws Failure `bad_config` naming file, key and reason
 */
export function readJsonFile<Value>(
  file: string,
  check: (value: unknown) => Checked<Value>,
  missing: Value,
): JsonFile<Value> {
  const read = readWhole(file)
  if (read === undefined) return { value: missing, warnings: [] }
  const checked = check(parsed(file, read.text))
  if (!checked.ok) throw badConfig(file, checked.problem)
  return { value: checked.value, warnings: read.warnings }
}

function readWhole(file: string): { readonly text: string; readonly warnings: OpenWarning[] } | undefined {
  try {
    // without O_NONBLOCK, opening a pipe would wait for somebody to write to it
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    try {
      const status = fstatSync(descriptor)
      if (!status.isFile()) throw new Error('it is no regular file')
      const { mode, uid } = status
      const text = readFileSync(descriptor, 'utf8').replace(/^\ufeff/, '')
      return { text, warnings: writableByOthers(file, mode, uid) }
    } finally {
      closeSync(descriptor)
    }
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT' || errnoOf(cause) === 'ENOTDIR') return undefined
    throw new Failure('bad_config', `${file} could not be read: ${describeThrown(cause)}`, { cause })
  }
}

/** Whoever can write these files decides where keys are sent and which commands give them (SECURITY S1). */
function writableByOthers(file: string, mode: number, uid: number): OpenWarning[] {
  const owner = uid === 0 || uid === process.geteuid?.()
  if (owner && (mode & 0o022) === 0) return []
  const who = owner ? 'Other users may write' : 'Another user owns'
  const message = `${who} ${file}, which decides what rxpi may do and where keys are sent; make it yours alone: chmod 600 ${file}`
  return [{ code: 'config_writable_by_others', message, context: { file } }]
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const fault = jsonFault(text) // the engine's message is not passed on: it quotes the text, which may hold keys
    const place = fault === undefined ? '' : ` (line ${fault.line}, column ${fault.column}: ${fault.problem})`
    throw badConfig(file, `it is not JSON${place}`)
  }
}

function badConfig(file: string, problem: string): Failure {
  return new Failure('bad_config', `${file} is not valid: ${problem}`, { data: { file, problem } })
}
