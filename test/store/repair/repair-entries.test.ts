// Tests the parents of a repaired log's entries, and results whose output was lost.
import { describe, expect, it } from 'vitest'
import { entryRepair } from '../../../lib/store/repair/repair-entries.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'

type Id = string | null
const userMessage: Message = { role: 'user', content: 'hi', timestamp: 1 }
const start = (entryId: string, parentId: Id): AgentEvent => ({
  type: 'message_start',
  entryId,
  parentId,
  message: userMessage,
})
const end = (entryId: string, parentId: Id, message: Message = userMessage): AgentEvent => ({
  type: 'message_end',
  entryId,
  parentId,
  message,
})
const moved = (entryId: Id): AgentEvent => ({ type: 'head_moved', entryId })
const compaction = (entryId: string, parentId: Id, firstStoredEntryId: Id = null): AgentEvent => ({
  type: 'compaction',
  entryId,
  parentId,
  summary: 'so far',
  tokensBefore: 1,
  tokensAfter: 1,
  firstKeptEntryId: firstStoredEntryId,
})

/** The last event as it is in the copy behind the others. */
function last(...events: readonly AgentEvent[]) {
  const repair = entryRepair()
  return events.map((event) => repair.mend({ event, at: 1 })).at(-1)
}

describe('an entry', () => {
  it.each<[string, AgentEvent[]]>([
    ['the first', [end('a', null)]],
    ['a second first one', [end('a', null), end('b', null)]],
    ['one that follows', [end('a', null), end('b', 'a')]],
    ['one on another branch', [end('a', null), end('b', 'a'), end('c', 'a')]],
    ['one that follows a compaction', [end('a', null), compaction('b', 'a'), end('c', 'b')]],
    ['the head, moved to an entry', [end('a', null), end('b', 'a'), moved('a')]],
    ['the head, moved before the first', [end('a', null), moved(null)]],
  ])('keeps its parent: %s [LOG-repair]', (_, events) => {
    expect(last(...events)).toEqual({ event: events.at(-1) })
  })

  it('becomes the first if nothing is left before it', () => {
    expect(last(end('b', 'a'))).toEqual({
      event: end('b', null),
      change: 'its parent is lost; it is the first entry now',
    })
  })

  it('follows the parent of the lost one, if its start is left [LOG-repair]', () => {
    const events = [end('a', null), start('lost', 'a'), end('b', 'a'), end('c', 'lost')]
    expect(last(...events)).toEqual({ event: end('c', 'a'), change: 'its parent is lost; it follows a now' })
  })

  it('follows the previous entry, if nothing of its parent is left', () => {
    expect(last(end('a', null), end('b', 'a'), end('c', 'lost'))?.event).toEqual(end('c', 'b'))
    expect(last(end('a', null), end('b', 'a'), moved('a'), end('c', 'lost'))?.event).toEqual(end('c', 'a'))
  })

  it('follows what is left if one lost entry followed another', () => {
    const lost = [start('lostaa', 'a'), start('lostbb', 'lostaa')]
    expect(last(end('a', null), ...lost, end('b', 'a'), end('c', 'lostbb'))?.event).toEqual(end('c', 'a'))
  })

  it('follows the previous entry, if a lost one names itself', () => {
    expect(last(end('a', null), start('lost', 'lost'), end('b', 'lost'))?.event).toEqual(end('b', 'a'))
  })

  it('that is the target of a moved head is the nearest one that is left', () => {
    expect(last(end('a', null), start('lost', 'a'), end('b', 'a'), moved('lost'))).toEqual({
      event: moved('a'),
      change: 'its parent is lost; it follows a now',
    })
  })
})

describe('a result', () => {
  const call = { toolCallId: 'call_1', toolName: 'read', isError: false } as const
  const output: AgentEvent = { type: 'tool_execution_end', ...call, content: [], durationMs: 1 }
  const result: Message = { role: 'toolResult', ...call, content: [{ type: 'text', text: 'x' }], timestamp: 1 }
  /** As a line has it: its content is in the end of the call. */
  const bare = JSON.parse(JSON.stringify({ ...result, content: undefined })) as Message
  const lost = expect.objectContaining({
    isError: true,
    content: [{ type: 'text', text: expect.any(String) as string }],
  }) as unknown

  it("has its call's output if that is left", () => {
    expect(last(output, start('a', null), end('a', null, bare))).toEqual({ event: end('a', null, bare) })
  })

  it('keeps its own content, if no call ended', () => {
    expect(last(end('a', null, result))).toEqual({ event: end('a', null, result) })
  })

  it('reports a lost output, also if an earlier call had the same name [LOG-repair]', () => {
    const repaired = last(output, end('a', null, bare), end('b', 'a', bare))
    expect(repaired).toMatchObject({
      event: { entryId: 'b', parentId: 'a', message: lost },
      change: "its call's output is lost",
    })
  })

  it('reports it, and follows the nearest entry', () => {
    expect(last(end('a', null), end('b', 'lost', bare))?.event).toMatchObject({ parentId: 'a', message: lost })
  })
})

describe('a compaction', () => {
  it.each<[string, AgentEvent[]]>([
    ['an entry that is left', [end('a', null), end('b', 'a'), compaction('c', 'b', 'b')]],
    ['nothing', [end('a', null), compaction('c', 'a', null)]],
  ])('keeps %s', (_, events) => {
    expect(last(...events)).toEqual({ event: events.at(-1) })
  })

  it.each<[string, AgentEvent[]]>([
    ['wholly', [end('a', null), end('b', 'lost'), end('d', 'b'), compaction('c', 'd', 'lost')]],
    [
      'but for its start',
      [end('a', null), start('lost', 'a'), end('b', 'lost'), end('d', 'b'), compaction('c', 'd', 'lost')],
    ],
    [
      'with the one behind it',
      [end('a', null), start('also', 'lost'), end('b', 'also'), end('d', 'b'), compaction('c', 'd', 'lost')],
    ],
  ])('keeps the messages behind its first kept one, if that one is lost %s [LOG-repair]', (_, events) => {
    expect(last(...events)).toEqual({
      event: compaction('c', 'd', 'b'),
      change: 'the first message that it keeps is lost; it keeps the messages from b on',
    })
  })

  it('keeps nothing if nothing is left of it, and reports that at its new position [LOG-repair]', () => {
    expect(last(end('a', null), compaction('c', 'lost', 'lost'))).toEqual({
      event: compaction('c', 'a', null),
      change: 'its parent is lost; it follows a now; the first message that it keeps is lost; nothing of it is left',
    })
  })

  it('keeps nothing if the following entries form a circle', () => {
    const events = [end('a', null), start('x', 'y'), start('y', 'x'), compaction('c', 'a', 'x')]
    expect(last(...events)?.event).toEqual(compaction('c', 'a', null))
  })
})
