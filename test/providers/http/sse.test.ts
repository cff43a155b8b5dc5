// Tests the parser of server-sent events.
import { assert, array, constantFrom, integer, property } from 'fast-check'
import { NEVER, Subject, concat, from, lastValueFrom, take, toArray } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import { sse } from '../../../lib/providers/http/sse.ts'
import type { SseEvent } from '../../../lib/providers/http/sse.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)

async function eventsOf(pieces: readonly Uint8Array[], options = {}): Promise<SseEvent[]> {
  return lastValueFrom(from(pieces).pipe(sse(options), toArray()), { defaultValue: [] })
}

async function dataOf(...texts: readonly string[]): Promise<string[]> {
  return (await eventsOf(texts.map(bytes))).map(({ data }) => data)
}

describe('sse', () => {
  it.each([
    ['LF', 'data: a\n\ndata: b\n\n'],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n'],
    ['CR', 'data: a\r\rdata: b\r\r'],
    ['no space after the colon', 'data:a\n\ndata:b\n\n'],
    ['comments, ids and retry times between', ': hi\n\nid: 1\ndata: a\n\nretry: 5\n: hi\ndata: b\n\n'],
    ['a byte order mark', '\uFEFFdata: a\n\ndata: b\n\n'],
  ])('reads events with %s', async (_, text) => {
    expect(await dataOf(text)).toEqual(['a', 'b'])
  })

  it('joins the data lines of one event', async () => {
    expect(await dataOf('data: a\ndata: b\n\n')).toEqual(['a\nb'])
  })

  it('gives the event its name', async () => {
    expect(await eventsOf([bytes('event: error\ndata: x\n\n')])).toMatchObject([{ event: 'error', data: 'x' }])
  })

  it('gives the same events however the bytes are cut', async () => {
    const text = ': ping\r\n\r\nevent: a\r\ndata: Grüße 👋🏽 世界\r\n\r\ndata: {"x":"é"}\n\ndata: [DONE]\n\n'
    const whole = bytes(text)
    const expected = await dataOf(text)
    expect(expected).toHaveLength(3)
    assert(
      property(array(integer({ min: 1, max: whole.length - 1 }), { maxLength: 20 }), (cuts) => {
        const edges = [0, ...cuts.toSorted((left, right) => left - right), whole.length]
        const pieces = edges.slice(1).map((end, index) => whole.subarray(edges[index], end))
        const got: string[] = []
        from(pieces)
          .pipe(sse())
          .subscribe({ next: ({ data }) => got.push(data), error: expect.fail })
        expect(got).toEqual(expected)
      }),
    )
  })

  it('emits an event with the chunk that completes it, not later', () => {
    const byte$ = new Subject<Uint8Array>()
    const got: string[] = []
    const subscription = byte$.pipe(sse()).subscribe({ next: ({ data }) => got.push(data), error: expect.fail })
    byte$.next(bytes('data: a\n'))
    expect(got).toEqual([])
    byte$.next(bytes('\ndata: b'))
    expect(got).toEqual(['a'])
    subscription.unsubscribe()
  })

  it('marks an event that the end of the body cut off', async () => {
    expect(await eventsOf([bytes('data: a\n\ndata: {"cut":')])).toMatchObject([
      { data: 'a' },
      { data: '{"cut":', unclosed: true },
    ])
  })

  it('fails on an event that is too long, and takes one that is not', async () => {
    const line = `data: ${'x'.repeat(90)}\n\n`
    expect(await eventsOf([bytes(line)], { maxEventLength: 100 })).toHaveLength(1)
    const endless = Array.from({ length: 40 }, () => bytes('data: xxxxxxxx\n'))
    await expect(eventsOf(endless, { maxEventLength: 100 })).rejects.toMatchObject({
      code: 'provider_error',
      data: { kind: 'bad_request' },
    })
    await expect(eventsOf([bytes(`data: ${'x'.repeat(200)}`)], { maxEventLength: 100 })).rejects.toBeInstanceOf(Failure)
  })

  it('passes the error of its source on', async () => {
    const error = new Error('cut')
    const byte$ = new Subject<Uint8Array>()
    const ended = lastValueFrom(byte$.pipe(sse()), { defaultValue: undefined })
    byte$.error(error)
    await expect(ended).rejects.toBe(error)
  })

  it('gives nothing for an empty source, and waits with one that never ends', async () => {
    expect(await eventsOf([])).toEqual([])
    let ended = false
    const subscription = NEVER.pipe(sse()).subscribe({ error: expect.fail, complete: () => (ended = true) })
    subscription.unsubscribe()
    expect(ended).toBe(false)
  })

  it('stops in the middle of a chunk when its subscriber leaves', async () => {
    const byte$ = concat(from([bytes('data: a\n\ndata: b\n\ndata: c\n\n')]), NEVER)
    expect(await lastValueFrom(byte$.pipe(sse(), take(2), toArray()), { defaultValue: [] })).toMatchObject([
      { data: 'a' },
      { data: 'b' },
    ])
  })

  it('unsubscribes from its source', () => {
    new TestScheduler((actual, wanted) => {
      expect(actual).toEqual(wanted)
    }).run(({ cold, expectObservable, expectSubscriptions }) => {
      const byte$ = cold('-a-a', { a: bytes('data: x\n\n') })
      expectObservable(byte$.pipe(sse()), '--!').toBe('-x', { x: { data: 'x', event: undefined, id: undefined } })
      expectSubscriptions(byte$.subscriptions).toBe('^-!')
    })
  })

  it('takes time that grows with the length of an event, not with its square', async () => {
    const timed = async (chunks: number): Promise<number> => {
      const piece = bytes('x'.repeat(1024))
      const before = performance.now()
      await eventsOf([bytes('data: '), ...Array.from({ length: chunks }, () => piece), bytes('\n\n')])
      return performance.now() - before
    }
    await timed(1000)
    const small = Math.max(await timed(1000), 5)
    expect(await timed(8000)).toBeLessThan(small * 8 * 4)
  })
})

/** The algorithm of WHATWG's page on server-sent events, for a whole body. */
function referenceEvents(text: string): readonly Pick<SseEvent, 'data' | 'event'>[] {
  const events: Pick<SseEvent, 'data' | 'event'>[] = []
  let lines: string[] = []
  for (const line of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .slice(0, -1)) {
    if (line !== '') {
      lines.push(line)
      continue
    }
    const valuesOf = (name: string) =>
      lines.flatMap((each) => (each.split(':', 1)[0] === name ? [each.slice(name.length).replace(/^: ?/, '')] : []))
    const event = valuesOf('event').at(-1) ?? ''
    if (valuesOf('data').length > 0) events.push({ data: valuesOf('data').join('\n'), event })
    lines = []
  }
  return events
}

it('reads any lines as WHATWG says, however they are cut: bare CR, and a second byte order mark [ANSWER-lines]', () => {
  const token = constantFrom('data', 'data: x', 'event: e', ':', ' ', 'a', 'é', '\r', '\n', '\r\n', '\r\r', '\uFEFF')
  assert(
    property(array(token, { maxLength: 12 }), array(integer({ min: 1, max: 8 })), (tokens, sizes) => {
      const whole = bytes(tokens.join(''))
      const byte$ = new Subject<Uint8Array>()
      const got: object[] = []
      byte$.pipe(sse()).subscribe({ next: ({ data, event = '' }) => got.push({ data, event }), error: expect.fail })
      let at = 0
      for (const size of [...sizes, whole.length]) byte$.next(whole.subarray(at, (at += size)))
      expect(got).toEqual(referenceEvents(tokens.join('')))
    }),
    {
      examples: [
        [['\uFEFF', '\uFEFF', 'data: x', '\r\r'], []],
        [
          ['data: x', '\r', '\r', 'data: x', '\r\r'],
          [1, 1],
        ],
      ],
    },
  )
})
