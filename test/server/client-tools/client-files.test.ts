// Tests the calls about a client's files: answers that are no text, limits of time and length, the end of the client.
import { NEVER, Observable, Subject, lastValueFrom, of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clientFiles } from '../../../lib/server/client-tools/client-files.ts'
import type { ChannelCall } from '../../../lib/server/client-tools/channel-calls.ts'
import { errorResult, textResult } from '../../../lib/streams/ports/tool.ts'
import type { ToolResult } from '../../../lib/streams/ports/tool.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function setup(answer$: Observable<ToolResult> = NEVER) {
  const sent: ChannelCall[] = []
  const left$ = new Subject<void>()
  const onLate = vi.fn()
  const call$ = (each: ChannelCall) =>
    new Observable<ToolResult>((subscriber) => {
      sent.push(each)
      return answer$.subscribe(subscriber)
    })
  return {
    files: clientFiles({ session: 's', calls: { call: call$ }, canWrite: true, left$, onLate }),
    sent,
    left$,
    onLate,
  }
}
const settledOf = (value$: Observable<unknown>): unknown[] => {
  const values: unknown[] = []
  value$.subscribe({ next: (value) => values.push(value), error: (error: unknown) => values.push(error) })
  return values
}
const result = (content: ToolResult['content'], more = {}): ToolResult => ({ type: 'result', content, ...more })
const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const

describe('reading a file of a client', () => {
  it('returns its text, and undefined for a file that it does not have', async () => {
    const { files, sent } = setup(of(textResult('typed')))
    expect(await lastValueFrom(files.read('/a'), { defaultValue: 'none' })).toBe('typed')
    expect(sent).toEqual([{ session: 's', name: 'client/read_file', args: { path: '/a' } }])
    const missing = setup(of(errorResult('no', { details: { code: 'not_found' } })))
    expect(await lastValueFrom(missing.files.read('/a'), { defaultValue: 'none' })).toBeUndefined()
  })

  it.each([
    ['an error', errorResult('broken'), /error: broken/],
    ['an image', result([image]), /something else than text/],
    ['nothing', result([]), /something else than text/],
    ['binary text', textResult('a\0b'), /something else than text/],
    ['more than 8 MiB', textResult('ä'.repeat(4 * 2 ** 20 + 1)), /longer than/],
  ])('fails for %s', (_, answer, message) => {
    const [failure] = settledOf(setup(of(answer)).files.read('/a'))
    expect(failure).toMatchObject({ message: expect.stringMatching(message) as string })
  })

  it('fails if the client leaves, and after 10 s without an answer', () => {
    const { files, left$, onLate } = setup()
    const left = settledOf(files.read('/a'))
    left$.next()
    expect(left).toMatchObject([{ code: 'disconnected' }])
    const late = settledOf(files.read('/a'))
    vi.advanceTimersByTime(9_999)
    expect([late, onLate.mock.calls.length]).toEqual([[], 0])
    vi.advanceTimersByTime(1)
    expect(late).toMatchObject([{ code: 'timeout' }])
    expect(onLate).toHaveBeenCalledTimes(1)
  })
})

describe('writing a file of a client', () => {
  it('ends with its answer, fails with its error, and after 30 s', () => {
    expect(settledOf(setup(of(result([]))).files.write('/a', 'text'))).toEqual([undefined])
    const [failure] = settledOf(setup(of(errorResult('read-only'))).files.write('/a', 'text'))
    expect(failure).toMatchObject({ message: expect.stringContaining('read-only') as string })
    const late = settledOf(setup().files.write('/a', 'text'))
    vi.advanceTimersByTime(30_000)
    expect(late).toMatchObject([{ code: 'timeout' }])
  })

  it('sends no text that is too long for a line', () => {
    const { files, sent } = setup(of(result([])))
    expect(settledOf(files.write('/a', 'a'.repeat(9 * 2 ** 20)))).toMatchObject([{ code: 'message_too_large' }])
    expect(sent).toEqual([])
  })
})
