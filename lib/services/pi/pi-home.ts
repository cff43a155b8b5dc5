// Finds pi's agent folder and reads its JSON files, bounded.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { describeJsonFault } from '../../streams/values/json-fault.ts'

const maxBytes = 4_194_304

/** Absolute. */
export function piFolder(dir: string | undefined, env: Readonly<Record<string, string>>): string {
  const named = dir ?? env['PI_CODING_AGENT_DIR']
  if (named !== undefined && path.isAbsolute(named)) return path.resolve(named)
  return path.join(env['HOME'] ?? homedir(), '.pi', 'agent')
}

/** Undefined if there is no such file. @throws Failure `bad_request` naming the file and the reason */
export function readPiJson(file: string): unknown {
  const text = readPiText(file)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('bad_request', `${file}: ${describeJsonFault(text)}`)
  }
}

/** Undefined if there is no such file. @throws Failure `bad_request` naming the file and the reason */
function readPiText(file: string): string | undefined {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const status = fstatSync(descriptor)
      if (!status.isFile()) throw new Error('it is not a regular file')
      if (status.size > maxBytes) throw new Error('it is larger than 4 MiB')
      return readFileSync(descriptor, 'utf8').replace(/^\u{FEFF}/u, '')
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined
    throw new Failure('bad_request', `${file} could not be read: ${describeThrown(error)}`)
  }
}
