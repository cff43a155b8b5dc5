// The sessions of folders as a list: each log's facts from the index where its file has not changed, else from the file.
import type { Stats } from 'node:fs'
import { lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { EMPTY, catchError, concat, defer, from, ignoreElements, map, mergeMap, of, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { ensurePrivateFolder } from '../host/private-files.ts'
import { errnoOf, storageFailure } from '../host/storage-failure.ts'
import { Failure } from '../streams/failure.ts'
import { fromAbortable } from '../streams/from-abortable.ts'
import type { IndexedLog, SessionFacts } from '../streams/session-summary.ts'
import { inSlices } from './in-slices.ts'
import { logFacts } from './log-facts.ts'
import { readIndex, writeIndex } from './session-index.ts'

export interface ListedLog {
  readonly facts: SessionFacts
  /** Absolute. */
  readonly file: string
  /** It is the one of its folder that was used last: what `-c` goes on with. */
  readonly isLatest: boolean
}

export interface LogList {
  /** Last event first. */
  readonly logs: readonly ListedLog[]
  /** What was passed over or could not be kept, and why. */
  readonly problems: readonly string[]
}

/**
 * The logs of these folders; emits once. Folders that are not there count as empty; those that are links or another's are
 * told of. @param home the uppermost folder of ours @param folders absolute
 */
export function listLogs(home: string, folders: readonly string[]): Observable<LogList> {
  return from(folders).pipe(
    mergeMap((folder) => listFolder(home, folder), 1),
    toArray(),
    map((lists) => ({
      logs: lists.flatMap(({ logs }) => logs).sort(lastFirst),
      problems: lists.flatMap(({ problems }) => problems),
    })),
  )
}

function lastFirst({ facts: one }: ListedLog, { facts: other }: ListedLog): number {
  return other.updatedAt - one.updatedAt || (one.id < other.id ? -1 : 1)
}

function listFolder(home: string, folder: string): Observable<LogList> {
  return defer(() => {
    const files = logFiles(home, folder)
    const known = readIndex(folder)
    return inSlices(() => indexed(folder, files, known)).pipe(
      toArray(),
      mergeMap((read) => {
        const logs = read.flatMap(({ log }) => (log === undefined ? [] : [log]))
        const problems = read.flatMap(({ problem }) => (problem === undefined ? [] : [problem]))
        return concat(
          isSame(logs, known) ? EMPTY : kept(folder, logs, problems),
          defer(() => of({ logs: listed(folder, logs), problems })),
        )
      }),
    )
  }).pipe(catchError((error: unknown) => of({ logs: [], problems: [Failure.from(error).message] })))
}

/** Writes the index; that it could not be written is a problem, and no more. */
function kept(folder: string, logs: readonly IndexedLog[], problems: string[]): Observable<never> {
  return fromAbortable((signal) => writeIndex(folder, logs, signal)).pipe(
    catchError((error: unknown) => {
      problems.push(Failure.from(error).message)
      return of(undefined)
    }),
    ignoreElements(),
  )
}

interface LogFile {
  readonly name: string
  readonly status: Stats
}

/** What looks like a log by its name and is a file that something was written to. */
function logFiles(home: string, folder: string): LogFile[] {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return []
  ensurePrivateFolder(folder, home)
  return namesIn(folder).flatMap((name) => {
    if (!logName.test(name)) return []
    const status = lstatSync(path.join(folder, name), { throwIfNoEntry: false })
    return status?.isFile() === true && status.size > 0 ? [{ name, status }] : []
  })
}

const logName = /^(\d{1,16})_([a-z2-7]{12})\.jsonl$/

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return []
    throw storageFailure(`read the folder ${folder}`, thrown)
  }
}

interface Read {
  readonly log?: IndexedLog
  readonly problem?: string
}

function* indexed(
  folder: string,
  files: readonly LogFile[],
  known: ReadonlyMap<string, IndexedLog>,
): Generator<Read, void> {
  for (const { name, status } of files) {
    const found = known.get(name)
    if (found?.mtimeMs === status.mtimeMs && found.facts.size === status.size) yield { log: found }
    else yield readAnew(folder, name, status.mtimeMs)
  }
}

/** What was appended since `mtimeMs` was asked for is read too; the next list finds another time and reads it once more. */
function readAnew(folder: string, name: string, mtimeMs: number): Read {
  const [, createdAt = '0', sessionId = ''] = logName.exec(name) ?? []
  const file = path.join(folder, name)
  try {
    return { log: { name, mtimeMs, facts: logFacts({ file, sessionId, createdAt: Number(createdAt) }) } }
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return {} // removed meanwhile
    return { problem: Failure.from(thrown).message }
  }
}

function isSame(logs: readonly IndexedLog[], known: ReadonlyMap<string, IndexedLog>): boolean {
  return logs.length === known.size && logs.every((log) => known.get(log.name) === log)
}

function listed(folder: string, logs: readonly IndexedLog[]): ListedLog[] {
  const latest = logs.reduce<IndexedLog | undefined>((best, log) => (isLater(log, best) ? log : best), undefined)
  return logs.map((log) => ({ facts: log.facts, file: path.join(folder, log.name), isLatest: log === latest }))
}

function isLater(log: IndexedLog, best: IndexedLog | undefined): boolean {
  if (best === undefined || log.mtimeMs > best.mtimeMs) return true
  return log.mtimeMs === best.mtimeMs && log.name > best.name
}
