// Tests the parsing of the `retry-after` headers.
import { expect, it } from 'vitest'
import { retryAfterMs } from '../../../lib/providers/http/guarded-fetch.ts'

const now = Date.UTC(2026, 10, 21, 12, 0, 0)

it.each([
  [{}, undefined],
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }, 30_000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, 0],
  [{ 'retry-after-ms': '1250', 'retry-after': '9' }, 1250],
  [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-1' }, undefined],
  [{ 'retry-after': '' }, undefined],
])('reads %j as %s ms [LOOP-28d]', (headers, expected) => {
  expect(retryAfterMs(new Headers(headers), now)).toBe(expected)
})
