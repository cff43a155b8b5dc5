// Lists the sessions of folders; reads only the logs that differ from the folder's cached index.
import type { Stats } from 'node:fs'
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { EMPTY, catchError, concat, defer, filter, from, ignoreElements, map, mergeMap, of, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { ensurePrivateFolder } from '../../host/files/private-files.ts'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import type { IndexedLog, SessionFacts } from '../../streams/state/session-summary.ts'
import { inSlices } from '../../host/process/run-in-slices.ts'
import { summariseLog } from './session-summary-from-log.ts'
import { readSessionIndex, writeSessionIndex } from './session-index.ts'
import { fileNamesIn } from './session-folder.ts'
import { settleKnownTimes } from './write-times.ts'
import { parseLogFileName } from '../lines/log-file-name.ts'

export interface ListedLog {
  readonly facts: SessionFacts
  /** Absolute. */
  readonly file: string
  /** The one of its folder that was used last: `-c` continues it. */
  readonly isLatest: boolean
}

export interface LogList {
  /** The last one written first: the order in which `-c` chooses. */
  readonly logs: readonly ListedLog[]
  /** Skipped logs and failed writes, with reasons. */
  readonly problems: readonly string[]
}

/**
 * The logs of these folders; emits once. Missing folders count as empty; links and other users' folders are reported as
 * problems.
 * @param home the topmost folder of rxpi @param folders absolute
 */
export function listLogs(home: string, folders: readonly string[]): Observable<LogList> {
  return listWanted(home, folders, () => true)
}

/**
 * The logs of these folders whose session has this parent; emits once. A log that is known to have another parent is not
 * read again, however it has changed: the parent is in its first line.
 */
export function listChildren(home: string, folders: readonly string[], parent: string): Observable<LogList> {
  const isChild = ({ facts }: Pick<IndexedLog, 'facts'>): boolean => facts.parent?.sessionId === parent
  return listWanted(home, folders, isChild).pipe(map((list) => ({ ...list, logs: list.logs.filter(isChild) })))
}

/** @param isWanted tells of a log that has changed whether its facts have to be new */
type IsWanted = (known: IndexedLog) => boolean

function listWanted(home: string, folders: readonly string[], isWanted: IsWanted): Observable<LogList> {
  return inSlices(() => readFolders(home, folders, isWanted)).pipe(
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
  const written = read.flatMap(({ folder, logs }) => logs.map((log) => ({ folder, log })))
  const latest = new Set<string>()
  return {
    logs: written.sort(compareByLastWrite).map(({ folder, log: { name, facts } }) => {
      const isLatest = !latest.has(folder)
      latest.add(folder)
      return { facts, file: path.join(folder, name), isLatest }
    }),
    problems: read.flatMap(({ problems }) => problems),
  }
}

type WrittenLog = { readonly log: Pick<IndexedLog, 'mtimeMs' | 'name'> }

/** The order of `latest` of the store: times of events can be later than now, after the clock was set back. */
function compareByLastWrite({ log: one }: WrittenLog, { log: other }: WrittenLog): number {
  return other.mtimeMs - one.mtimeMs || (one.name > other.name ? -1 : 1)
}

interface ReadFolder {
  readonly folder: string
  readonly logs: readonly IndexedLog[]
  /** The folder's index holds what is known of them. */
  readonly isSame: boolean
  readonly problems: string[]
}

/** Yields `undefined` after each log to let other work run, and each folder after its last log. */
function* readFolders(
  home: string,
  folders: readonly string[],
  isWanted: IsWanted,
): Generator<ReadFolder | undefined, void> {
  for (const folder of folders) {
    try {
      yield yield* readFolder(home, folder, isWanted)
    } catch (thrown) {
      yield { folder, logs: [], isSame: true, problems: [Failure.from(thrown).message] }
    }
  }
}

function* readFolder(home: string, folder: string, isWanted: IsWanted): Generator<undefined, ReadFolder> {
  const files = settledLogFiles(home, folder)
  const known = readSessionIndex(folder)
  const logs: IndexedLog[] = []
  const problems: string[] = []
  for (const { log, problem } of readIndexed(folder, files, { known, isWanted })) {
    if (log !== undefined) logs.push(log)
    if (problem !== undefined) problems.push(problem)
    yield undefined
  }
  return { folder, logs, isSame: isSame(logs, known), problems }
}

/** Writes at a time: each takes some turns of the event loop, which are long when the server is busy. */
const atMostWrites = 16

function writeIndexes(read: readonly ReadFolder[]): Observable<never> {
  return from(read.filter((each) => !each.isSame)).pipe(mergeMap(writeChangedIndex, atMostWrites))
}

/** Writes the index; a failure is reported as a problem only. */
function writeChangedIndex({ folder, logs, problems }: ReadFolder): Observable<never> {
  return fromAbortable((signal) => writeSessionIndex(folder, logs, signal)).pipe(
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

/** None has a time after now: the list would not have the order of later writes. */
function settledLogFiles(home: string, folder: string): LogFile[] {
  const files = logFiles(home, folder)
  const times = files.map(({ status }) => status.mtimeMs)
  return settleKnownTimes(folder, times) ? logFiles(home, folder) : files
}

/** A non-empty file with the name of a log. */
function logFiles(home: string, folder: string): LogFile[] {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return []
  ensurePrivateFolder(folder, home)
  return fileNamesIn(folder).flatMap((name) => {
    if (parseLogFileName(name) === undefined) return []
    const status = lstatSync(path.join(folder, name), { throwIfNoEntry: false })
    return status?.isFile() === true && status.size > 0 ? [{ name, status }] : []
  })
}

interface LogOrProblem {
  readonly log?: IndexedLog
  readonly problem?: string
}

interface Indexed {
  readonly known: ReadonlyMap<string, IndexedLog>
  readonly isWanted: IsWanted
}

function* readIndexed(
  folder: string,
  files: readonly LogFile[],
  { known, isWanted }: Indexed,
): Generator<LogOrProblem, void> {
  for (const { name, status } of files) {
    const found = known.get(name)
    const isSame = found?.mtimeMs === status.mtimeMs && found.facts.size === status.size
    if (found !== undefined && (isSame || !isWanted(found))) yield { log: found }
    else yield readFromLog(folder, name, status.mtimeMs)
  }
}

/** Also reads what was appended after `mtimeMs` was read; the next list sees another time and reads it again. */
function readFromLog(folder: string, name: string, mtimeMs: number): LogOrProblem {
  const { createdAt = 0, sessionId = '' } = parseLogFileName(name) ?? {}
  const file = path.join(folder, name)
  try {
    return { log: { name, mtimeMs, facts: summariseLog({ file, sessionId, createdAt }) } }
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return {} // removed meanwhile
    return { problem: Failure.from(thrown).message }
  }
}

function isSame(logs: readonly IndexedLog[], known: ReadonlyMap<string, IndexedLog>): boolean {
  return logs.length === known.size && logs.every((log) => known.get(log.name) === log)
}
