// Lists the entries of a folder for ls and read, without those that .gitignore names.
// Guarantees: it reads at most 100,000 entries, however many the folder has.
import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'
import path from 'node:path'
import { textResult } from '../../streams/ports/tool.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'
import { truncateHead } from '../../streams/values/truncate.ts'
import { outputLimits } from '../shared/output-limits.ts'
import { comparePaths, jsonName, quotedName, searchNotice } from './search-scope.ts'

export interface FolderDetails {
  /** Absolute. */
  readonly path: string
  /** Entries that are not ignored. */
  readonly entries: number
  /** The entries in the result. */
  readonly shown: number
  /** Entries that .gitignore names. */
  readonly ignored: number
}

export interface FolderRange {
  /** First entry, from 1. Default 1. */
  readonly offset?: number | undefined
  /** Default 500. */
  readonly limit?: number | undefined
}

const defaultLimit = 500
const maxEntries = 100_000

/** One entry a line, sorted: `name/` for a folder, `name@` for a link, `name|` for a pipe, `name=` for a socket. */
export async function listFolder(folder: string, range: FolderRange, signal: AbortSignal): Promise<ToolResult> {
  const { offset = 1, limit = defaultLimit } = range
  const { names, ignored, isComplete } = await readEntries(folder, signal)
  const sorted = names.sort((one, other) => comparePaths(one.name, other.name))
  const wanted = sorted.slice(offset - 1, offset - 1 + limit).map(shownEntry)
  const cut = truncateHead(wanted.join('\n'), outputLimits)
  const shown = cut.cutBy === undefined ? wanted.length : cut.lines
  const next = offset + shown
  const notice = searchNotice([
    next <= names.length
      ? `Entries ${offset}-${next - 1} of ${isComplete ? names.length : `over ${names.length}`} are shown. Continue with read, offset=${next}.`
      : undefined,
    isComplete ? undefined : `The folder has over ${maxEntries} entries; the others were not read.`,
    ignored.length === 0 ? undefined : ignoredSentence(ignored),
  ])
  const details: FolderDetails = { path: folder, entries: names.length, shown, ignored: ignored.length }
  const text = names.length === 0 ? '(The folder is empty.)' : cut.text.trimEnd()
  return textResult([text, notice].filter((part) => part !== undefined && part !== '').join('\n'), { details })
}

function ignoredSentence(entries: readonly Dirent[]): string {
  const shown = entries.map(shownEntry).sort(comparePaths).slice(0, 10).join(', ')
  return `Left out by .gitignore: ${shown}${entries.length > 10 ? ` and ${entries.length - 10} more` : ''}.`
}

async function readEntries(folder: string, signal: AbortSignal) {
  // its packages load with the first folder
  const { ignoreRulesOf } = await import('../../host/patterns/ignore-rules.ts')
  const rules = await ignoreRulesOf(folder)
  const [names, ignored]: [Dirent[], Dirent[]] = [[], []]
  for await (const entry of await opendir(folder, { bufferSize: 1024 })) {
    signal.throwIfAborted()
    const isIgnored = entry.name !== '.git' && rules.ignores(path.join(folder, entry.name), entry.isDirectory())
    const into = isIgnored ? ignored : names
    into.push(entry)
    if (names.length + ignored.length >= maxEntries) return { names, ignored, isComplete: false }
  }
  return { names, ignored, isComplete: true }
}

function shownEntry(entry: Dirent): string {
  // a name that ends like a mark is quoted too
  const name = /[@|=]$/.test(entry.name) ? jsonName(entry.name) : quotedName(entry.name)
  if (entry.isDirectory()) return `${name}/`
  if (entry.isSymbolicLink()) return `${name}@`
  if (entry.isFIFO()) return `${name}|`
  return entry.isSocket() ? `${name}=` : name
}
