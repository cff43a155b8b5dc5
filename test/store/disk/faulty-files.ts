// The machine's files with faults on demand, and a record of the calls.
import { nodeFileSystem } from '../../../lib/store/disk/file-system-port.ts'
import type { FileSystemPort } from '../../../lib/store/disk/file-system-port.ts'

export interface FaultyFiles extends FileSystemPort {
  /** The names of the calls that change or sync something, in order. */
  readonly calls: string[]
  /** Bytes of each read. */
  readonly reads: number[]
  /** Bytes that can still be written; then the disk is full. */
  space: number
  /** The largest write that one call accepts. */
  writeLimit: number
  /** Thrown by the next cuts, while it is set. */
  cutError: Error | undefined
  /** Thrown by the next reads, while it is set. */
  readError: Error | undefined
  /** The result of the next sync of file data. */
  syncError: Error | undefined
  /** Syncs of file data that wait for `finishSync`, if `holdSyncs`. */
  holdSyncs: boolean
  /** Completes the oldest held sync; false if there is none. */
  finishSync(): boolean
}

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: as the test wants it`), { code })
}

export function faultyFiles(): FaultyFiles {
  const held: (() => void)[] = []
  const files: FaultyFiles = {
    ...nodeFileSystem,
    calls: [],
    reads: [],
    space: Infinity,
    writeLimit: Infinity,
    cutError: undefined,
    readError: undefined,
    syncError: undefined,
    holdSyncs: false,
    readSync(descriptor, buffer, offset, length, position) {
      files.reads.push(length)
      if (files.readError !== undefined) throw files.readError
      return nodeFileSystem.readSync(descriptor, buffer, offset, length, position)
    },
    writeSync(descriptor, buffer, offset, length) {
      files.calls.push('writeSync')
      if (files.space <= 0) throw systemError('ENOSPC')
      const count = nodeFileSystem.writeSync(
        descriptor,
        buffer,
        offset,
        Math.min(length, files.space, files.writeLimit),
      )
      files.space -= count
      return count
    },
    ftruncateSync(descriptor, length) {
      files.calls.push('ftruncateSync')
      if (files.cutError !== undefined) throw files.cutError
      nodeFileSystem.ftruncateSync(descriptor, length)
    },
    closeSync(descriptor) {
      files.calls.push('closeSync')
      nodeFileSystem.closeSync(descriptor)
    },
    fsync(descriptor, done) {
      files.calls.push('fsync')
      nodeFileSystem.fsync(descriptor, done)
    },
    fdatasync(descriptor, done) {
      files.calls.push('fdatasync')
      const { syncError } = files
      const sync = () => {
        if (syncError === undefined) nodeFileSystem.fdatasync(descriptor, done)
        else setImmediate(done, syncError)
      }
      if (files.holdSyncs) held.push(sync)
      else sync()
    },
    finishSync() {
      const sync = held.shift()
      sync?.()
      return sync !== undefined
    },
  }
  return files
}
