// Tests which stop reason or error each end of a run becomes.
import { describe, expect, it } from 'vitest'
import { stopReasonOf } from '../../../../app/acp/prompt/stop-reason.ts'
import type { EventNamed } from '../../../../lib/streams/events/event.ts'
import { terminationReasons } from '../../../../lib/streams/events/event.ts'
import { noUsage } from '../../../../lib/streams/messages/message.ts'

type End = EventNamed<'agent_end'>

function end(more: Pick<End, 'terminationReason'> & Partial<End>): End {
  return { type: 'agent_end', totalTurns: 2, usage: noUsage, durationMs: 5, ...more }
}

const failure = (kind: string, message = 'no') => ({ code: 'provider_error', message, data: { kind } })

describe('the end of a run', () => {
  it.each<[string, End, boolean, string]>([
    ['completed', end({ terminationReason: 'completed' }), false, 'end_turn'],
    ['completed at the output limit', end({ terminationReason: 'completed' }), true, 'max_tokens'],
    ['ended by a tool', end({ terminationReason: 'terminated' }), false, 'end_turn'],
    [
      'stopped when a tool was called',
      end({ terminationReason: 'stopped', stopRule: 'calledTool' }),
      false,
      'end_turn',
    ],
    ['stopped after turns', end({ terminationReason: 'stopped', stopRule: 'maxTurns' }), false, 'max_turn_requests'],
    ['over budget', end({ terminationReason: 'budget_exceeded' }), false, 'max_turn_requests'],
    ['aborted', end({ terminationReason: 'aborted' }), false, 'cancelled'],
    ['refused', end({ terminationReason: 'error', error: failure('refused') }), false, 'refusal'],
  ])('%s is a stop reason [ACP-ends]', (_, event, isCut, reason) => {
    expect(stopReasonOf({ end: event, isCut })).toBe(reason)
  })

  it.each<[string, End, number, RegExp]>([
    [
      'a refused key',
      end({ terminationReason: 'error', error: failure('auth', 'The key is wrong') }),
      -32_000,
      /key is wrong/,
    ],
    [
      'another failure',
      end({ terminationReason: 'error', error: failure('network', 'No network') }),
      -32_603,
      /No network/,
    ],
    ['silence', end({ terminationReason: 'idle_timeout' }), -32_603, /failed after 2 turns/],
    ['the clock', end({ terminationReason: 'wall_clock_timeout' }), -32_603, /timed out/],
    ['a server that stopped', end({ terminationReason: 'crashed' }), -32_603, /Send "continue"/],
    ['a server that was ended', end({ terminationReason: 'server_shutdown' }), -32_603, /Send "continue"/],
    ['its last client', end({ terminationReason: 'client_disconnected' }), -32_603, /last client left/],
  ])('%s is an error [ACP-ends]', (_, event, code, message) => {
    expect(() => stopReasonOf({ end: event, isCut: false })).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) as string }) as Error) // prettier-ignore
  })

  it('has an answer for every reason [ACP-ends]', () => {
    const answers = terminationReasons.map((terminationReason) => {
      try {
        return stopReasonOf({ end: end({ terminationReason }), isCut: false })
      } catch (error) {
        return (error as Error).message
      }
    })
    expect(answers.every((answer) => answer.length > 3)).toBe(true)
  })
})
