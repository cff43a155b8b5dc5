// Tests `CatchUp`: the lines, the mark and the pieces that a client is missing, in portions.
import { describe, expect, it, vi } from 'vitest'
import { CatchUp } from '../../../lib/server/feed/catch-up.ts'
import type { CatchUpOptions } from '../../../lib/server/feed/catch-up.ts'
import { emptyCursor } from '../../../lib/server/feed/client-cursor.ts'
import { servedSession } from '../../../lib/server/feed/served-session.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { fakeSession } from '../../support/fake-session.ts'
import { assistant, sampleEvents } from '../../streams/events/samples.ts'

const entryId = 'answeraa'
const toolCallId = 'call_1'
const { agent_settled: settled } = sampleEvents
const start: AgentEvent = { type: 'message_start', entryId, parentId: null, message: assistant() }
const end: AgentEvent = { type: 'message_end', entryId, parentId: null, message: assistant() }
const opening: AgentEvent = { type: 'message_update', entryId, delta: { type: 'text_start', contentIndex: 0 } }
const piece = (offset: number, text: string): AgentEvent => ({
  type: 'message_update',
  entryId,
  delta: { type: 'text_delta', contentIndex: 0, offset, text },
})
const toolStart: AgentEvent = { type: 'tool_execution_start', toolCallId, toolName: 'bash', entryId, args: {} }
const output = (content: string, offset: number): AgentEvent => ({
  type: 'tool_execution_update',
  toolCallId,
  updateType: 'stdout',
  content,
  offset,
})

function scene(events: readonly AgentEvent[], options: Partial<CatchUpOptions> = {}) {
  const session = fakeSession()
  for (const event of events) session.record(event)
  const served = servedSession({ session, notices: [] }, { channel: 1 })
  const cursor = emptyCursor()
  const catchUp = new CatchUp(served, { after: 0, cursor, isMarked: true, deltas: true, longest: 100, ...options })
  /** The next portion, each frame in short. */
  const next = (length = Infinity): string[] | undefined => catchUp.next(length)?.lines.map(short)
  return { session, served, catchUp, next }
}

/** `1` for line 1, `mark 1`, or the frame's text and offset. */
function short(frame: string): string {
  const { type, seq, event, text, content, offset } = JSON.parse(frame) as Record<string, unknown> & {
    seq?: number
    event?: { type: string; content?: string; offset?: number; delta?: { type: string } }
  }
  if (type === 'caught_up') return `mark ${String(seq)}`
  if (seq !== undefined) return String(seq)
  if (event !== undefined) return event.delta?.type ?? `${event.content} at ${event.offset}`
  return `${String(text ?? content)} at ${String(offset)}`
}

describe('CatchUp', () => {
  it('reads the lines, then the mark, then the open message and output', () => {
    const { next } = scene([settled, start, opening, piece(0, 'ab'), toolStart, output('cd', 0)])
    expect([next(), next()]).toEqual([['1', '2', '3', 'mark 3', 'text_start', 'ab at 0', 'cd at 0'], undefined])
  })

  it.each<[string, Partial<CatchUpOptions>, string[] | undefined]>([
    ['after a line', { after: 1 }, ['2', 'mark 2', 'text_start', 'ab at 0']],
    ['without the mark', { after: 2, isMarked: false }, ['text_start', 'ab at 0']],
    ['without deltas', { deltas: false }, ['1', '2', 'mark 2']],
    ['nothing without mark and deltas', { after: 2, isMarked: false, deltas: false }, undefined],
    ['pieces of at most the longest', { after: 2, isMarked: false, longest: 1 }, ['text_start', 'a at 0', 'b at 1']],
  ])('reads %s', (_, options, expected) => {
    expect(scene([settled, start, opening, piece(0, 'ab')], options).next()).toEqual(expected)
  })

  it('returns frames until they have the length together, and that length', () => {
    const { session, catchUp } = scene([settled, settled, settled])
    const [first = '', second = ''] = session.lines
    const frameLength = (line: string): number =>
      line.length - 1 + '{"v":1,"type":"event","session":"aaaaaaaaaaaa",'.length
    const both = frameLength(first) + frameLength(second)
    expect(catchUp.next(both)).toMatchObject({ length: both, endsTick: false, lines: { length: 2 } })
    expect(catchUp.next(1)?.lines).toHaveLength(1)
  })

  it('reads lines that are written meanwhile before more pieces, and marks once', () => {
    const { session, next } = scene([start, opening, piece(0, 'ab')], { longest: 1 })
    expect([next(1), next(1), next(1), next(1)]).toEqual([['1'], ['mark 1'], ['text_start'], ['a at 0']])
    session.record(end)
    expect([next(), next()]).toEqual([['2'], undefined])
  })

  it('reads text that the open message got while its pieces were read', () => {
    const { session, next } = scene([start, opening, piece(0, 'ab')], { after: 1, isMarked: false })
    expect(next(1)).toEqual(['text_start'])
    session.record(piece(2, 'cd'))
    expect([next(), next()]).toEqual([['ab at 0', 'cd at 2'], undefined])
  })

  it('reads the output of a tool that starts again under the same id from its start', () => {
    const { session, next } = scene([toolStart, output('ab', 0)], { isMarked: false })
    expect(next()).toEqual(['1', 'ab at 0'])
    session.record({ ...sampleEvents.tool_execution_end, toolCallId })
    session.record(toolStart)
    session.record(output('x', 0))
    expect([next(), next()]).toEqual([['2', '3', 'x at 0'], undefined])
  })

  it('reads the output of a tool that starts again, also if its end is missing', () => {
    const { session, next } = scene([toolStart, output('ab', 0)], { isMarked: false })
    expect(next()).toEqual(['1', 'ab at 0'])
    session.record(toolStart)
    session.record(output('x', 0))
    expect([next(), next()]).toEqual([['2', 'x at 0'], undefined])
  })

  it('drops the cursor of a tool that has ended', () => {
    const cursor = emptyCursor()
    const { session, next } = scene([toolStart, output('ab', 0)], { cursor })
    next()
    expect(cursor.output.has(toolCallId)).toBe(true)
    session.record({ ...sampleEvents.tool_execution_end, toolCallId })
    next()
    expect(cursor.output.size).toBe(0)
  })

  it('repeats no output of a tool that asks a question', () => {
    const { session, next } = scene([toolStart, output('ab', 0)], { isMarked: false })
    expect(next()).toEqual(['1', 'ab at 0'])
    session.record({ ...sampleEvents.ui_request, toolCallId })
    expect([next(), next()]).toEqual([['2'], undefined])
  })

  it('keeps the output of other tools when a tool ends', () => {
    const other = { ...toolStart, toolCallId: 'call_2' }
    const { session, next } = scene([toolStart, output('ab', 0), other], { isMarked: false })
    expect(next()).toEqual(['1', '2', 'ab at 0'])
    session.record({ ...sampleEvents.tool_execution_end, toolCallId: 'call_2' })
    session.record(settled)
    expect([next(), next()]).toEqual([['3', '4'], undefined])
  })

  it('opens the log once for all lines, and again behind a line that another client has read', () => {
    const long: AgentEvent = { ...sampleEvents.warning, message: 'x'.repeat(70_000) }
    const { session, served, catchUp, next } = scene([settled, long, settled], { isMarked: false })
    const logged = vi.spyOn(session, 'logged')
    expect(next(1)).toEqual(['1'])
    const other = new CatchUp(served, { after: 1, cursor: emptyCursor(), isMarked: false, deltas: true, longest: 9 })
    other.next(1)
    expect(logged.mock.calls).toEqual([[{ after: 0 }], [{ after: 1 }]])
    expect(catchUp.next(1)?.lines[0]?.length).toBeGreaterThan(70_000)
    expect([next(), next()]).toEqual([['3'], undefined])
    expect(logged.mock.calls.slice(2)).toEqual([[{ after: 2 }]])
    session.record(settled)
    expect(next()).toEqual(['4'])
    expect(logged.mock.calls.slice(3)).toEqual([[{ after: 3 }]])
  })

  it('throws a storage failure if the log ends before its published lines', () => {
    const { session, next } = scene([settled, settled])
    const lines = [...session.logged()].slice(0, 1)
    vi.spyOn(session, 'logged').mockImplementation(() => lines)
    expect(() => next()).toThrow(expect.objectContaining({ code: 'storage' }) as Error)
  })
})
