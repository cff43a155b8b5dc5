// Tests how an event becomes the body of a log line.
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { lineBody, lineEvent, openBody } from '../../../lib/streams/log/line-event.ts'
import { everyEvent, sampleEvents, toolResult, user } from '../events/samples.ts'

describe('lineEvent', () => {
  it('omits the arguments that the call already has [EVENT-tool_start]', () => {
    const { args, argsChanged, ...rest } = sampleEvents.tool_execution_start
    expect(lineEvent({ ...rest, args })).toEqual(rest)
    expect(lineEvent({ ...rest, args, argsChanged: false })).toEqual(rest)
    expect(argsChanged).toBe(true)
  })

  it('keeps the arguments that a hook changed [EVENT-tool_start]', () => {
    expect(lineEvent(sampleEvents.tool_execution_start)).toMatchObject({ args: { path: 'a' } })
  })

  it('omits what the end of a call contains [EVENT-once]', () => {
    const message = toolResult({ details: { lines: 1 }, isError: true })
    const event: AgentEvent = { type: 'message_end', entryId: 'r', parentId: null, message }
    expect(lineEvent(event)).toEqual({
      ...event,
      message: { role: 'toolResult', toolCallId: 'call_1', toolName: 'read', timestamp: 2, durationMs: 5 },
    })
    expect(event.message).toBe(message)
  })

  it('moves large content to blobs if a blob store exists', () => {
    const content = [{ type: 'text' as const, text: 'x'.repeat(9) }]
    const reference = { blob: 'a'.repeat(64), bytes: 9 }
    const blobs = { refer: () => reference, keep: () => reference, hold: () => undefined, read: () => '' }
    const event: AgentEvent = { ...sampleEvents.tool_execution_end, content }
    expect(lineEvent(event, blobs)).toEqual({ ...event, content: [{ ...content[0], ...reference }] })
  })

  it('keeps every other event whole', () => {
    const others = everyEvent.filter(({ type }) => type !== 'tool_execution_start')
    for (const event of others) expect(lineEvent(event)).toBe(event)
    const question: AgentEvent = { type: 'message_end', entryId: 'u', parentId: null, message: user('why?') }
    expect(lineEvent(question)).toBe(question)
  })
})

describe('lineBody', () => {
  it('writes the fields in the order of the protocol, without the closing brace', () => {
    const body = lineBody({ seq: 7, at: 12, runId: 'rrrrrrrr', opId: 'a"b', event: { type: 'agent_settled' } })
    expect(body).toBe('{"seq":7,"at":12,"runId":"rrrrrrrr","opId":"a\\"b","event":{"type":"agent_settled"}')
    expect(JSON.parse(`${body}}`)).toMatchObject({ opId: 'a"b' })
  })

  it('has no run and no operation if there is none', () => {
    expect(lineBody({ seq: 1, at: 2, event: { type: 'agent_settled' } })).toBe(
      '{"seq":1,"at":2,"event":{"type":"agent_settled"}',
    )
  })

  it('never contains a line feed', () => {
    const event: AgentEvent = { type: 'custom', customType: 'a\nb', data: 'c\u2028\r\n' }
    const body = lineBody({ seq: 1, at: 2, event })
    expect(body).not.toMatch(/[\n\r]/)
    expect(JSON.parse(`${body}}`)).toMatchObject({ event })
  })
})

describe('openBody', () => {
  it('is JSON without its closing brace', () => {
    expect(openBody({ type: 'session', v: 1 })).toBe('{"type":"session","v":1')
  })
})
