// Tests `readRequest`: which lines are requests, and the error of each other line.
import { describe, expect, it } from 'vitest'
import { readRequest } from '../../../lib/server/protocol/read-request.ts'

const read = (value: unknown) => readRequest({ text: JSON.stringify(value) })

describe('readRequest', () => {
  it('returns the command without the envelope’s fields', () => {
    const envelope = { v: 1, id: 'a', type: 'prompt', session: 'aaaaaaaaaaaa', text: 'hi', timeoutMs: 5, opId: 'o' }
    expect(read(envelope)).toEqual({
      ok: true,
      envelope,
      command: { type: 'prompt', session: 'aaaaaaaaaaaa', text: 'hi' },
    })
    expect(read({ id: 'a', type: 'ping' })).toMatchObject({ ok: true, command: { type: 'ping' } })
  })

  it.each(['', '{', 'null', '[]', '[{"v":1,"id":"a","type":"ping"}]', '7', '"ping"'])('refuses the line %s', (text) => {
    const failure: unknown = expect.objectContaining({ code: 'bad_json', message: 'A line must be one JSON object' })
    expect(readRequest({ text })).toEqual({ ok: false, id: null, failure })
  })

  it.each([
    ['too_large', 'message_too_large', 'This line is longer than 16 MiB and was skipped to its end; send less at once'],
    ['not_utf8', 'bad_json', 'A line must be UTF-8'],
  ] as const)('names the problem of a line that is %s', (problem, code, message) => {
    const failure: unknown = expect.objectContaining({ code, message })
    expect(readRequest({ problem })).toEqual({ ok: false, id: null, failure })
  })

  it.each<[object, string | null, string, string]>([
    [{ v: 2, id: 'a', type: 'ping' }, 'a', 'unsupported_version', 'This server speaks protocol 1, not 2'],
    [
      { v: '1', id: 'a', type: 'ping' },
      'a',
      'unsupported_version',
      'This server speaks protocol 1, not the one that the',
    ],
    [{ v: 1, type: 'ping' }, null, 'bad_request', 'The request is invalid: '],
    [{ v: 1, id: 5, type: 'ping' }, null, 'bad_request', 'The request is invalid: '],
    [{ v: 1, id: '', type: 'ping' }, null, 'bad_request', 'The request is invalid: '],
    [{ v: 1, id: 'x'.repeat(129), type: 'ping' }, null, 'bad_request', 'The request is invalid: '],
    [{ v: 2, id: 'x'.repeat(128), type: 'ping' }, 'x'.repeat(128), 'unsupported_version', 'This server speaks'],
    [{ v: 2, id: ['a'], type: 'ping' }, null, 'unsupported_version', 'This server speaks'],
    [{ v: 1, id: 'a', type: 'sing' }, 'a', 'unknown_command', 'This server knows no command "sing"'],
    [{ v: 1, id: 'a', type: 'promt' }, 'a', 'unknown_command', 'knows no command "promt". Did you mean prompt?'],
    [{ v: 1, id: 'a', type: 'toString' }, 'a', 'unknown_command', 'This server knows no command "toString"'],
    [{ v: 1, id: 'a', type: 'detach' }, 'a', 'bad_request', 'detach is invalid: '],
  ])('refuses %j, with the id if it can be read', (value, id, code, message) => {
    const failure: unknown = expect.objectContaining({ code, message: expect.stringContaining(message) as string })
    expect(read(value)).toEqual({ ok: false, id, failure })
  })

  it('reports which protocols this server speaks', () => {
    const refused = read({ v: 2, id: 'a', type: 'ping' })
    expect(!refused.ok && refused.failure.data).toEqual({ min: 1, max: 1 })
  })
})
