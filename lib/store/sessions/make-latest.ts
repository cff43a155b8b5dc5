// Which session of a folder is gone on with is decided by the time of its file alone, so that no second record can contradict it.
import { lstatSync, readdirSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { storageFailure } from '../../host/files/storage-failure.ts'

/** Gives the log's file a time later than that of every other log in its folder; what stands in it stays. @throws Failure `storage` */
export function makeLatest(file: string): void {
  const folder = path.dirname(file)
  try {
    const others = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && name !== path.basename(file))
    const times = others.map((name) => lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
    // a clock that was put back leaves files of the future
    const seconds = times.reduce((latest, time) => Math.max(latest, Math.ceil(time) + 1), Date.now()) / 1_000
    utimesSync(file, seconds, seconds)
  } catch (thrown) {
    throw storageFailure(`change the time of ${file}`, thrown)
  }
}
