// Limits how many syncs run at once.
import type { FileSystemPort } from './file-system-port.ts'

// A sync occupies one of libuv's four threads while it waits for the disk, so only a few run at once; the others wait
// in order.

/** The same files with at most `limit` (default 2) concurrent syncs. */
export function boundedSync(files: FileSystemPort, limit = 2): FileSystemPort {
  const waiting: (() => void)[] = []
  let busy = 0

  function next(): void {
    while (busy < limit) {
      const start = waiting.shift()
      if (start === undefined) return
      busy += 1
      start()
    }
  }

  function bounded(name: 'fdatasync' | 'fsync'): FileSystemPort[typeof name] {
    return (descriptor, done) => {
      waiting.push(() =>
        files[name](descriptor, (error) => {
          busy -= 1
          next()
          done(error)
        }),
      )
      next()
    }
  }

  return { ...files, fdatasync: bounded('fdatasync'), fsync: bounded('fsync') }
}
