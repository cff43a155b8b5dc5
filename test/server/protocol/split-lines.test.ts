// Tests `splitLines`: the same lines however the bytes are cut.
import fc from 'fast-check'
import { Subject, from, lastValueFrom, throwError, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { splitLines } from '../../../lib/server/protocol/split-lines.ts'
import type { IncomingLine } from '../../../lib/server/protocol/transport.ts'
import { sampleSize } from '../../support/sample-size.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (line: string): IncomingLine => ({ text: line })

function split(chunks: readonly Uint8Array[], maxLength?: number): Promise<IncomingLine[]> {
  return lastValueFrom(from(chunks).pipe(splitLines(maxLength === undefined ? {} : { maxLength }), toArray()), {
    defaultValue: [],
  })
}

const lineText = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .map((line) => line.replaceAll('\n', ' '))
  .filter((line) => line.trim() !== '')

describe('splitLines', () => {
  it('emits the same lines however the bytes are cut [WIRE-lines]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(lineText, { maxLength: 12 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.boolean(),
        async (lines, points, hasLineFeed) => {
          const whole = bytes(lines.join('\n') + (hasLineFeed ? '\n' : ''))
          const ends = [...points.map((point) => point % (whole.length + 1)), whole.length].sort((a, b) => a - b)
          const chunks = ends.map((end, index) => whole.subarray(ends[index - 1] ?? 0, end))
          expect(await split(chunks)).toEqual(lines.map(text))
        },
      ),
      { numRuns: sampleSize(100, 2_000) },
    )
  })

  it.each([
    ['U+2028, U+2029 and other line ends inside a line', ['"a\u2028b\u2029c"', 'd\re', 'f\u0085g\vh\fi']],
    ['a line that is null', ['null', '1']],
    ['a bad line', ['{', '{}']],
  ])('emits %s [WIRE-lines]', async (_name, lines) => {
    expect(await split([bytes(lines.join('\n'))])).toEqual(lines.map(text))
  })

  it('joins a character that was cut between chunks', async () => {
    const whole = bytes('"é😀"\n')
    expect(await split(Array.from(whole, (_, index) => whole.subarray(index, index + 1)))).toEqual([text('"é😀"')])
  })

  it('leaves out blank lines, and emits a last line without line feed [WIRE-lines]', async () => {
    expect(await split([bytes('\n\n  \r\n\t\na\n\nb')])).toEqual([text('a'), text('b')])
  })

  it('reports a line over the limit once, before its end has come, and completes', async () => {
    const chunk$ = new Subject<Uint8Array>()
    const came = lastValueFrom(chunk$.pipe(splitLines({ maxLength: 4 }), toArray()), { defaultValue: [] })
    chunk$.next(bytes('abcd\nabc'))
    chunk$.next(bytes('de'))
    chunk$.next(bytes('f\ng\n'))
    expect(await came).toEqual([text('abcd'), { problem: 'too_large' }])
    expect(chunk$.observed).toBe(false)
  })

  it('fails with its source, and unsubscribes it', async () => {
    const failure = new Error('the socket broke')
    await expect(lastValueFrom(throwError(() => failure).pipe(splitLines()), { defaultValue: undefined })).rejects.toBe(
      failure,
    )
    const chunk$ = new Subject<Uint8Array>()
    const subscription = chunk$.pipe(splitLines()).subscribe()
    subscription.unsubscribe()
    expect(chunk$.observed).toBe(false)
  })
})
