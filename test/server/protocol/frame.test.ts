// Tests the frames of the protocol: greeting, responses and durable events.
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { caughtUpFrame, errorFrame, helloFrame, okFrame, recordFrame } from '../../../lib/server/protocol/frame.ts'

const session = 'abcdefghijkl'

describe('frames', () => {
  it('announce protocol, limits and capabilities in hello [WIRE-hello]', () => {
    const server = { name: 'rxpi', version: '1.2.3', pid: 7, epoch: 'abcdefgh' }
    expect(helloFrame({ server, limits: { lineBytes: 1 }, capabilities: ['ping'] })).toBe(
      '{"v":1,"type":"hello","server":{"name":"rxpi","version":"1.2.3","pid":7,"epoch":"abcdefgh"},' +
        '"protocol":{"min":1,"max":1},"limits":{"lineBytes":1},"capabilities":["ping"]}',
    )
  })

  it('answer with a result', () => {
    expect(okFrame('7', { a: 1 })).toBe('{"v":1,"type":"response","id":"7","ok":true,"result":{"a":1}}')
  })

  it('answer with an error, and with data only if there is some', () => {
    expect(errorFrame(null, new Failure('bad_json', 'no'))).toBe(
      '{"v":1,"type":"response","id":null,"ok":false,"error":{"code":"bad_json","message":"no"}}',
    )
    expect(errorFrame('7', new Failure('storage', 'full', { data: { errno: 'ENOSPC' } }))).toBe(
      '{"v":1,"type":"response","id":"7","ok":false,"error":{"code":"storage","message":"full","data":{"errno":"ENOSPC"}}}',
    )
  })

  it('put a durable event’s log line after the session, byte for byte [WIRE-event]', () => {
    const line = '{"seq":3,"at":9,"event":{"type":"agent_settled"},"crc":"00000000"}'
    expect(recordFrame(session, 1, { event: { type: 'agent_settled' }, at: 9, seq: 3, line })).toBe(
      `{"v":1,"type":"event","session":"${session}","seq":3,"at":9,"event":{"type":"agent_settled"},"crc":"00000000"}`,
    )
  })

  it.each(['text_delta', 'thinking_delta', 'toolcall_delta'] as const)(
    'carry a %s in its compact form [WIRE-delta]',
    (type) => {
      const delta = { type, contentIndex: 2, offset: 123456, text: 'a"\n\u2028' }
      const event: AgentEvent = { type: 'message_update', entryId: 'a2b3c4d5', delta }
      expect(recordFrame(session, 12, { event, at: 1 })).toBe(
        '{"type":"delta","channel":12,"entryId":"a2b3c4d5","block":2,"offset":123456,"text":"a\\"\\n\u2028"}',
      )
    },
  )

  it('carry any other transient event whole [WIRE-delta]', () => {
    const delta = { type: 'toolcall_start', contentIndex: 0, id: 'call', name: 'bash' } as const
    const event: AgentEvent = { type: 'message_update', entryId: 'a2b3c4d5', delta }
    expect(JSON.parse(recordFrame(session, 1, { event, at: 1 }))).toEqual({ v: 1, type: 'event', session, event })
  })

  it('mark up to which seq the log was sent', () => {
    expect(caughtUpFrame(session, 8)).toBe(`{"v":1,"type":"caught_up","session":"${session}","seq":8}`)
  })
})
