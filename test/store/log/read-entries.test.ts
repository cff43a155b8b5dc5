// Tests how entries are read from a log.
import { describe, expect, it } from 'vitest'
import { lineCrc, sealLine } from '../../../lib/store/lines/line-checksum.ts'
import { readEntries } from '../../../lib/store/log/read-entries.ts'
import type { RecordPosition } from '../../../lib/store/log/read-records.ts'
import { lineBody } from '../../../lib/streams/log/line-event.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { assistant, user } from '../../streams/events/samples.ts'

const start = { seq: 1, offset: 0, line: 2 }
const shown = [{ type: 'text' as const, text: 'ä shown' }]
const call = { toolCallId: 'call_1', toolName: 'look' }

const events: readonly AgentEvent[] = [
  { type: 'message_end', entryId: 'aaaaaaaa', parentId: null, message: user('first') },
  { type: 'message_start', entryId: 'bbbbbbbb', parentId: 'aaaaaaaa', message: assistant([]) },
  { type: 'message_end', entryId: 'bbbbbbbb', parentId: 'aaaaaaaa', message: assistant([]) },
  { type: 'tool_execution_end', ...call, isError: true, content: shown, durationMs: 1 },
  {
    type: 'message_end',
    entryId: 'cccccccc',
    parentId: 'bbbbbbbb',
    message: { role: 'toolResult', ...call, content: shown, isError: true, timestamp: 4 },
  },
  { type: 'agent_settled' },
  { type: 'message_end', entryId: 'dddddddd', parentId: 'cccccccc', message: user('last') },
]
const lines = events.map((event, index) => sealLine(lineBody({ seq: index + 1, at: 1, event })))

/** Adds reported damage to `problems`. */
function read(lines: readonly (string | Buffer)[], { from = 1, to = 7, problems = [] as RecordPosition[] } = {}) {
  const bytes = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]))
  const copy = (buffer: Buffer, length: number, position: number) => bytes.copy(buffer, 0, position, position + length)
  const damaged = (_failure: unknown, workspace: RecordPosition) => problems.push(workspace)
  return readEntries({ file: 'log', read: copy, end: () => bytes.length, damaged }, start, { from, to })
}

describe('readEntries', () => {
  it('emits each entry with its message, and a result with the content of its call', () => {
    const entries = read(lines)
    expect(entries.map(({ entryId, parentId, seq }) => [entryId, parentId, seq])).toEqual([
      ['aaaaaaaa', null, 1],
      ['bbbbbbbb', 'aaaaaaaa', 3],
      ['cccccccc', 'bbbbbbbb', 5],
      ['dddddddd', 'cccccccc', 7],
    ])
    expect(entries.map(({ message }) => message)).toEqual(
      events.flatMap((event) => (event.type === 'message_end' ? [event.message] : [])),
    )
  })

  it('begins and stops at the given lines', () => {
    expect(read(lines, { from: 2, to: 6 }).map(({ entryId }) => entryId)).toEqual(['bbbbbbbb', 'cccccccc'])
  })

  it('skips checkpoints, and reads lines with an opId', () => {
    const checkpoint = sealLine('{"at":1,"event":{"type":"message_update"}')
    const event: AgentEvent = { type: 'message_end', entryId: 'aaaaaaaa', parentId: null, message: user('marked') }
    const marked = sealLine(lineBody({ seq: 1, at: 1, opId: 'mine', event }))
    expect(read([checkpoint, marked])).toEqual([
      { entryId: 'aaaaaaaa', parentId: null, message: user('marked'), seq: 1 },
    ])
  })

  it.each<[string, (line: string) => string | Buffer, string]>([
    ['a byte is another one', (line) => line.replace('shown', 'shawn'), 'its checksum is missing or wrong'],
    [
      'its event does not fit',
      () => sealLine('{"seq":4,"at":1,"event":{"type":"tool_execution_end"}'),
      'its event tool',
    ],
    ['its number is another one', (line) => sealLine(line.slice(0, -18).replace('"seq":4', '"seq":5')), 'its number'],
    ['it has two events', () => sealLine('{"seq":4,"at":1,"event":{"type":"message_end"},"event":5'), '/event must be'],
    ['it is no JSON', () => sealLine('{"seq":4,"at":1,"event":{"type":"message_end",}'), 'it is not one JSON object'],
    ['it is no UTF-8', (line) => sealedLatin1(line), 'it is not UTF-8'],
  ])('ends at a line if %s, and names it', (_what, damage, problem) => {
    const problems: RecordPosition[] = []
    const damaged = lines.map((line, index) => (index === 3 ? damage(line) : line))
    expect(() => read(damaged, { problems })).toThrow(new RegExp(`^Line 5 of log is damaged: ${problem}`))
    expect(problems.map(({ line, seq }) => [line, seq])).toEqual([[5, 4]])
  })

  it('emits a message of any length at its position', () => {
    const long = [10, 200_000, 20].map((length, index) => {
      const entryId = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'][index] ?? ''
      const event: AgentEvent = { type: 'message_end', entryId, parentId: null, message: user('x'.repeat(length)) }
      return sealLine(lineBody({ seq: index + 1, at: 1, event }))
    })
    expect(read(long).map(({ message }) => message.content.length)).toEqual([10, 200_000, 20])
  })

  it('skips lines that end no entry', () => {
    const damaged = lines.map((line, index) => (index === 1 || index === 5 ? line.replace('"at":1', '"at":2') : line))
    expect(read(damaged)).toHaveLength(4)
  })
})

/** The line in an encoding of one byte a character, with a right checksum. */
function sealedLatin1(line: string): Buffer {
  const body = Buffer.from(line.slice(0, -18), 'latin1')
  return Buffer.concat([body, Buffer.from(`,"crc":"${lineCrc(body)}"}`)])
}
