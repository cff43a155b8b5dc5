// Tests the functions that map the parts of messages in events.
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { mapMessageParts, mapParts } from '../../../lib/streams/events/map-parts.ts'
import type { Message, UserContent } from '../../../lib/streams/messages/message.ts'
import { assistant, everyEvent, toolResult, user } from './samples.ts'

const text: UserContent = { type: 'text', text: 'a' }
const toUpperCase = (part: UserContent): UserContent =>
  part.type === 'text' ? { ...part, text: part.text.toUpperCase() } : part

describe('mapParts', () => {
  it('returns the same event if nothing changes', () => {
    for (const event of everyEvent) expect(mapParts(event, (part) => part)).toBe(event)
  })

  it('passes the author of each part', () => {
    const origins: string[] = []
    const note = (part: UserContent, origin: string): UserContent => {
      origins.push(origin)
      return part
    }
    const queued: AgentEvent = { type: 'queue_update', queue: 'steering', op: 'add', queueId: 'q', content: [text] }
    mapParts(queued, note)
    mapParts({ ...queued, content: 'words' }, note)
    mapParts({ type: 'context_edit', targetEntryId: 'u', replacement: null }, note)
    mapParts({ type: 'context_edit', targetEntryId: 'u', replacement: toolResult({ content: [text] }) }, note)
    expect(origins).toEqual(['person', 'result'])
  })
})

describe('mapMessageParts', () => {
  it('maps the parts of users and tools, and shares unchanged parts', () => {
    const image: UserContent = { type: 'image', mimeType: 'image/png', data: 'AAAA' }
    const { content } = mapMessageParts(user([image, text]), toUpperCase)
    expect(content).toEqual([image, { type: 'text', text: 'A' }])
    expect(content[0]).toBe(image)
    expect(mapMessageParts(toolResult({ content: [text] }), toUpperCase).content).toEqual([{ type: 'text', text: 'A' }])
  })

  it.each<[string, Message]>([
    ['a plain text', user('a')],
    ['an answer', assistant()],
    ['a role that a host brought', { role: 'note', content: [text], timestamp: 1 } as unknown as Message],
    ['a line’s result', { role: 'toolResult', toolCallId: 'c', toolName: 't', timestamp: 1 } as unknown as Message],
  ])('leaves %s alone', (_, message) => {
    expect(mapMessageParts(message, toUpperCase)).toBe(message)
  })
})
