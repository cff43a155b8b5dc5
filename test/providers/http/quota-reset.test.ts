// Tests when a used-up quota is full again, by the headers of a refusal.
import { describe, expect, it } from 'vitest'
import { retryAfterMs } from '../../../lib/providers/http/guarded-fetch.ts'
import { quotaResetWait } from '../../../lib/providers/http/limit-reset.ts'

const now = Date.parse('2026-11-26T16:00:00Z')
const openAi = (remaining: string, reset: string) => ({
  'x-ratelimit-remaining-requests': remaining,
  'x-ratelimit-reset-requests': reset,
})

describe('quotaResetWait', () => {
  it.each<readonly [Record<string, string>, number | undefined]>([
    [openAi('0', '6m0s'), 360_000],
    [openAi('0', '1h2m3.5s'), 3_723_500],
    [openAi('0', '20ms'), 20],
    [openAi('0', '7'), 7_000],
    [openAi('3', '6m0s'), undefined],
    [openAi('0', 'soon'), undefined],
    [openAi('', '1s'), undefined],
    [{ 'x-ratelimit-reset-requests': '1s' }, undefined],
    [{ ...openAi('0', '1s'), 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '9s' }, 9_000],
    [
      {
        'anthropic-ratelimit-input-tokens-remaining': '0',
        'anthropic-ratelimit-input-tokens-reset': '2026-11-26T16:01:00Z',
      },
      60_000,
    ],
    [{ 'anthropic-ratelimit-tokens-remaining': '0', 'anthropic-ratelimit-tokens-reset': 'x' }, undefined],
  ])('of %j is %s [LOOP-28o]', (headers, expected) => {
    expect(quotaResetWait(new Headers(headers), now)).toBe(expected)
  })

  it('counts only without retry-after', () => {
    expect(retryAfterMs(new Headers({ ...openAi('0', '6m0s'), 'retry-after': '2' }), now)).toBe(2_000)
    expect(retryAfterMs(new Headers(openAi('0', '6m0s')), now)).toBe(360_000)
  })
})
