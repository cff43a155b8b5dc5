// Writes the output of a command that needs no server; reports a failed write, never throws.
import type { Writable } from 'node:stream'
import { describeSystemError } from '../../lib/streams/values/system-error.ts'

/** Streams of a command without a server. */
export interface Streams {
  readonly stdout: Writable
  readonly stderr: Writable
}

/** Resolves with the exit code: 1 if writing failed, 0 also if the reader is gone. */
export function writeText(text: string, { stdout, stderr }: Streams): Promise<number> {
  return new Promise((resolve) => {
    stdout.once('error', (error: NodeJS.ErrnoException) => {
      const { code } = error
      if (code !== 'EPIPE')
        stderr.write(`rxpi: cannot write to standard output: ${describeSystemError(error) ?? 'it takes no text'}\n`)
      resolve(code === 'EPIPE' ? 0 : 1)
    })
    stdout.write(text, (error) => {
      if (!error) resolve(0) // the stream's `error` event reports it
    })
  })
}
