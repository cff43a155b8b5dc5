// Tests calls of a client's tools over its connection: each ends exactly once.
import fc from 'fast-check'
import { defer, mergeMap, tap } from 'rxjs'
import type { Subscription } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { channelCalls } from '../../../lib/server/client-tools/channel-calls.ts'
import type { ToolResult } from '../../../lib/streams/ports/tool.ts'
import { sampleSize } from '../../support/sample-size.ts'

interface Called {
  readonly session: string
  readonly callId: string
  readonly results: (ToolResult | 'end')[]
  readonly subscription: Subscription
  /** The expected outcome of the call. */
  outcome: 'open' | 'answered' | 'cancelled' | 'gone'
}

const sessions = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'] as const
const step = fc.tuple(fc.constantFrom('call', 'answer', 'cancel', 'gone'), fc.nat(20))

describe('calls of a connection', () => {
  it('end exactly once each, in any order of answers, cancellations and disconnections [S10c]', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const frames: Record<string, unknown>[] = []
        const calls = channelCalls((frame) => frames.push(JSON.parse(frame) as Record<string, unknown>))
        const made: Called[] = []
        const begin = (session: string): void => {
          const results: Called['results'] = []
          const subscription = calls
            .call({ session, name: 'look', args: {} })
            .subscribe({ next: (result) => results.push(result), complete: () => results.push('end') })
          const callId = String(frames.at(-1)?.['callId'])
          made.push({ session, callId, results, subscription, outcome: 'open' })
        }
        for (const [act, choice] of steps) {
          const own = made[choice % (made.length || 1)]
          const session = sessions[choice % 2] ?? 'aaaaaaaaaaaa'
          if (act === 'call') begin(session)
          if (act === 'gone') {
            calls.endCalls(session)
            for (const each of made) if (each.session === session && each.outcome === 'open') each.outcome = 'gone'
          }
          if (own === undefined) continue
          if (act === 'answer') {
            const answer = (): void => calls.answer({ callId: own.callId, content: [] })
            if (own.outcome === 'open') answer()
            else expect(answer).toThrow(/No call/)
            if (own.outcome === 'open') own.outcome = 'answered'
          }
          if (act === 'cancel') {
            own.subscription.unsubscribe()
            if (own.outcome === 'open') own.outcome = 'cancelled'
          }
        }
        for (const { results, outcome } of made) {
          const [result, ...more] = results
          if (outcome === 'open' || outcome === 'cancelled') expect(results).toEqual([])
          else expect([result, more]).toMatchObject([outcome === 'gone' ? { isError: true } : { content: [] }, ['end']])
        }
        const cancelled = frames.filter(({ type }) => type === 'channel_cancel').map(({ callId }) => callId)
        const expected = made.filter(({ outcome }) => outcome === 'cancelled').map(({ callId }) => callId)
        expect(cancelled.sort()).toEqual(expected.sort())
        expect(new Set(made.map(({ callId }) => callId)).size).toBe(made.length)
      }),
      { numRuns: sampleSize(300, 10_000) },
    )
  })

  it('can be started and answered from within one another', () => {
    const sent: string[] = []
    const calls = channelCalls((frame) => {
      const { type, callId } = JSON.parse(frame) as { type: string; callId: string }
      sent.push(type)
      // the client answers synchronously
      if (type === 'channel_call' && sent.length < 3) calls.answer({ callId, content: [] })
    })
    const ends: string[] = []
    const call$ = (name: string) => calls.call({ session: sessions[0], name, args: {} })
    const second$ = defer(() => call$('b')).pipe(tap({ complete: () => ends.push('b') }))
    const both$ = call$('a').pipe(mergeMap(() => second$))
    both$.subscribe({ complete: () => ends.push('a') })
    expect([sent, ends]).toEqual([
      ['channel_call', 'channel_call'],
      ['b', 'a'],
    ])
  })

  it.each([
    ['no data', { type: 'image', mimeType: 'image/png' } as const],
    ['empty data', { type: 'image', mimeType: 'image/png', data: '' } as const],
  ])('reject a result with an image with %s, and stay open for another result', (_, image) => {
    const frames: Record<string, unknown>[] = []
    const calls = channelCalls((frame) => frames.push(JSON.parse(frame) as Record<string, unknown>))
    const results: ToolResult[] = []
    calls.call({ session: sessions[0], name: 'look', args: {} }).subscribe((result) => results.push(result))
    const callId = String(frames[0]?.['callId'])
    const content = { type: 'text', text: 'a cat' } as const
    expect(() => calls.answer({ callId, content: [content, image] })).toThrow(
      expect.objectContaining({
        code: 'bad_request',
        message: 'channel_result: content/1 has no data and names no blob; send its data',
      }),
    )
    calls.answer({ callId, content: [content, { ...image, data: 'AAAA' }] })
    expect(results).toMatchObject([{ content: [content, { data: 'AAAA' }] }])
  })
})
