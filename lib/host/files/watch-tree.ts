// Watches a folder with all below it, or a single file, by the reports of the system alone.
import { statSync, watch } from 'node:fs'
import path from 'node:path'
import { Observable } from 'rxjs'

/**
 * Emits when something of the tree may have changed; never completes, never fails. It costs nothing while nothing changes: on a
 * system that reports no changes it stays silent.
 */
export function watchTree(root: string): Observable<void> {
  return new Observable((subscriber) => {
    try {
      const isFolder = statSync(root).isDirectory()
      // an editor replaces a file: its folder reports that, the file itself would not
      const watcher = watch(isFolder ? root : path.dirname(root), { recursive: isFolder }, (_, name) => {
        if (isFolder || name === null || name === path.basename(root)) subscriber.next()
      })
      watcher.on('error', () => {
        watcher.close() // it is gone, or too many files are watched
      })
      return () => {
        watcher.close()
      }
    } catch {
      return undefined // it is gone, or watching is unavailable
    }
  })
}
