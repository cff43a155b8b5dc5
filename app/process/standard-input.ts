// Standard input is looked at only when it is asked for, and not at all where nobody can have written to it.
import { fstatSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { isatty } from 'node:tty'
import { defer, finalize } from 'rxjs'
import type { Observable } from 'rxjs'
import { fromReadable } from '../../lib/streams/rx/from-readable.ts'
import type { StandardInput } from './world.ts'

export function standardInput(): StandardInput {
  // opened on first use: opening it changes how Node treats it
  const opened = (): Readable => process.stdin
  return {
    isEmpty: isEmpty(),
    chunks$: defer(() => fromReadable(opened())),
    ...(isatty(0) ? { terminal: { raw$: rawInput() } } : {}),
  }
}

/** The terminal is put back as it was, whatever ends the reading. */
function rawInput(): Observable<Uint8Array> {
  return defer(() => {
    process.stdin.setRawMode(true)
    return fromReadable(process.stdin).pipe(finalize(() => process.stdin.setRawMode(false)))
  })
}

/** A terminal, `/dev/null`, or closed. */
function isEmpty(): boolean {
  try {
    const status = fstatSync(0)
    return status.isCharacterDevice() || status.isDirectory()
  } catch {
    return true // there is no standard input
  }
}
