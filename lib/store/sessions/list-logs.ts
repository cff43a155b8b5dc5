// The sessions of folders as a list: each log's facts from the index where its file has not changed, else from the file.
import type { Stats } from 'node:fs'
import { lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { EMPTY, catchError, concat, concatMap, defer, filter, from, ignoreElements, mergeMap, of, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { ensurePrivateFolder } from '../../host/files/private-files.ts'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import type { IndexedLog, SessionFacts } from '../../streams/state/session-summary.ts'
import { inSlices } from '../../host/process/run-in-slices.ts'
import { summariseLog } from './session-summary-from-log.ts'
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
  return inSlices(() => readFolders(home, folders)).pipe(
    filter((step) => step !== undefined),
    toArray(),
    mergeMap((read) =>
      concat(
        writeIndexes(read),
        defer(() => of(listOf(read))),
      ),
    ),
  )
}

function listOf(read: readonly ReadFolder[]): LogList {
  return {
    logs: read.flatMap(({ folder, logs }) => toListedLog(folder, logs)).sort(lastFirst),
    problems: read.flatMap(({ problems }) => problems),
  }
}

function lastFirst({ facts: one }: ListedLog, { facts: other }: ListedLog): number {
  return other.updatedAt - one.updatedAt || (one.id < other.id ? -1 : 1)
}

interface ReadFolder {
  readonly folder: string
  readonly logs: readonly IndexedLog[]
  /** What is known of them is what its index says. */
  readonly isSame: boolean
  readonly problems: string[]
}

/** Yields nothing (`undefined`) after each log, so that others have their turn, and each folder when all of it was read. */
function* readFolders(home: string, folders: readonly string[]): Generator<ReadFolder | undefined, void> {
  for (const folder of folders) {
    try {
      yield yield* readFolder(home, folder)
    } catch (thrown) {
      yield { folder, logs: [], isSame: true, problems: [Failure.from(thrown).message] }
    }
  }
}

function* readFolder(home: string, folder: string): Generator<undefined, ReadFolder> {
  const files = logFiles(home, folder)
  const known = readIndex(folder)
  const logs: IndexedLog[] = []
  const problems: string[] = []
  for (const { log, problem } of readIndexed(folder, files, known)) {
    if (log !== undefined) logs.push(log)
    if (problem !== undefined) problems.push(problem)
    yield undefined
  }
  return { folder, logs, isSame: isSame(logs, known), problems }
}

/** Writes what changed, one index after the other: each write is asynchronous, or `concatMap` would recurse. */
function writeIndexes(read: readonly ReadFolder[]): Observable<never> {
  return from(read.filter((each) => !each.isSame)).pipe(concatMap(writeFolderIndex))
}

/** Writes the index; that it could not be written is a problem, and no more. */
function writeFolderIndex({ folder, logs, problems }: ReadFolder): Observable<never> {
  return fromAbortable((signal) => writeIndex(folder, logs, signal)).pipe(
    catchError((error: unknown) => {
      problems.push(Failure.from(error).message)
      return EMPTY
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

function* readIndexed(
  folder: string,
  files: readonly LogFile[],
  known: ReadonlyMap<string, IndexedLog>,
): Generator<Read, void> {
  for (const { name, status } of files) {
    const found = known.get(name)
    if (found?.mtimeMs === status.mtimeMs && found.facts.size === status.size) yield { log: found }
    else yield readFromLog(folder, name, status.mtimeMs)
  }
}

/** What was appended since `mtimeMs` was asked for is read too; the next list finds another time and reads it once more. */
function readFromLog(folder: string, name: string, mtimeMs: number): Read {
  const [, createdAt = '0', sessionId = ''] = logName.exec(name) ?? []
  const file = path.join(folder, name)
  try {
    return { log: { name, mtimeMs, facts: summariseLog({ file, sessionId, createdAt: Number(createdAt) }) } }
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return {} // removed meanwhile
    return { problem: Failure.from(thrown).message }
  }
}

function isSame(logs: readonly IndexedLog[], known: ReadonlyMap<string, IndexedLog>): boolean {
  return logs.length === known.size && logs.every((log) => known.get(log.name) === log)
}

function toListedLog(folder: string, logs: readonly IndexedLog[]): ListedLog[] {
  const latest = logs.reduce<IndexedLog | undefined>((best, log) => (isLater(log, best) ? log : best), undefined)
  return logs.map((log) => ({ facts: log.facts, file: path.join(folder, log.name), isLatest: log === latest }))
}

function isLater(log: IndexedLog, best: IndexedLog | undefined): boolean {
  if (best === undefined || log.mtimeMs > best.mtimeMs) return true
  return log.mtimeMs === best.mtimeMs && log.name > best.name
}
