// Tests `lineFramer`: splitting chunks into lines, length limits and memory.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { Subject, from, lastValueFrom, throwError, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { lineFramer } from '../../../lib/server/protocol/line-framer.ts'
import type { IncomingLine } from '../../../lib/server/protocol/transport.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { binaryText } from '../../support/binary-text.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (line: string): IncomingLine => ({ text: line })

function framed(chunks: readonly Uint8Array[], limit?: number): Promise<IncomingLine[]> {
  return lastValueFrom(from(chunks).pipe(lineFramer(limit === undefined ? {} : { limit }), toArray()), {
    defaultValue: [],
  })
}

function cut(whole: Uint8Array, points: readonly number[]): Uint8Array[] {
  const sorted = [0, ...points.map((point) => point % (whole.length + 1)), whole.length].sort((a, b) => a - b)
  return sorted.slice(1).map((end, index) => whole.subarray(sorted[index], end))
}

const cuts = fc.array(fc.nat(), { maxLength: 20 })
const lineText = binaryText({ maxLength: 40 })
  .map((line) => line.replaceAll('\n', ' '))
  .filter((line) => line.trim() !== '' && !line.startsWith('\ufeff') && line.isWellFormed())

describe('lineFramer', () => {
  it(
    'emits the same lines however the bytes are cut [WIRE-lines]',
    { timeout: sampleSize(20_000, 600_000) },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(lineText, { maxLength: 12 }), cuts, fc.boolean(), async (lines, points, ended) => {
          const whole = bytes(lines.join('\n') + (ended ? '\n' : ''))
          expect(await framed(cut(whole, points))).toEqual(lines.map(text))
        }),
        { numRuns: sampleSize(100, 5_000) },
      )
    },
  )

  it('ends a line only at a line feed [WIRE-lines]', async () => {
    const lines = ['a\u2028b\u2029c', 'd\re', 'f\u0085g\vh\fi']
    expect(await framed([bytes(lines.join('\n'))])).toEqual(lines.map(text))
  })

  it('joins a character that was cut between chunks', async () => {
    const whole = bytes('"é😀"\n')
    expect(await framed(Array.from(whole, (_, index) => whole.subarray(index, index + 1)))).toEqual([text('"é😀"')])
  })

  it('leaves out blank lines [WIRE-lines]', async () => {
    expect(await framed([bytes('\n\n  \r\n\t\na\n\n')])).toEqual([text('a')])
  })

  it('reports bytes that are not UTF-8 and goes on [WIRE-lines]', async () => {
    const broken = Uint8Array.from([0x22, 0xff, 0xfe, 0x22, 0x0a])
    expect(await framed([broken, bytes('a\n')])).toEqual([{ problem: 'not_utf8' }, text('a')])
  })

  it('emits a line as long as the limit and reports a longer one once, however it is cut [WIRE-too_large]', async () => {
    await fc.assert(
      fc.asyncProperty(cuts, fc.integer({ min: 1, max: 50 }), fc.boolean(), async (points, excess, ended) => {
        const fits = 'a'.repeat(20)
        const whole = bytes(`${fits}\n${'b'.repeat(20 + excess)}\nc${ended ? '\n' : ''}`)
        expect(await framed(cut(whole, points), 20)).toEqual([text(fits), { problem: 'too_large' }, text('c')])
      }),
    )
  })

  it('reports a line over the limit before its end has come', () => {
    const chunks$ = new Subject<Uint8Array>()
    const received: IncomingLine[] = []
    chunks$.pipe(lineFramer({ limit: 4 })).subscribe((line) => received.push(line))
    chunks$.next(bytes('abcde'))
    expect(received).toEqual([{ problem: 'too_large' }])
  })

  it('holds no more than a line that comes byte by byte, and nothing of a skipped one', () => {
    const chunks$ = new Subject<Uint8Array>()
    chunks$.pipe(lineFramer({ limit: 1_000_000 })).subscribe()
    const before = process.memoryUsage().arrayBuffers
    for (let sent = 0; sent < 3_000_000; sent++) chunks$.next(bytesOfA)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4_000_000)
  })

  it.each([
    ['many chunks', 1_000],
    ['few chunks, each much larger than all before it', 40_000],
  ])('joins a long line from %s', async (_, size) => {
    const long = Array.from({ length: 20_000 }, (_, index) => index.toString(36)).join('.')
    const whole = bytes(`a\n${long}\nb\n`)
    const points = Array.from({ length: Math.floor(whole.length / size) }, (_, index) => index * size + 100)
    expect(await framed(cut(whole, points))).toEqual([text('a'), text(long), text('b')])
  })

  it('drops a large buffer after a long line', async () => {
    setFlagsFromString('--expose-gc')
    const gc = runInNewContext('gc') as () => void
    const chunks$ = new Subject<Uint8Array>()
    const lengths: number[] = []
    chunks$.pipe(lineFramer()).subscribe((line) => lengths.push('text' in line ? line.text.length : -1))
    const held = (): number => {
      gc()
      return process.memoryUsage().arrayBuffers
    }
    // garbage is swept concurrently, that of earlier tests too: wait until the figure is stable
    let before = Infinity
    await expect.poll(() => before - (before = held()), { timeout: 10_000 }).toBe(0)
    for (let count = 0; count < 80; count++) chunks$.next(Buffer.alloc(100_000, 'a'))
    expect(held() - before).toBeGreaterThan(8_000_000)
    chunks$.next(bytes('\nb\n'))
    await expect.poll(() => held() - before, { timeout: 10_000 }).toBeLessThan(1_000_000)
    expect(lengths).toEqual([8_000_000, 1])
  })

  it('fails with its source', async () => {
    const failing$ = throwError(() => new Error('cut')).pipe(lineFramer())
    await expect(lastValueFrom(failing$, { defaultValue: undefined })).rejects.toThrow('cut')
  })

  it('completes without a line for a source without bytes', async () => {
    expect(await framed([])).toEqual([])
  })

  it('unsubscribes its source', () => {
    const chunks$ = new Subject<Uint8Array>()
    chunks$.pipe(lineFramer()).subscribe().unsubscribe()
    expect(chunks$.observed).toBe(false)
  })
})

const bytesOfA = bytes('a')
