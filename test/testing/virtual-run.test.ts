// Tests runs in virtual time.
import { timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { fakeTool } from '../../lib/testing/fake-tool.ts'
import { virtualRun } from '../../lib/testing/virtual-run.ts'
import { textResult } from '../../lib/streams/ports/tool.ts'

describe('virtualRun', () => {
  it('plays a prompt to its end', () => {
    const played = virtualRun({ script: ['Hello'] })
    expect(played.notation()).toBe('AS TS ms(user) me(user) ms(asst) mu me(asst) TE AE SET')
    expect(played.end).toBe('complete')
    expect(played.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  it('can be taken apart', () => {
    const { notation, timeline } = virtualRun({ script: ['Hello'] })
    expect(notation()).toBe('AS TS ms(user) me(user) ms(asst) mu me(asst) TE AE SET')
    expect(timeline()).toBe('0:AS,TS,ms(user),me(user),ms(asst),mu,mu,mu,me(asst),TE,AE,SET')
  })

  it('passes marbles to its tools and puts each event at its millisecond', () => {
    const played = virtualRun(({ cold }) => ({
      script: [{ toolCalls: [{ name: 'slow', id: 's' }] }, { text: 'done', delayMs: 10 }],
      tools: [fakeTool('slow', cold('---r|', { r: textResult('done') }))],
    }))
    expect(played.timeline({ calls: true })).toBe(
      '0:AS,TS,ms(user),me(user),ms(asst),mu,mu,mu,me(asst),xs(s) ' +
        '3:xe(s),ms(s),me(s),TE,TS 13:ms(asst),mu,mu,mu,me(asst),TE,AE,SET',
    )
  })

  it('passes the run to its test at a time and within an event', () => {
    const played = virtualRun({
      script: [{ text: 'late', delayMs: 10 }, 'never asked'],
      at: { 5: (control) => control.steer('and then?') },
      onEvent: (event, control) => {
        if (event.type === 'message_end' && event.message.role === 'assistant') control.stop()
      },
    })
    expect(played.notation()).toBe('AS TS ms(user) me(user) ms(asst) mu me(asst) TE AE SET')
    expect(played.requests).toHaveLength(1)
  })

  it('fails with a run that is still open', () => {
    const played = virtualRun({
      script: [{ text: 'late', delayMs: 10 }],
      at: { 5: (control) => control.unsubscribe() },
    })
    expect(played.end).toBe('open')
    expect(played.notation()).toBe('AS TS ms(user) me(user)')
  })

  it('reports the time at which no work is left: after the last event, or after leftover work', () => {
    const quiet = virtualRun({ script: [{ text: 'late', delayMs: 10 }], ports: { wallClockMs: 60_000 } })
    expect([quiet.idleAt, quiet.timed.at(-1)?.at]).toEqual([10, 10])
    const leaving = fakeTool('leaving', () => {
      timer(5_000).subscribe()
      return 'done'
    })
    expect(virtualRun({ script: [{ toolCalls: [{ name: 'leaving' }] }, 'x'], tools: [leaving] }).idleAt).toBe(5_000)
  })
})
