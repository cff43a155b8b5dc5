// Reads and replaces the stored decisions about extensions: `extension-trust.json`.
// Guarantees: a private file (0600); a file that others can write is refused; a damaged file lets nothing run.
import { statSync } from 'node:fs'
import path from 'node:path'
import { readPrivateJson } from '../../host/files/private-files.ts'
import { replacePrivateFile } from '../../host/files/replace-file.ts'
import type {
  ExtensionRecord,
  ExtensionTrustFile,
  ExtensionTrustState,
} from '../../streams/config/extension-trust-schema.ts'
import { checkExtensionTrustFile } from '../../streams/validation/file-validators.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'

/** Extensions that are stored; the oldest decision makes room for a new one, and that extension is pending again. */
const maxRecords = 2_000
const maxBytes = 4_194_304

/** The decisions by the id of the extension. */
export type ExtensionRecords = ReadonlyMap<string, ExtensionRecord>

export function extensionTrustFile(home: string): string {
  return path.join(home, 'extension-trust.json')
}

/** The state of an extension whose content has this digest. */
export function trustState(record: ExtensionRecord | undefined, digest: string): ExtensionTrustState {
  if (record === undefined) return 'pending'
  if (record.state === 'killed') return 'killed' // new content does not bring it back
  return record.dev === true || record.digest === digest ? record.state : 'pending'
}

/** Empty without a file. @throws Failure `bad_config` if the file is damaged or others can write it */
export function readRecords(home: string): ExtensionRecords {
  const file = extensionTrustFile(home)
  const value = readOwn(file)
  if (value === undefined) return new Map()
  const checked = checkExtensionTrustFile(value)
  if (checked.ok) return new Map(Object.entries(checked.value.extensions))
  throw badFile(file, checked.problem)
}

/** Replaces the file at once; the caller holds its lock. @throws Failure `storage` */
export function writeRecords(home: string, records: ExtensionRecords): void {
  const newest = [...records].toSorted(([, one], [, other]) => other.at - one.at).slice(0, maxRecords)
  const content: ExtensionTrustFile = { v: 1, extensions: Object.fromEntries(newest) }
  replacePrivateFile(extensionTrustFile(home), `${JSON.stringify(content, undefined, 2)}\n`)
}

/** Differs after each replacement of the file; empty without a file. */
export function recordsStamp(home: string): string {
  const status = statSync(extensionTrustFile(home), { throwIfNoEntry: false, bigint: true })
  return status === undefined ? '' : `${status.ino} ${status.size} ${status.ctimeNs}`
}

function readOwn(file: string): unknown {
  try {
    return readPrivateJson(file, maxBytes)
  } catch (error) {
    throw badFile(file, describeThrown(error))
  }
}

function badFile(file: string, problem: string): Failure {
  const message = `${file} holds your decisions about extensions and is not valid: ${problem}; mend or remove it`
  return new Failure('bad_config', message, { data: { file } })
}
