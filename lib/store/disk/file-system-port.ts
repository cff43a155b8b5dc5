// Every system call of an open log goes through this port, so that tests can let any of them fail.
import {
  closeSync,
  fchmodSync,
  fdatasync,
  fstatSync,
  fsync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'

/** What a log needs to know of its open file. */
export interface FileStatus {
  /** Bytes. */
  readonly size: number
  /** Names that the file has; 0 once it was removed. */
  readonly nlink: number
  readonly uid: number
  readonly mode: number
  isFile(): boolean
}

/** The part of `node:fs` that logs use, with its meanings. Its functions do without `this`. */
export interface FileSystemPort {
  openSync(file: string, flags: number): number
  closeSync(descriptor: number): void
  fstatSync(descriptor: number): FileStatus
  fchmodSync(descriptor: number, mode: number): void
  readSync(descriptor: number, buffer: Uint8Array, offset: number, length: number, position: number): number
  /** May write less than it was given. */
  writeSync(descriptor: number, buffer: Uint8Array, offset: number, length: number): number
  ftruncateSync(descriptor: number, length: number): void
  fdatasync(descriptor: number, done: (error: Error | null) => void): void
  fsync(descriptor: number, done: (error: Error | null) => void): void
  /** Has work begin when this step of the event loop is over: what the thread is at goes first. */
  afterStep(work: () => void): void
}

/** The machine's own. */
export const nodeFileSystem: FileSystemPort = {
  openSync,
  closeSync,
  fstatSync,
  fchmodSync,
  readSync,
  writeSync,
  ftruncateSync,
  fdatasync,
  fsync,
  afterStep: (work) => void setImmediate(work),
}
