// Reads the environment that the launcher passed to a server on a descriptor.
// Guarantees: the descriptor is read once, emptied and closed; its content stays in memory
// (docs/design/security.md#S30).
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'

type Environment = Readonly<Record<string, string>>

/**
 * Returns the variables with which a person started this server; empty if the launcher passed none. `bin/rxpi` and
 * `bin/start.js` write them to a file without a name, as `NAME=value` ended by NUL, and set `RXPI_ENVIRONMENT_FD`.
 */
export function takeStartEnvironment({ RXPI_ENVIRONMENT_FD: text = '' }: Environment): Environment {
  const descriptor = Number(text)
  if (!/^\d{1,4}$/.test(text) || !isUnnamedFile(descriptor)) return {}
  const content = readAll(descriptor)
  ftruncateSync(descriptor)
  closeSync(descriptor)
  if (descriptor === 0) openSync('/dev/null', constants.O_RDONLY) // takes the place of standard input
  return parseEnvironment(content)
}

/** Any other descriptor belongs to the caller. */
function isUnnamedFile(descriptor: number): boolean {
  try {
    const status = fstatSync(descriptor)
    return status.isFile() && status.nlink === 0
  } catch {
    return false // no such descriptor
  }
}

function readAll(descriptor: number): string {
  const content = Buffer.alloc(fstatSync(descriptor).size)
  let length = 0
  while (length < content.length) {
    const read = readSync(descriptor, content, length, content.length - length, length)
    if (read === 0) break
    length += read
  }
  return content.toString('utf8', 0, length)
}

function parseEnvironment(content: string): Environment {
  const entries = content.split('\0').flatMap((entry) => {
    const equals = entry.indexOf('=')
    return equals < 1 ? [] : [[entry.slice(0, equals), entry.slice(equals + 1)] as const]
  })
  return Object.fromEntries(entries)
}
