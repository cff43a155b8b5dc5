// What needs no server is written in one go, and where that fails it is told, never thrown.
import type { Writable } from 'node:stream'

/** Where a command without a server writes. */
export interface Streams {
  readonly stdout: Writable
  readonly stderr: Writable
}

/** Resolves with the exit code: 1 where the text could not be written, 0 also where its reader had gone. */
export function writeText(text: string, { stdout, stderr }: Streams): Promise<number> {
  return new Promise((resolve) => {
    stdout.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE') stderr.write(`rxpi: cannot write to standard output: ${message}\n`)
      resolve(code === 'EPIPE' ? 0 : 1)
    })
    stdout.write(text, (error) => {
      if (!error) resolve(0) // an error is told by its event
    })
  })
}
