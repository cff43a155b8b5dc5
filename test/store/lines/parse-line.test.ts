// Tests how a sealed line is parsed and checked.
import { describe, expect, it } from 'vitest'
import { parseLine } from '../../../lib/store/lines/parse-line.ts'
import { lineCrc, sealLine } from '../../../lib/store/lines/line-checksum.ts'

const parse = (line: string) => parseLine(Buffer.from(line))

describe('parseLine', () => {
  it('returns the record of a numbered line', () => {
    const line = sealLine('{"seq":7,"at":8,"runId":"abcdefgh","opId":"o","event":{"type":"agent_settled"}')
    expect(parse(line)).toEqual({
      ok: true,
      record: { seq: 7, at: 8, runId: 'abcdefgh', opId: 'o', event: { type: 'agent_settled' }, line },
    })
  })

  it('returns a checkpoint without number and line', () => {
    const event = { type: 'message_update', entryId: 'entryaaa', delta: { type: 'text_start', contentIndex: 0 } }
    expect(parse(sealLine(`{"at":8,"event":${JSON.stringify(event)}`))).toEqual({ ok: true, record: { at: 8, event } })
  })

  it('returns an event of an unknown type unchanged', () => {
    const line = sealLine('{"seq":1,"at":0,"event":{"type":"x","y":null}')
    expect(parse(line)).toEqual({ ok: true, record: { seq: 1, at: 0, event: { type: 'x', y: null }, line } })
  })

  it.each([
    ['wrong_crc', '{"seq":1,"at":0,"event":{"type":"agent_settled"},"crc":"00000000"}'],
    ['wrong_crc', '{"seq":1,"at":0,"event":{"type":"agent_settled"}}'],
    ['wrong_crc', `{"at":0,"crc":"${lineCrc('{"at":0')}","more":1}`],
    ['wrong_crc', ''],
    ['bad_json', sealLine('{"seq":1,"at":0,"event":{"type":"agent_settled"')],
    ['bad_json', sealLine('null')],
    ['bad_schema', sealLine('{"seq":0,"at":0,"event":{"type":"agent_settled"}')],
    ['bad_schema', sealLine('{"seq":1,"event":{"type":"agent_settled"}')],
    ['bad_schema', sealLine('{"seq":1,"at":0,"event":{"type":5}')],
    ['bad_schema', sealLine('{"seq":1,"at":0,"event":{"type":"label","targetEntryId":"x","label":null}')],
    ['bad_schema', sealLine('{"at":0,"event":{"type":"agent_settled"}')],
  ])('finds %s in %s', (fault, line) => {
    expect(parse(line)).toEqual({ ok: false, fault, problem: expect.stringMatching(/./) as string })
  })

  it('names the event and the field', () => {
    const line = sealLine('{"seq":1,"at":0,"event":{"type":"label","targetEntryId":"x","label":null}')
    expect(parse(line)).toMatchObject({ problem: expect.stringMatching(/label.*\/targetEntryId/) as string })
  })

  it('refuses invalid UTF-8 even if the checksum is right', () => {
    const body = Buffer.concat([
      Buffer.from('{"seq":1,"at":0,"event":{"type":"x","y":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ])
    const line = Buffer.concat([body, Buffer.from(`,"crc":"${lineCrc(body)}"}`)])
    expect(parseLine(line)).toMatchObject({ ok: false, fault: 'bad_json' })
  })
})
