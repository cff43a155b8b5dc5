// Tests `filesAtEntry`: which snapshot has the files as they were at an entry.
import { describe, expect, it } from 'vitest'
import { filesAtEntry } from '../../../lib/session/commands/files-at-entry.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { SessionRecord } from '../../../lib/streams/log/log-line.ts'

/**
 * Records from lines such as `r1 start`, `r1 before a`, `r1 act` (a call that may change files), `r1 look`, `r1
 * refused` and `r1 after b`.
 */
function records(...lines: readonly string[]): SessionRecord[] {
  return lines.map((line, position) => {
    const [run = '', what = '', snapshot = ''] = line.split(' ')
    const runId = run === '-' ? {} : { runId: run }
    return { at: 0, seq: position + 1, event: event(what, snapshot), ...runId }
  })
}

function event(what: string, snapshot: string): AgentEvent {
  if (what === 'start') return { type: 'agent_start', model: 'm', tools: [], thinkingLevel: 'off' }
  if (what === 'before' || what === 'after') return { type: 'snapshot_taken', snapshot, moment: what }
  const isError = what === 'refused'
  const toolName = what === 'look' ? 'look' : 'act'
  return { type: 'tool_execution_end', toolCallId: 'c', toolName, isError, content: [], durationMs: isError ? 0 : 1 }
}

const mayChange = (name: string): boolean => name !== 'look'
const then = (lines: readonly string[], runId?: string) =>
  filesAtEntry({ records: records(...lines), mayChange, ...(runId === undefined ? {} : { runId }) })
const known = (to: string, ...since: readonly [string, string?][]) => ({
  kind: 'known',
  to,
  since: since.map(([before, after]) => ({ before, ...(after === undefined ? {} : { after }) })),
})
const nothing = { kind: 'known', since: [] }

describe('the files at an entry', () => {
  it.each<[string, string[], object]>([
    ['nothing has changed since', ['r1 start', 'r1 look'], nothing],
    ['a run has changed them', ['r1 start', 'r1 before a', 'r1 act', 'r1 after b'], known('a', ['a', 'b'])],
    [
      'two runs have',
      ['r1 start', 'r1 before a', 'r1 act', 'r1 after b', 'r2 start', 'r2 before c', 'r2 act', 'r2 after d'],
      known('a', ['a', 'b'], ['c', 'd']),
    ],
    [
      'a late input has made another turn the last',
      ['r1 start', 'r1 before a', 'r1 act', 'r1 after b', 'r1 act', 'r1 after c'],
      known('a', ['a', 'b'], ['b', 'c']),
    ],
    [
      'a late input was answered without a change',
      ['r1 start', 'r1 before a', 'r1 act', 'r1 after b', 'r1 after c'],
      known('a', ['a', 'b']),
    ],
    ['it is the end of a run', ['r1 after b'], nothing],
    [
      'it is the end of a run, and another followed',
      ['r1 after b', 'r2 start', 'r2 before c', 'r2 act'],
      known('c', ['c']),
    ],
    ['a process ended in the middle', ['r1 start', 'r1 before a', 'r1 act', 'r2 start'], known('a', ['a'])],
    ['files were restored', ['- before a', '- after b'], known('a', ['a', 'b'])],
    ['calls were refused before one was run', ['r1 start', 'r1 refused', 'r1 before a', 'r1 act'], known('a', ['a'])],
    [
      'a later run took no snapshot: the author of its changes is unknown',
      ['r1 start', 'r1 before a', 'r1 after b', 'r2 start', 'r2 act', 'r3 start', 'r3 before c', 'r3 after d'],
      known('a', ['a', 'b'], ['b'], ['c', 'd']),
    ],
  ])('are known if %s', (_what, lines, expected) => {
    expect(then(lines)).toEqual(expected)
  })

  it.each<[string, string[]]>([
    ['inside a run', ['r1 act', 'r1 after b', 'r2 start', 'r2 before c']],
    ['if a run took no snapshot', ['r1 start', 'r1 act', 'r2 start', 'r2 before c']],
    ['if the last run took no snapshot', ['r1 start', 'r1 act']],
  ])('are unknown %s', (_what, lines) => {
    expect(then(lines)).toMatchObject({ kind: 'unknown' })
  })
})

describe('the files before a run', () => {
  it('are the current ones if the run changed none, whatever later runs did', () => {
    expect(then(['r1 look', 'r2 start', 'r2 before c', 'r2 act'], 'r1')).toEqual(nothing)
    expect(then(['r1 look', '- before c', '- after d'], 'r1')).toEqual(nothing)
  })

  it('are those of its snapshot', () => {
    expect(then(['r1 before a', 'r1 act', 'r1 after b'], 'r1')).toEqual(known('a', ['a', 'b']))
  })
})
