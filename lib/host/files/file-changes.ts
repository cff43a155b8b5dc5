// A change of a file is told soon after it; where the system watches nothing, a look now and then still finds it.
import { watch } from 'node:fs'
import { Observable, interval, map, merge } from 'rxjs'

export interface FileChangesOptions {
  /** Milliseconds between two looks, beside what the system tells. Default 500. */
  readonly everyMs?: number
}

/** Emits whenever the file may have changed, often for nothing; never completes, never fails. */
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
        watcher.close() // it is gone, or was watched by too many: the interval goes on
      })
      return () => {
        watcher.close()
      }
    } catch {
      return undefined // nothing is watched here: the interval looks
    }
  })
}
