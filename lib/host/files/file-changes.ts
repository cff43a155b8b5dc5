// Watches a file for changes; a periodic check covers systems that report none.
import { watch } from 'node:fs'
import { Observable, interval, map, merge } from 'rxjs'

export interface FileChangesOptions {
  /** Milliseconds between periodic checks, in addition to the system's reports. Default 500. */
  readonly everyMs?: number
}

/** Emits when the file may have changed, often without a change; never completes, never fails. */
export function watchFile(file: string, { everyMs = 500 }: FileChangesOptions = {}): Observable<void> {
  return merge(startWatcher(file), interval(everyMs).pipe(map(() => undefined)))
}

function startWatcher(file: string): Observable<void> {
  return new Observable((subscriber) => {
    try {
      const watcher = watch(file, () => {
        subscriber.next()
      })
      watcher.on('error', () => {
        watcher.close() // it is gone, or too many files are watched: the interval continues
      })
      return () => {
        watcher.close()
      }
    } catch {
      return undefined // watching is unavailable: the interval checks
    }
  })
}
