// Provides standard input: opened at the first read, and marked empty if nothing can be in it.
import { fstatSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { isatty } from 'node:tty'
import { defer, finalize } from 'rxjs'
import type { Observable } from 'rxjs'
import { fromReadable } from '../../lib/streams/rx/from-readable.ts'
import type { StandardInput } from './world.ts'

export function standardInput(): StandardInput {
  // opening it changes how Node treats it, so it opens at first use
  const openInput = (): Readable => process.stdin
  return {
    isEmpty: isEmpty(),
    chunks$: defer(() => fromReadable(openInput())),
    ...(isatty(0) ? { terminal: { raw$: rawInput() } } : {}),
  }
}

/** Restores the terminal at the end, whatever ends the reading. */
function rawInput(): Observable<Uint8Array> {
  return defer(() => {
    process.stdin.setRawMode(true)
    return fromReadable(process.stdin).pipe(finalize(() => process.stdin.setRawMode(false)))
  })
}

/** True for a terminal, `/dev/null` or a closed descriptor. */
function isEmpty(): boolean {
  try {
    const status = fstatSync(0)
    return status.isCharacterDevice() || status.isDirectory()
  } catch {
    return true // there is no standard input
  }
}
