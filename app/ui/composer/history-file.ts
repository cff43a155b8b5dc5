// Stores the prompt history of a folder in a private file of JSON lines; skips unreadable lines.
import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ensurePrivateFolder, replacePrivateFile, rxpiPaths } from '../../../lib/server/launch/app-files.ts'
import type { Environment } from '../../../lib/server/launch/app-files.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { historyLimit, withEntry } from '../editor/prompt-history.ts'
import type { HistoryEntry, HistoryPart } from '../editor/prompt-history.ts'

export interface History {
  /** Oldest first. */
  entries(): readonly HistoryEntry[]
  add(entry: HistoryEntry): void
}

export interface HistoryOptions {
  /** Absolute; each folder has its own history. */
  readonly cwd: string
  readonly env: Environment
  /** Called once if the file cannot be written; the history continues in memory. */
  onProblem(problem: string): void
}

/** Reads the file at first use; cuts it to the newest entries when it has twice as many. */
export function openHistory({ cwd, env, onProblem }: HistoryOptions): History {
  const { home } = rxpiPaths(env)
  const file = join(home, 'history', `${createHash('sha256').update(cwd).digest('hex').slice(0, 16)}.jsonl`)
  let known: readonly HistoryEntry[] | undefined
  let isWritable = true
  const tryWrite = (work: () => void): void => {
    if (!isWritable) return
    try {
      work()
    } catch (error) {
      isWritable = false
      onProblem(`The prompt history could not be written: ${Failure.from(error).message}`)
    }
  }
  const entries = (): readonly HistoryEntry[] => {
    if (known !== undefined) return known
    const lines = readLines(file)
    const read = lines.flatMap(parseEntry).slice(-historyLimit)
    known = read
    if (lines.length > 2 * historyLimit) {
      tryWrite(() => {
        replacePrivateFile(file, read.map(formatEntry).join(''))
      })
    }
    return read
  }
  return {
    entries,
    add: (entry) => {
      const before = entries()
      known = withEntry(before, entry)
      if (known === before) return
      tryWrite(() => {
        ensurePrivateFolder(dirname(file), home)
        appendFileSync(file, formatEntry(entry), { mode: 0o600 })
      })
    },
  }
}

function formatEntry(entry: HistoryEntry): string {
  return `${JSON.stringify(entry)}\n`
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch {
    return [] // no file, or not readable: writing reports it
  }
}

function parseEntry(line: string): readonly HistoryEntry[] {
  try {
    const value: unknown = JSON.parse(line)
    return Array.isArray(value) && value.every(isPart) ? [value] : []
  } catch {
    return [] // an incomplete line
  }
}

function isPart(part: unknown): part is HistoryPart {
  return (
    typeof part === 'string' ||
    (typeof part === 'object' && part !== null && 'paste' in part && typeof part.paste === 'string')
  )
}
