// Splits the bytes of a trusted server into lines with split2.
// Node only; for hostile bytes see line-framer.ts.
import { Observable } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import split2 from 'split2'
import { isBlank, lineLimit } from './transport.ts'
import type { IncomingLine } from './transport.ts'

/**
 * Emits each line without its line feed; only a line feed ends a line. Leaves out blank lines;
 * a last line needs no line feed. A begun line of more than `maxLength` UTF-16 units is emitted as `too_large`, once,
 * and then it completes: split2 cannot read on. Fails with its source. Holds the begun line; unsubscribing drops it.
 */
export function splitLines({ maxLength = lineLimit } = {}): OperatorFunction<Uint8Array, IncomingLine> {
  return (chunks$) =>
    new Observable((subscriber) => {
      // without a mapper: one that throws, or returns null, would end the stream
      const lines = split2('\n', { maxLength })
      lines.on('data', (text: string) => {
        if (!isBlank(text)) subscriber.next({ text })
      })
      lines.on('error', () => {
        subscriber.next({ problem: 'too_large' })
        subscriber.complete()
      })
      lines.on('end', () => {
        subscriber.complete()
      })
      subscriber.add(() => lines.destroy())
      subscriber.add(
        chunks$.subscribe({
          next: (chunk) => {
            lines.write(chunk)
          },
          error: (error: unknown) => {
            subscriber.error(error)
          },
          complete: () => {
            lines.end()
          },
        }),
      )
    })
}
