// A header that is lost is made anew from what its damaged line and its file's name still say; nothing else is made up.
import path from 'node:path'
import { randomIds } from '../../streams/values/ids.ts'
import type { NewHeader } from '../../streams/ports/session-log.ts'
import { checkHeader } from '../../streams/validation/validators.ts'
import { newHeader } from '../lines/new-header.ts'
import { sessionFolder } from '../sessions/session-folder.ts'
import { parsedJson } from '../lines/parsed-json.ts'

export interface RebuiltHeader {
  readonly line: string
  /** Where its fields are from, for people. */
  readonly source: string
}

/** @param bytes line 1 as it stands in the file */
export function rebuiltHeader(file: string, bytes: Buffer): RebuiltHeader {
  const text = bytes.toString()
  const folder = path.basename(path.dirname(file))
  const [, createdAt, id] = /^(\d+)_([a-z2-7]{12})\.jsonl$/.exec(path.basename(file)) ?? []
  const read = readHeader(text)
  if (read !== undefined && (id === undefined || read.id === id) && fits(read.cwd, folder)) {
    return { line: newHeader(read).headerLine, source: 'what can still be read of it' }
  }
  const cwd = folderIn(text)
  const known = cwd !== undefined && fits(cwd, folder)
  const fields = {
    id: id ?? randomIds().session(),
    createdAt: Number(createdAt ?? Date.now()),
    cwd: known ? cwd : '/',
  }
  const named = id === undefined ? 'nothing: its id is a new one' : "its file's name"
  return { line: newHeader(fields).headerLine, source: known ? named : `${named}, and its folder is lost: it is / now` }
}

/** Its fields, where only its checksum is wrong. */
function readHeader(text: string): NewHeader | undefined {
  const checked = checkHeader(parsedJson(text))
  return checked.ok ? checked.value : undefined
}

function folderIn(text: string): string | undefined {
  const [, quoted = ''] = /"cwd":("(?:[^"\\]|\\.)*")/.exec(text) ?? []
  const cwd = parsedJson(quoted)
  return typeof cwd === 'string' && cwd !== '' ? cwd : undefined
}

/** A folder of sessions has the hash of the folder that they work in; elsewhere there is nothing to compare. */
function fits(cwd: string, folder: string): boolean {
  return !/-[0-9a-f]{16}$/.test(folder) || sessionFolder(cwd) === folder
}
