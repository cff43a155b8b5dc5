// Tests how the event of a line is parsed.
import { describe, expect, it } from 'vitest'
import { lineCrc, sealLine } from '../../../lib/store/lines/line-checksum.ts'
import { readLineHead, parseEvent } from '../../../lib/store/lines/peek-line.ts'

const moved = { type: 'head_moved', entryId: null }
const sealed = (body: string): Buffer => Buffer.from(sealLine(body))
const latin1 = (body: string): Buffer => {
  const bytes = Buffer.from(body, 'latin1')
  return Buffer.concat([bytes, Buffer.from(`,"crc":"${lineCrc(bytes)}"}`)])
}

describe('parseEvent', () => {
  it.each([
    ['as rxpi writes it', `{"seq":1,"at":1,"event":${JSON.stringify(moved)}`],
    ['with a command', `{"seq":1,"at":1,"opId":"a","event":${JSON.stringify(moved)}`],
    ['with more behind its event', `{"seq":1,"at":1,"event":${JSON.stringify(moved)},"opId":"a"`],
    ['in another order', `{"event":${JSON.stringify(moved)},"at":1,"seq":1`],
  ])('reads the event of a line %s', (_what, body) => {
    const line = sealed(body)
    expect([parseEvent(line), parseEvent(line, readLineHead(line))]).toEqual([moved, moved])
  })

  it.each([
    ['of an unknown type', sealed('{"seq":1,"at":1,"event":{"type":"new_thing"}')],
    ['that does not fit', sealed('{"seq":1,"at":1,"event":{"type":"head_moved","entryId":5}')],
    ['that is no JSON', sealed('{"seq":1,"at":1,"event":{"type":"head_moved",}')],
    ['that another one follows', sealed('{"seq":1,"at":1,"event":{"type":"head_moved","entryId":null},"event":5')],
    ['that is not there', sealed('{"seq":1,"at":1')],
    ['in another encoding', latin1('{"seq":1,"at":1,"event":{"type":"custom","customType":"ä"}')],
  ])('finds no event in a line with %s', (_what, line) => {
    expect([parseEvent(line), parseEvent(line, readLineHead(line))]).toEqual([undefined, undefined])
  })
})
