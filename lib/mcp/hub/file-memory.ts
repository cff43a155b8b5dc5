// Remembers the lists of servers in private files, one for each server and folder.
// Guarantees: at most `fileLimit` files of `maxBytes`; what cannot be read or written costs the memory alone.
import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { ensurePrivateFolder, readPrivateJson } from '../../host/files/private-files.ts'
import { replacePrivateFile } from '../../host/files/replace-file.ts'
import { isRecord } from '../../streams/values/json.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { McpMemory } from '../contract/mcp-hub.ts'
import type { McpLists } from '../contract/mcp-peer.ts'

const fileLimit = 200
const maxBytes = 8 * 2 ** 20

export interface FileMemoryOptions {
  /** Absolute; created when the first lists are stored. */
  readonly folder: string
}

/** A memory in files that only this user can read. Lists of more than 8 MiB are not remembered. */
export function fileMemory({ folder }: FileMemoryOptions): McpMemory {
  const fileOf = (key: string): string => path.join(folder, `${key}.json`)
  return {
    load: (key) => readLists(fileOf(key)),
    store: (key, lists) => {
      const text = JSON.stringify({ v: 1, lists })
      if (Buffer.byteLength(text) > maxBytes) return undefined
      try {
        ensurePrivateFolder(folder)
        replacePrivateFile(fileOf(key), text, { synced: false })
        removeOldest(folder)
        return undefined
      } catch (thrown) {
        return Failure.from(thrown, 'storage')
      }
    },
  }
}

/** Undefined for a file that is not there, not private, or not of this form: the server's own lists replace it. */
function readLists(file: string): McpLists | undefined {
  try {
    const content = readPrivateJson(file, maxBytes)
    return isRecord(content) && content['v'] === 1 && isLists(content['lists']) ? content['lists'] : undefined
  } catch {
    return undefined
  }
}

function isLists(value: unknown): value is McpLists {
  if (!isRecord(value)) return false
  const { tools, prompts, resources, instructions } = value
  const areNamed = [tools, prompts, resources].every((list) => Array.isArray(list) && list.every(isNamed))
  if (!areNamed || !Array.isArray(tools)) return false
  return tools.every((tool) => isRecord(tool) && isRecord(tool['inputSchema'])) && isText(instructions)
}

function isNamed(value: unknown): boolean {
  return isRecord(value) && typeof value['name'] === 'string' && isText(value['description'])
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function removeOldest(folder: string): void {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  if (names.length <= fileLimit) return
  const files = names.map((name) => path.join(folder, name))
  const byAge = files.map((file) => ({ file, at: statSync(file).mtimeMs })).sort((one, other) => one.at - other.at)
  for (const { file } of byAge.slice(0, files.length - fileLimit)) rmSync(file, { force: true })
}
