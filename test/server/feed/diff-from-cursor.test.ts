// Tests the cursor of one client, and the events that bring the client from it to a state.
import { describe, expect, it } from 'vitest'
import { cursorBefore, emptyCursor } from '../../../lib/server/feed/client-cursor.ts'
import type { ClientCursor } from '../../../lib/server/feed/client-cursor.ts'
import { diffFromCursor } from '../../../lib/server/feed/diff-from-cursor.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import type { AssistantContent, Message } from '../../../lib/streams/messages/message.ts'
import type { OutputTail, RunningTool } from '../../../lib/streams/state/fold-output.ts'
import { emptySession } from '../../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import { assistant, sampleEvents, user } from '../../streams/events/samples.ts'

const entryId = 'answeraa'
const toolCallId = 'call_1'

/** A state with this open message, running tool and job. */
function stateOf(parts: {
  readonly message?: Message
  readonly id?: string
  readonly output?: Readonly<Record<string, OutputTail>>
  readonly hasEnded?: boolean
  readonly job?: OutputTail
}): SessionState {
  const { message, id = entryId, output, hasEnded = false, job } = parts
  const end = hasEnded ? { end: sampleEvents.tool_execution_end } : {}
  const tool: RunningTool = { toolCallId, toolName: 'bash', entryId, args: {}, output: output ?? {}, ...end }
  return {
    ...emptySession(),
    ...(message === undefined ? {} : { open: { entryId: id, parentId: null, message } }),
    tools: new Map(output === undefined ? [] : [[toolCallId, tool]]),
    jobOutput: new Map(job === undefined ? [] : [['job', job]]),
  }
}

const answering = (...content: AssistantContent[]): SessionState => stateOf({ message: assistant(content) })
const update = (delta: EventNamed<'message_update'>['delta']): AgentEvent => ({
  type: 'message_update',
  entryId,
  delta,
})
const output = (content: string, offset: number): AgentEvent => ({
  type: 'tool_execution_update',
  toolCallId,
  updateType: 'stdout',
  content,
  offset,
})
const jobOutput = (content: string, offset: number): AgentEvent => ({
  type: 'job_update',
  jobId: 'job',
  content,
  offset,
})
const diff = (state: SessionState, cursor: ClientCursor = emptyCursor(), longest = 100): AgentEvent[] => [
  ...diffFromCursor(state, cursor, longest),
]

const text = { type: 'text', text: 'abcde' } as const
const thinking = { type: 'thinking', thinking: 'hm' } as const
const call = { type: 'toolCall', id: 'c', name: 'read', arguments: {} } as const
const started = {
  text: update({ type: 'text_start', contentIndex: 0 }),
  thinking: update({ type: 'thinking_start', contentIndex: 0 }),
  call: update({ type: 'toolcall_start', contentIndex: 0, id: 'c', name: 'read' }),
}
const texted = update({ type: 'text_delta', contentIndex: 0, offset: 0, text: 'abcde' })
const thought = update({ type: 'thinking_delta', contentIndex: 0, offset: 0, text: 'hm' })

/** Each kind of block, and the events that build it. */
const blocks: [string, AssistantContent, AgentEvent[]][] = [
  ['an open text', text, [started.text, texted]],
  ['an empty text', { type: 'text', text: '' }, [started.text]],
  [
    'a signed text',
    { ...text, textSignature: 's' },
    [started.text, texted, update({ type: 'text_end', contentIndex: 0, signature: 's' })],
  ],
  ['an open thought', thinking, [started.thinking, thought]],
  [
    'a redacted thought',
    { ...thinking, redacted: true },
    [update({ type: 'thinking_start', contentIndex: 0, redacted: true }), thought],
  ],
  [
    'a signed thought',
    { ...thinking, thinkingSignature: 's' },
    [started.thinking, thought, update({ type: 'thinking_end', contentIndex: 0, signature: 's' })],
  ],
  [
    'an open call',
    { ...call, argumentsText: '{"a' },
    [started.call, update({ type: 'toolcall_delta', contentIndex: 0, offset: 0, text: '{"a' })],
  ],
  [
    'a call that has ended',
    { ...call, arguments: { a: 1 } },
    [started.call, update({ type: 'toolcall_end', contentIndex: 0, arguments: { a: 1 } })],
  ],
  [
    'a signed call',
    { ...call, thoughtSignature: 's' },
    [started.call, update({ type: 'toolcall_end', contentIndex: 0, arguments: {}, signature: 's' })],
  ],
]

describe('diffFromCursor', () => {
  it.each(blocks)('yields the start, text and end of %s, once', (_, block, events) => {
    const cursor = emptyCursor()
    expect(diff(answering(block), cursor)).toStrictEqual(events)
    expect(diff(answering(block), cursor)).toEqual([])
  })

  it('yields text in pieces of at most the longest, and of a text that grows the new part alone', () => {
    const cursor = emptyCursor()
    const piece = (offset: number, part: string) => update({ type: 'text_delta', contentIndex: 1, offset, text: part })
    expect(diff(answering(thinking, text), cursor, 2).slice(2)).toEqual([
      update({ type: 'text_start', contentIndex: 1 }),
      piece(0, 'ab'),
      piece(2, 'cd'),
      piece(4, 'e'),
    ])
    expect(diff(answering(thinking, { ...text, text: 'abcdefg' }), cursor, 2)).toEqual([piece(5, 'fg')])
  })

  it('forgets the blocks of a message when another one is open', () => {
    const cursor = emptyCursor()
    diff(answering(text), cursor)
    const events = diff(stateOf({ message: assistant([text]), id: 'otheraaa' }), cursor)
    expect(events).toEqual([started.text, texted].map((event) => ({ ...event, entryId: 'otheraaa' })))
  })

  it('yields nothing for an open message of the user', () => {
    expect(diff(stateOf({ message: user() }))).toEqual([])
  })

  it('yields the output of running tools and jobs in pieces, and later only new output', () => {
    const cursor = emptyCursor()
    const first = { offset: 0, text: 'abc' }
    const later = { offset: 1, text: 'bcd' }
    expect(diff(stateOf({ output: { stdout: first }, job: first }), cursor, 2)).toEqual([
      output('ab', 0),
      output('c', 2),
      jobOutput('ab', 0),
      jobOutput('c', 2),
    ])
    expect(diff(stateOf({ output: { stdout: later }, job: later }), cursor)).toEqual([
      output('d', 3),
      jobOutput('d', 3),
    ])
  })

  it('begins with the stored output if earlier output is not stored', () => {
    const stored = { offset: 7, text: 'hi' }
    expect(diff(stateOf({ output: { stdout: stored }, job: stored }))).toEqual([output('hi', 7), jobOutput('hi', 7)])
  })

  it('yields an empty output once, and for a tool alone', () => {
    const cursor = emptyCursor()
    const state = stateOf({ output: { stdout: { offset: 4, text: '' } }, job: { offset: 4, text: '' } })
    expect(diff(state, cursor)).toEqual([output('', 4)])
    expect(diff(state, cursor)).toEqual([])
  })

  it('yields each stream of a tool, and nothing of a tool that has ended', () => {
    const both = { stdout: { offset: 0, text: 'a' }, stderr: { offset: 0, text: 'b' } }
    expect(diff(stateOf({ output: both }))).toEqual([output('a', 0), { ...output('b', 0), updateType: 'stderr' }])
    expect(diff(stateOf({ output: both, hasEnded: true }))).toEqual([])
  })
})

describe('cursorBefore', () => {
  const tail = { offset: 3, text: 'abc' }

  it.each([
    ...blocks.map(([name, block]) => [name, answering(block)] as const),
    ['output', stateOf({ output: { stdout: tail }, job: tail })] as const,
    ['a message of the user', stateOf({ message: user() })] as const,
    ['nothing', emptySession()] as const,
  ])('leaves nothing to send of %s without latest events', (_, state) => {
    expect(diff(state, cursorBefore(state, []))).toEqual([])
  })

  it.each(blocks)('leaves the latest event of %s to send', (_, block, events) => {
    for (let count = 1; count <= events.length; count++) {
      const latest = events.slice(-count)
      expect(diff(answering(block), cursorBefore(answering(block), latest))).toEqual(latest)
    }
  })

  it('leaves the text from the earliest of the latest pieces on', () => {
    const latest = [
      update({ type: 'text_delta', contentIndex: 0, offset: 2, text: 'c' }),
      update({ type: 'text_delta', contentIndex: 0, offset: 3, text: 'de' }),
    ]
    expect(diff(answering(text), cursorBefore(answering(text), latest))).toEqual([
      update({ type: 'text_delta', contentIndex: 0, offset: 2, text: 'cde' }),
    ])
  })

  it.each<[string, AssistantContent, AssistantContent]>([
    ['a text', text, { ...text, textSignature: 's' }],
    ['a thought', thinking, { ...thinking, thinkingSignature: 's' }],
    ['a call', { ...call, argumentsText: '{}' }, call],
  ])('leaves the end of %s to send that is still open', (_, open, ended) => {
    const events = diff(answering(ended), cursorBefore(answering(open), []))
    expect(events).toMatchObject([{ delta: { type: expect.stringMatching(/_end$/) as string } }])
  })

  it('leaves all output of a tool and a job that began with the latest events', () => {
    const stored = { offset: 0, text: 'abc' }
    const state = stateOf({ output: { stdout: stored }, job: stored })
    const latest = [
      { ...sampleEvents.job_start, jobId: 'job' },
      output('a', 0),
      output('bc', 1),
      jobOutput('a', 0),
      jobOutput('bc', 1),
    ]
    expect(diff(state, cursorBefore(state, latest))).toEqual([output('abc', 0), jobOutput('abc', 0)])
  })

  it('leaves the latest output to send', () => {
    const state = stateOf({ output: { stdout: tail }, job: tail })
    expect(diff(state, cursorBefore(state, [output('c', 5), jobOutput('bc', 4)]))).toEqual([
      output('c', 5),
      jobOutput('bc', 4),
    ])
  })

  it('leaves a stream of output that began with the latest event, also an empty one', () => {
    const state = stateOf({ output: { stdout: { offset: 0, text: '' } } })
    expect(diff(state, cursorBefore(state, [output('', 0)]))).toEqual([output('', 0)])
  })

  it('ignores latest events of unknown blocks, tools and jobs', () => {
    const latest = [texted, output('a', 0), output('b', 1), jobOutput('a', 0), sampleEvents.custom]
    expect(cursorBefore(emptySession(), latest)).toEqual(emptyCursor())
  })
})
