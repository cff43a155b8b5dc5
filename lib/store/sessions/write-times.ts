// Orders the logs of a folder by the times of their files, also after the clock was set back.
// Guarantees: these times alone decide which session `-c` continues, so that no second record can contradict them.
import { lstatSync, readdirSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import { sessionIdOfFile } from '../lines/log-file-name.ts'

/** Milliseconds by which the clock of a file system may be ahead. */
const toleranceMs = 2_000

/**
 * Called before a log is written: what was written before the clock was set back gets a time before now, in the same order.
 * The time of the folder says whether that is needed: each session that opens or closes changes it.
 */
export function settleFutureTimes(folder: string, now = Date.now()): void {
  ignoreSystemErrors(() => {
    const changedAt = lstatSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (changedAt > now + toleranceMs) lowerTimes(folder, now)
  })
}

/** The same for the times of the folder's logs, as they are known. Returns whether times have changed. */
export function settleKnownTimes(folder: string, times: readonly number[], now = Date.now()): boolean {
  if (!times.some((time) => time > now + toleranceMs)) return false
  ignoreSystemErrors(() => {
    lowerTimes(folder, now)
  })
  return true
}

/** After an error of the system the order stays as it was. */
function ignoreSystemErrors(act: () => void): void {
  try {
    act()
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown
  }
}

/** Sets the log's time later than that of every other log in its folder; the content stays. @throws Failure `storage` */
export function makeLatest(file: string): void {
  const folder = path.dirname(file)
  try {
    const others = timesIn(folder).filter(({ name }) => name !== path.basename(file))
    // files can have a time after now, from before the clock was set back
    const time = others.reduce((latest, { mtimeMs }) => Math.max(latest, Math.ceil(mtimeMs) + 1), Date.now())
    setTime(file, time)
  } catch (thrown) {
    throw storageFailure(`change the time of ${file}`, thrown)
  }
}

function lowerTimes(folder: string, now: number): void {
  const late = timesIn(folder)
    .filter(({ mtimeMs }) => mtimeMs > now)
    .sort((one, other) => one.mtimeMs - other.mtimeMs || (one.name < other.name ? -1 : 1))
  for (const [index, { name }] of late.entries())
    setTime(path.join(folder, name), now - toleranceMs - late.length + index)
}

interface LogTime {
  readonly name: string
  readonly mtimeMs: number
}

function timesIn(folder: string): readonly LogTime[] {
  return readdirSync(folder).flatMap((name) => {
    if (sessionIdOfFile(name) === undefined) return []
    const status = lstatSync(path.join(folder, name), { throwIfNoEntry: false })
    return status?.isFile() === true ? [{ name, mtimeMs: status.mtimeMs }] : []
  })
}

function setTime(file: string, ms: number): void {
  utimesSync(file, ms / 1_000, ms / 1_000)
}
