// A sync holds one of libuv's four threads while it waits for the disk, so only a few may do so at once; the others wait in order.
import type { FileSystemPort } from './file-system-port.ts'

/** The same files with at most `limit` (default 2) syncs under way. */
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
