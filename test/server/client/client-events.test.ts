// Tests the event stream of a client: durable events, deltas, unsubscribing and errors.
import { describe, expect, it } from 'vitest'
import { foldMessage } from '../../../lib/streams/messages/fold-message.ts'
import type { AssistantMessage } from '../../../lib/streams/messages/message.ts'
import { scriptedRun } from '../../support/scripted-run.ts'
import { id, setup, clientWithoutServer, listen } from './client-scene.ts'

describe('the events of a client', () => {
  it('carry the log’s lines, byte for byte, with seq and time [WIRE-event]', () => {
    const { client, session } = setup()
    const { events } = listen(client, { after: 0 })
    for (const event of scriptedRun(['a\u2028"', 'é'])) session.record(event, { runId: 'rrrrrrrr' })
    const durable = events.flatMap((event) => (event.type === 'event' && event.seq !== undefined ? [event] : []))
    expect(durable.map(({ line }) => line)).toEqual(session.lines)
    expect(durable.map(({ seq }) => seq)).toEqual(session.lines.map((_, index) => index + 1))
    expect(durable[0]).toMatchObject({ at: 1_000, runId: 'rrrrrrrr', event: { type: 'agent_start' } })
  })

  it('carry pieces as deltas of their block’s kind: folded, they give the message', () => {
    const { client, session } = setup()
    const { events } = listen(client, { after: 0 })
    const run = scriptedRun(['one ', 'two ', 'three'])
    for (const event of run) session.record(event)
    const received = events.flatMap((event) => (event.type === 'event' ? [event.event] : []))
    expect(received.filter((event) => event.type === 'message_update')).toEqual(
      run.filter((event) => event.type === 'message_update'),
    )
    let folded: AssistantMessage | undefined
    for (const event of received) {
      if (event.type === 'message_start' && event.message.role === 'assistant') folded = event.message
      if (event.type === 'message_update' && folded !== undefined) folded = foldMessage(folded, event.delta)
    }
    const end = run.findLast((event) => event.type === 'message_end' && event.message.role === 'assistant')
    expect(folded).toEqual(end?.type === 'message_end' ? end.message : undefined)
  })

  it('detach on the server when they are unsubscribed, and can be subscribed again', () => {
    const { client, session } = setup()
    const first = listen(client)
    first.stop()
    session.record({ type: 'agent_settled' })
    const second = listen(client, { after: 0 })
    session.record({ type: 'agent_settled' })
    expect(first.events).toHaveLength(1)
    expect(second.events.map((event) => event.type)).toEqual(['attached', 'event', 'caught_up', 'event'])
  })

  it('have one subscriber a session at a time', () => {
    const { client } = setup()
    const first = listen(client)
    expect(listen(client).ends).toEqual(['bad_request'])
    first.stop()
    expect(listen(client).ends).toEqual([])
  })

  it('fail with the failure of attach', () => {
    const { client } = setup()
    expect(listen(client, { after: 3 }).ends).toEqual(['bad_request'])
  })

  it('complete when the client closes, and fail when the connection ends by itself', () => {
    const own = clientWithoutServer()
    const closing = listen(own.client)
    own.client.close()
    own.client.close()
    const cut = clientWithoutServer()
    const losing = listen(cut.client)
    cut.server.close()
    expect([closing.ends, losing.ends]).toEqual([['complete'], ['disconnected']])
  })

  it('skip frames and events of unknown types [EVENT-unknown, CLIENT-unknown]', () => {
    const { client, server } = clientWithoutServer()
    const { events, ends } = listen(client)
    const result = JSON.stringify({ channel: 1, head: 0, headEntryId: null, header: {}, queue: [] })
    server.send('{"v":1,"type":"lagging","session":"aaaaaaaaaaaa"}')
    server.send(`{"v":1,"type":"response","id":"1","ok":true,"result":${result}}`)
    server.send(`{"v":1,"type":"event","session":"${id}","seq":1,"at":1,"event":{"type":"dream"},"crc":"0"}`)
    server.send('{"type":"delta","channel":1,"entryId":"unknown1","block":0,"offset":0,"text":"x"}')
    server.send('{"type":"delta","channel":2,"entryId":"unknown1","block":0,"offset":0,"text":"x"}')
    expect([events.map((event) => event.type), ends]).toEqual([['attached'], []])
  })

  it.each([
    ['no JSON', 'garbage'],
    ['null', 'null'],
    ['no type', '{"v":1}'],
    [
      'an error response without id',
      '{"type":"response","id":null,"ok":false,"error":{"code":"bad_json","message":""}}',
    ],
  ])('fail if the server sends %s', (_, line) => {
    const { client, server } = clientWithoutServer()
    const { ends } = listen(client)
    server.send(line)
    expect(ends).toEqual(['bad_json'])
  })

  it('fail if a durable frame does not begin with the session’s prefix', () => {
    const { client, server } = clientWithoutServer()
    const { ends } = listen(client)
    const result = JSON.stringify({ channel: 1, head: 0, headEntryId: null, header: {}, queue: [] })
    server.send(`{"v":1,"type":"response","id":"1","ok":true,"result":${result}}`)
    server.send(`{"type":"event","v":1,"session":"${id}","seq":1,"at":1,"event":{"type":"agent_settled"}}`)
    expect(ends).toEqual(['bad_json'])
  })
})

it('emits lagging, then caught_up', () => {
  const { client, server, sent } = clientWithoutServer()
  const { events } = listen(client)
  const result = { channel: 1, head: 4, headEntryId: null, header: {}, queue: [], requests: [] }
  server.send(JSON.stringify({ type: 'response', id: sent[0]?.['id'], ok: true, result }))
  for (const type of ['lagging', 'caught_up']) server.send(JSON.stringify({ v: 1, type, session: id, seq: 4 }))
  expect(events.slice(1)).toEqual([
    { type: 'lagging', seq: 4 },
    { type: 'caught_up', seq: 4 },
  ])
})
