// Tests the schema of a scripted provider's file.
import { describe, expect, it } from 'vitest'
import { checkScriptFile } from '../../../lib/streams/validation/file-validators.ts'

describe('a script file', () => {
  it.each([
    [['Hello']],
    [[{ text: ['a', 'b'], toolCalls: [{ name: 'read', arguments: { path: 'a' } }], pieceDelayMs: 5 }]],
    [[{ error: { kind: 'rate_limit', status: 429, retryAfterMs: 10 } }, { end: 'early' }]],
  ])('takes %j', (script) => {
    expect(checkScriptFile(script)).toEqual({ ok: true, value: script })
  })

  it.each([
    [{ answers: [] }, 'it must be a list'],
    [[{ txt: 'a' }], '/0'],
    [[{ error: { kind: 'sad' } }], '/0'],
    [[{ delayMs: 2 ** 31 }], '/0'],
  ])('refuses %j and names the place of the fault', (script, where) => {
    expect(checkScriptFile(script)).toMatchObject({ ok: false, problem: expect.stringContaining(where) as string })
  })
})
