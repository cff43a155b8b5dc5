// Tests how type and number are read from a line without a full parse.
import { describe, expect, it } from 'vitest'
import { readLineHead } from '../../../lib/store/lines/peek-line.ts'

describe('readLineHead', () => {
  it('distinguishes types whose letters have the same sum', () => {
    const typeOf = (type: string) => readLineHead(Buffer.from(`{"seq":1,"at":1,"event":{"type":"${type}"}}`))?.type
    expect(['hbylqwsk', 'fzcgmblj', 'hbylqwsk'].map(typeOf)).toEqual(['hbylqwsk', 'fzcgmblj', 'hbylqwsk'])
  })

  it.each([
    ['{"seq":12,"at":5,"event":{"type":"turn_end","x":1}}', { seq: 12, type: 'turn_end' }],
    ['{"seq":12,"at":5.25,"runId":"abcdefgh","event":{"type":"turn_end"}}', { seq: 12, type: 'turn_end' }],
    ['{"seq":3,"at":1,"opId":"a\\"b","event":{"type":"turn_end"}}', { seq: 3, type: 'turn_end' }],
    [`{"seq":3,"at":1,"opId":"${'x'.repeat(500)}","event":{"type":"turn_end"}}`, { seq: 3, type: 'turn_end' }],
    ['{"event":{"type":"turn_end"},"at":1,"seq":3}', { seq: 3, type: 'turn_end' }],
    ['{"at":1,"event":{"type":"message_update"}}', { type: 'message_update' }],
    ['{"at":1,"new":2,"event":{"type":"message_update"}}', { type: 'message_update' }],
    ['{"seq":1,"at":1,"event":{"type":"ÄNDERUNG 2"}}', { seq: 1, type: 'ÄNDERUNG 2' }],
    ['{"seq":9007199254740991,"at":1,"event":{"type":"turn_end"}}', { seq: Number.MAX_SAFE_INTEGER, type: 'turn_end' }],
    ['{"seq":1,"at":1e3,"event":{"type":"turn_end"}}', { seq: 1, type: 'turn_end' }],
    ['{"seq":1,"at":1,"runId":"none","event":{"type":"turn_end"}}', { seq: 1, type: 'turn_end' }],
    ['{"seq":1,"at":1,"event":{"type":"turn\\u005fend"}}', { seq: 1, type: 'turn_end' }],
    ['{"at":1.5,"runId":"abcdefgh","event":{"type":"message_update"}}', { type: 'message_update' }],
  ])('reads %s', (line, head) => {
    const { eventAt, ...found } = readLineHead(Buffer.from(line)) ?? {}
    expect(found).toEqual(head)
    if (eventAt !== undefined) expect(JSON.parse(line.slice(eventAt, -1))).toMatchObject({ type: head.type })
  })

  it('returns the position of the event in a line without an opId', () => {
    const at = (line: string) => readLineHead(Buffer.from(line))?.eventAt
    expect([
      at('{"seq":12,"at":5,"runId":"abcdefgh","event":{"type":"turn_end"}}'),
      at('{"at":5,"event":{"type":"message_update"}}'),
      at('{"seq":12,"at":5,"opId":"x","event":{"type":"turn_end"}}'),
      at('{"event":{"type":"turn_end"},"at":5,"seq":12}'),
    ]).toEqual([44, 16, undefined, undefined])
  })

  it.each([
    '',
    'x',
    'null',
    '5',
    '[]',
    '{}',
    '{"seq":1}',
    '{"seq":1,"event":null}',
    '{"seq":1,"event":{}}',
    '{"seq":0,"event":{"type":"x"}}',
    '{"seq":1.5,"event":{"type":"x"}}',
    '{"seq":01,"at":1,"event":{"type":"x"}}',
    '{"seq":9007199254740992,"at":1,"event":{"type":"x"}}',
    '{"seq":,"at":1,"event":{"type":"x"}}',
    '{"seq":1,"at":,"event":{"type":"x"}}',
    '{"seq":1,"at":1,"event":{"type":"x',
    '{"seq":"1","event":{"type":"x"}}',
  ])('finds no head in %s', (line) => {
    expect(readLineHead(Buffer.from(line))).toBeUndefined()
  })
})
