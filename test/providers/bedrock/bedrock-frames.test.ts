// Tests how the bytes of an event stream become events: checksums, cuts, exceptions and bounds.
import { concat, from, lastValueFrom, of, tap, throwError, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { bedrockFrames } from '../../../lib/providers/bedrock/bedrock-frames.ts'
import type { SseEvent } from '../../../lib/providers/http/sse.ts'
import { resultOf } from '../../support/result-of.ts'
import { blockStop, event, exception, frameOf, messageStart, textBlock } from './bedrock-events.ts'

const context = { provider: 'maker' }

function eventsOf(...chunks: readonly Uint8Array[]): Promise<SseEvent[]> {
  return lastValueFrom(from(chunks).pipe(bedrockFrames(context), toArray()), { defaultValue: [] })
}

/** The frame with another byte at that index. */
function damaged(frame: Uint8Array, index: number): Uint8Array {
  const copy = Buffer.from(frame)
  const at = index < 0 ? copy.length + index : index
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

describe('frames', () => {
  it('become events with name and payload, however the bytes are cut', async () => {
    const bytes = Buffer.concat([messageStart, ...textBlock(0, 'Grüße 👋', 'b')])
    const whole = await eventsOf(bytes)
    expect(whole.map((each) => each.event)).toEqual([
      'messageStart',
      'contentBlockDelta',
      'contentBlockDelta',
      'contentBlockStop',
    ])
    expect(JSON.parse(whole[1]?.data ?? '')).toMatchObject({ delta: { text: 'Grüße 👋' } })
    for (const length of [1, 5, 11, 12, 13, 16, bytes.length - 1]) {
      const count = Math.ceil(bytes.length / length)
      const cut = Array.from({ length: count }, (_, n) => bytes.subarray(n * length, (n + 1) * length))
      expect(await eventsOf(...cut)).toEqual(whole)
    }
  })

  it('without a payload have an empty object, and other types of headers are read over', async () => {
    expect(await eventsOf(event('ping', ''))).toEqual([{ event: 'ping', data: '{}' }])
  })

  it('that are cut end with the body, so that the decoder reports it', async () => {
    expect(await eventsOf(messageStart, blockStop(0).subarray(0, -1))).toHaveLength(1)
    expect(await eventsOf(messageStart.subarray(0, 7))).toEqual([])
  })

  it('pass the error of their source on', async () => {
    const broken$ = concat(
      of(messageStart),
      throwError(() => new TypeError('terminated')),
    )
    await expect(resultOf(broken$.pipe(bedrockFrames(context)))).rejects.toThrow('terminated')
  })
})

describe('a broken frame', () => {
  it.each([
    ['its length', 3],
    ['the length of its headers', 7],
    ['the checksum of both', 8],
    ['a header', 14],
    ['its payload', -6],
    ['its checksum', -1],
  ])('with another byte in %s is a broken connection', async (_, index) => {
    const frames = eventsOf(damaged(messageStart, index), blockStop(0))
    await expect(frames).rejects.toMatchObject({ code: 'provider_error', data: { kind: 'network' } })
  })

  it('that says to be too long is refused before it is buffered', async () => {
    const prelude = Buffer.from(frameOf({}, Buffer.alloc(17 * 1024 * 1024))).subarray(0, 12)
    await expect(eventsOf(prelude)).rejects.toMatchObject({
      message: 'maker sent a single frame of more than 16 MiB, the longest that rxpi accepts.',
      data: { kind: 'bad_request' },
    })
  })

  it('ends the stream: nothing behind it is emitted', async () => {
    const emitted: SseEvent[] = []
    const source$ = from([messageStart, damaged(messageStart, 8), messageStart])
    const frame$ = source$.pipe(
      bedrockFrames(context),
      tap((frame) => emitted.push(frame)),
    )
    await expect(resultOf(frame$)).rejects.toThrow('checksum')
    expect(emitted.map((frame) => frame.event)).toEqual(['messageStart'])
  })
})

describe('an exception', () => {
  const errorIn = async (frame: Uint8Array): Promise<unknown> => JSON.parse((await eventsOf(frame))[0]?.data ?? '')

  it('is an event `error` with its message and its name', async () => {
    expect((await eventsOf(exception('throttlingException', 'Slow down')))[0]?.event).toBe('error')
    expect(await errorIn(exception('throttlingException', 'Slow down'))).toEqual({
      error: { message: 'Slow down', code: 'ThrottlingException' },
    })
  })

  it('has its payload for a message if that is no JSON, and its name if there is none', async () => {
    const headers = { ':message-type': 'exception', ':exception-type': 'modelStreamErrorException' }
    expect(await errorIn(frameOf(headers, 'plain'))).toMatchObject({ error: { message: 'plain' } })
    expect(await errorIn(frameOf(headers, '{}'))).toMatchObject({ error: { message: 'ModelStreamErrorException' } })
    expect(await errorIn(frameOf(headers, '{"Message":"M"}'))).toMatchObject({ error: { message: 'M' } })
  })

  it('without a model is an `error` with its code', async () => {
    const headers = { ':message-type': 'error', ':error-code': 'InternalFailure', ':error-message': 'It broke' }
    expect(await errorIn(frameOf(headers, ''))).toEqual({ error: { message: 'It broke', code: 'InternalFailure' } })
  })
})
