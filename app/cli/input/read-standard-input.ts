// Reads piped input to its end as text; prints a notice if the end does not come.
import { EMPTY, connect, ignoreElements, last, map, merge, scan, takeUntil, tap, timeout, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { badRequest } from '../command-options.ts'
import { decodeText, inputLimit } from './decode-text.ts'
import type { World } from '../../process/world.ts'

/** Milliseconds without an end of input before the notice on stderr. */
const noticeAfterMs = 3_000
/** Milliseconds for the first byte of optional input. */
const firstByteMs = 1_000

/**
 * Emits the text, '' if there is none, and completes. Fails with `bad_request` if the input is too long or not text.
 * With `optional` it emits '' if no byte comes within a second.
 */
export function readStandardInput(
  { stdin, stderr }: Pick<World, 'stdin' | 'stderr'>,
  { optional }: { readonly optional: boolean },
): Observable<string> {
  const waiting$ = timer(noticeAfterMs).pipe(
    tap(() => {
      stderr.text('rxpi: waiting for the end of standard input; use --no-stdin to ignore it\n')
    }),
    ignoreElements(),
  )
  const chunks$ = optional ? stdin.chunks$.pipe(timeout({ first: firstByteMs, with: () => EMPTY })) : stdin.chunks$
  const text$ = chunks$.pipe(
    scan(appendChunk, { chunks: [] as Uint8Array[], bytes: 0 }),
    last(null, { chunks: [], bytes: 0 }),
    map(({ chunks }) => decodeText(Buffer.concat(chunks), 'standard input')),
  )
  return text$.pipe(connect((shared$) => merge(shared$, waiting$.pipe(takeUntil(shared$)))))
}

interface Received {
  readonly chunks: Uint8Array[]
  readonly bytes: number
}

/** Appends in place, so that the input is in memory once. */
function appendChunk({ chunks, bytes }: Received, chunk: Uint8Array): Received {
  if (bytes + chunk.length > inputLimit) throw badRequest('standard input is longer than 16 MiB')
  chunks.push(chunk)
  return { chunks, bytes: bytes + chunk.length }
}
