// Tests the text of a session that `rxpi attach` follows.
import { describe, expect, it } from 'vitest'
import { createAttachPrinter } from '../../../app/text/attach-text.ts'
import { createOutput } from '../../../app/process/output.ts'
import type { ClientEvent } from '../../../lib/server/protocol/server-frame.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { AssistantContent } from '../../../lib/streams/messages/message.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { recordingStream } from '../../support/fake-world.ts'

function shownOf(events: readonly AgentEvent[], { isTTY = false } = {}): string {
  const stream = recordingStream({ isTTY })
  const show = createAttachPrinter(createOutput({ stream, name: 'standard output', colours: false }))
  for (const event of events) show({ type: 'event', event } satisfies ClientEvent)
  return stream.written
}

const at = { entryId: 'abcdefg2', parentId: null }

function answer(...content: AssistantContent[]) {
  const facts = { api: 'x', provider: 'p', model: 'm', usage: noUsage, stopReason: 'stop', timestamp: 0 } as const
  return { role: 'assistant', content, ...facts } as const
}

const started: AgentEvent = { type: 'message_start', ...at, message: answer() }
const ended = (...content: AssistantContent[]): AgentEvent => ({
  type: 'message_end',
  ...at,
  message: answer(...content),
})

function piece(text: string, offset: number, contentIndex = 0): AgentEvent {
  return { type: 'message_update', entryId: 'abcdefg2', delta: { type: 'text_delta', contentIndex, offset, text } }
}

describe('createAttachPrinter', () => {
  it('shows a question, and that the server ended before its answer', () => {
    const requestId = 'q'.repeat(26)
    const question = { type: 'question', requestId, kind: 'plan', source: 'core', text: 'Change a.' } as const
    const resolved = { type: 'question_resolved', requestId, outcome: { choice: 'reject' } } as const
    expect(shownOf([question, { ...resolved, by: 'recovery' }, question, { ...resolved, by: 'client' }])).toBe(
      '· question: Change a.\n· the server ended before the question was answered\n· question: Change a.\n',
    )
  })

  it.each<[string, AgentEvent[], string]>([
    ['as it comes', [piece('Hel', 0), piece('lo', 3), ended({ type: 'text', text: 'Hello' })], 'Hello\n'],
    ['from the log, without pieces', [ended({ type: 'text', text: 'Hello' })], 'Hello\n'],
    ['with a repeated piece', [piece('Hel', 0), piece('Hel', 0), piece('Hello', 0)], 'Hello'],
    ['with one that overlaps', [piece('Hel', 0), piece('llo', 2)], 'Hello'],
    [
      'with a piece missing, whole in the end',
      [piece('H', 0), piece('o', 4), ended({ type: 'text', text: 'Hello' })],
      'Hello\n',
    ],
    [
      'in two blocks',
      [piece('One. ', 0), piece('Two.', 0, 1), ended({ type: 'text', text: 'One. ' }, { type: 'text', text: 'Two.' })],
      'One. Two.\n',
    ],
  ])('prints an answer once, %s', (_, events, text) => {
    expect(shownOf([started, ...events])).toBe(`── p/m\n${text}`)
  })

  it('prints the prompt, calls with their arguments, results and the end of the run', () => {
    const call = { type: 'toolCall', id: '1', name: 'bash', arguments: { command: 'ls' } } as const
    const user = { role: 'user', content: 'What is here?', timestamp: 0 } as const
    const start = { type: 'tool_execution_start', toolCallId: '1', toolName: 'bash', entryId: 'abcdefg2' } as const
    const end = { type: 'tool_execution_end', toolCallId: '1', toolName: 'bash', durationMs: 1 } as const
    const over = { type: 'agent_end', totalTurns: 1, usage: noUsage, durationMs: 1 } as const
    expect(
      shownOf([
        { type: 'message_end', ...at, message: user },
        started,
        piece('I look', 0),
        ended({ type: 'text', text: 'I look' }, call),
        start,
        { ...end, isError: true, content: [{ type: 'text', text: 'no\nsuch' }] },
        { ...over, terminationReason: 'completed' },
        { type: 'warning', code: 'x', message: 'y', recoverable: true },
        { ...over, terminationReason: 'aborted' },
      ]),
    ).toBe(
      [
        '── you',
        'What is here?',
        '── p/m',
        'I look',
        '· bash {"command":"ls"}',
        '  failed: no such',
        '── done',
        '· x: y',
      ]
        .concat(['── stopped by you after 0 s', ''])
        .join('\n'),
    )
  })

  it('escapes control characters on a terminal [S19a]', () => {
    expect(shownOf([started, piece('\u001b[2J', 0)], { isTTY: true })).toBe('── p/m\n␛[2J')
  })
})
