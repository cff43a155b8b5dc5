// Writes the output of a command that needs no server; reports a failed write, never throws.
import type { Writable } from 'node:stream'

/** Streams of a command without a server. */
export interface Streams {
  readonly stdout: Writable
  readonly stderr: Writable
}

/** Resolves with the exit code: 1 if writing failed, 0 also if the reader is gone. */
export function writeText(text: string, { stdout, stderr }: Streams): Promise<number> {
  return new Promise((resolve) => {
    stdout.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE') stderr.write(`rxpi: cannot write to standard output: ${message}\n`)
      resolve(code === 'EPIPE' ? 0 : 1)
    })
    stdout.write(text, (error) => {
      if (!error) resolve(0) // the stream's `error` event reports it
    })
  })
}
